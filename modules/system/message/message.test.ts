import { createHash, createHmac } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestApp, screenId, type Caller, type TestApp } from '../../../core/testing/app.server.ts'
import { formatTime } from '../../../core/field/time.ts'
import type { Subscription } from '../../../core/subscription/calls.ts'
import { barsPicture, tablePicture } from '../../../core/subscription/picture.ts'
import { toPng } from '../../../core/subscription/picture.server.ts'
import { openSchools, STUDENTS } from '../../../core/testing/transfer.server.ts'
import { HEALTH_RIGHTS } from '../health.ts'
import { DELIVERY } from './delivery.ts'
import { sendDue, tellOutside } from './delivery.server.ts'

const END = '/daoyuan/api/end'
const MESSAGE = `${END}/message`
const PASSWORD = 'mail-secret-1'
const SIGN = 'SECsign-secret'

let app: TestApp
let admin: Caller
let smtp: SMTPServer
let robots: Server
const mails: { to: string; raw: string }[] = []
let mailRefusal: string | undefined
const said: { url: URL; body: Record<string, unknown> }[] = []
/** What the robots answer next; success without. */
const answers: Record<string, unknown>[] = []
const now = () => Math.floor(Date.now() / 1000)

const listen = async (server: { listen(port: number, host: string, done: () => void): unknown }) => new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })

beforeAll(async () => {
  smtp = new SMTPServer({
    authOptional: false, disabledCommands: ['STARTTLS'], allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) => (username === 'robot@example.com' && password === PASSWORD ? done(null, { user: username }) : done(new Error('535 no'))),
    onRcptTo: (_address, _session, done) => (mailRefusal ? done(Object.assign(new Error('no'), { responseCode: Number(mailRefusal) })) : done()),
    onData(stream, session, done) {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => {
        mails.push({ to: session.envelope.rcptTo[0]?.address ?? '', raw: Buffer.concat(pieces).toString() })
        done()
      })
    },
  })
  await listen(smtp)
  robots = createServer((request, reply) => {
    let text = ''
    request.on('data', (piece: Buffer) => { text += piece.toString() })
    request.on('end', () => {
      said.push({ url: new URL(request.url ?? '', 'http://x'), body: JSON.parse(text) as Record<string, unknown> })
      reply.setHeader('content-type', 'application/json').end(JSON.stringify(answers.shift() ?? { errcode: 0, code: 0 }))
    })
  })
  await listen(robots)
  app = await openTestApp({ OUTGOING_ALLOW: `smtp://127.0.0.1:${mailPort()},${robotOrigin()}`, PUBLIC_URL: 'https://console.example.com' })
  admin = await app.login()
})
afterAll(async () => {
  await app.close()
  await new Promise<void>((resolve) => { smtp.close(() => resolve()) })
  robots.close()
})

const mailPort = () => (smtp.server.address() as AddressInfo).port
const robotOrigin = () => `http://127.0.0.1:${(robots.address() as AddressInfo).port}`

async function channel(values: Record<string, unknown>, key: Record<string, unknown>): Promise<number> {
  const made = await admin.post<{ id: number; detail?: string }>(`${END}/message_channel`, values)
  expect(made.body.detail).toBeUndefined()
  expect(await admin.put(`${END}/message_channel/${made.body.id}/key`, key)).toMatchObject({ status: 200 })
  return made.body.id
}
const mailChannel = (name: string) => channel({ name, kind: 'mail', host: '127.0.0.1', port: mailPort(), security: 'plain', account: 'robot@example.com', sender: 'robot@example.com', domains: ['example.com'], status: 1 }, { password: PASSWORD })
const group = (kind: string, name: string, more: Record<string, unknown> = {}) => channel({ name, kind, status: 1, ...more }, { webhook: `${robotOrigin()}/robot?key=K-${kind}`, ...(kind !== 'wecom' && { sign: SIGN }) })

/** The text parts of a mail. */
const readable = (raw: string) => raw.split(/\r\n(?=--)/).map((part) => {
  const body = part.slice(part.indexOf('\r\n\r\n') + 4)
  if (/transfer-encoding: base64/i.test(part)) return Buffer.from(body, 'base64').toString()
  return Buffer.from(body.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))), 'latin1').toString()
}).join('\n')

async function confirmed(person: Caller, email: string): Promise<Caller> {
  expect(await person.put(`${MESSAGE}/contact`, { email })).toMatchObject({ status: 200, body: { confirmed: false } })
  const code = /验证码是 (\d{6})/.exec(readable(mails.at(-1)?.raw ?? ''))?.[1]
  expect(await person.post(`${MESSAGE}/contact/confirm`, { code })).toMatchObject({ status: 200, body: { confirmed: true } })
  return person
}

const delivered = async (where: ReturnType<typeof sql> = sql`true`) => app.db.query<{ id: number; state: number; error: string | null; target: string | null; kind: string }>(sql`select id, state, error, target, kind from message_delivery where ${where} order by id`)

/** No two of one subscription are due at one moment. */
let times = 0

/** Makes a subscription due and sends what is due. */
async function run(id: number, at = now()): Promise<void> {
  times += 1
  await app.db.query(sql`update message_subscription set next_at = to_timestamp(${at - 1 - times / 1000}) where id = ${id}`)
  await sendDue(app.kernel, at)
}
const last = async (id: number) => (await delivered(sql`subscription_id = ${id}`)).at(-1)

describe('channels', () => {
  test('what opens one is set once and answered by no call', async () => {
    const id = await mailChannel('密钥邮箱')
    const robot = await group('wecom', '密钥群')
    for (const path of ['message_channels', `message_channel/${id}`, `message_channel/${robot}`, `message_channel/${id}/history`]) {
      const text = JSON.stringify((await admin.get(`${END}/${path}`)).body)
      expect(text).not.toContain(PASSWORD)
      expect(text).not.toContain('key=K-')
    }
    expect(JSON.stringify(await app.db.query(sql`select * from audit_log where entity like 'message%'`))).not.toContain(PASSWORD)
    const [stored] = await app.db.query<{ sealed: string }>(sql`select sealed from message_channel_key where channel_id = ${id}`)
    expect(stored?.sealed).not.toContain(PASSWORD)
    // Another server does not get the password that was given for this one.
    const row = (await admin.get<{ rev: number }>(`${END}/message_channel/${id}`)).body
    expect((await admin.put(`${END}/message_channel/${id}`, { host: 'evil.example.org', rev: row.rev })).status).toBe(200)
    expect(await app.db.query(sql`select 1 from message_channel_key where channel_id = ${id}`)).toEqual([])
    await admin.delete(`${END}/message_channel/${id}`)
  })

  test('robots live at their vendors, and sign where they can', async () => {
    const made = await admin.post<{ id: number }>(`${END}/message_channel`, { name: '外面', kind: 'dingtalk', status: 1 })
    for (const webhook of ['https://evil.example.org/robot', 'http://oapi.dingtalk.com/robot/send', 'https://oapi.dingtalk.com.evil.org/', 'x']) {
      expect(await admin.put(`${END}/message_channel/${made.body.id}/key`, { webhook, sign: SIGN })).toMatchObject({ status: 400 })
    }
    expect(await admin.put(`${END}/message_channel/${made.body.id}/key`, { webhook: 'https://oapi.dingtalk.com/robot/send?access_token=x' })).toMatchObject({ status: 400 })
    const other = await app.staff([HEALTH_RIGHTS.screen, HEALTH_RIGHTS.id('edit')])
    for (const answer of [await other.put(`${END}/message_channel/${made.body.id}/key`, {}), await other.post(`${END}/message_channel/${made.body.id}/test`, {})]) expect(answer.status).toBe(403)
  })

  test('a mail server in an internal network is not reached, nor a port that takes no mail', async () => {
    const made = await admin.post<{ id: number }>(`${END}/message_channel`, { name: '内网', kind: 'mail', host: '10.0.0.8', port: 465, security: 'tls', sender: 'a@example.com', domains: ['example.com'], status: 1 })
    expect(await admin.post(`${END}/message_channel/${made.body.id}/test`, { to: 'b@example.com' })).toMatchObject({ body: { ok: false, words: '不能访问该地址：它在内部网络中' } })
    await app.db.query(sql`update message_channel set host = '127.0.0.1', port = 5432, security = 'starttls' where id = ${made.body.id}`)
    expect(await admin.post(`${END}/message_channel/${made.body.id}/test`, { to: 'b@example.com' })).toMatchObject({ body: { ok: false, words: expect.stringContaining('端口') } })
    expect(await admin.post(`${END}/message_channel/${made.body.id}/test`, { to: 'b@elsewhere.com' })).toMatchObject({ body: { ok: false, words: '收件邮箱不属于通道允许的域名' } })
  })

  test('DingTalk and Feishu get signatures that they can check, all three a test message', async () => {
    const [wecom, ding, feishu] = [await group('wecom', '企微'), await group('dingtalk', '钉钉'), await group('feishu', '飞书')]
    said.length = 0
    for (const id of [wecom, ding, feishu]) expect(await admin.post(`${END}/message_channel/${id}/test`, {})).toMatchObject({ body: { ok: true } })
    expect(said[0]?.body).toMatchObject({ msgtype: 'markdown' })
    const query = said[1]?.url.searchParams
    expect(query?.get('sign')).toBe(createHmac('sha256', SIGN).update(`${query?.get('timestamp')}\n${SIGN}`).digest('base64'))
    expect(Math.abs(Number(query?.get('timestamp')) - Date.now())).toBeLessThan(60_000)
    const { timestamp, sign } = (said[2]?.body ?? {}) as { timestamp?: string; sign?: string }
    expect(sign).toBe(createHmac('sha256', `${timestamp}\n${SIGN}`).update('').digest('base64'))
    expect(timestamp).toMatch(/^\d{10}$/)
    expect(await delivered(sql`kind = 'test' and channel_id = ${wecom}`)).toEqual([expect.objectContaining({ state: DELIVERY.sent, target: '企微' })])
    answers.push({ errcode: 310000, errmsg: 'sign not match' })
    expect(await admin.post(`${END}/message_channel/${ding}/test`, {})).toMatchObject({ body: { ok: false, words: '钉钉拒绝了消息：加签密钥、关键词或 IP 不符（310000）' } })
  })
})

describe('subscribed views', () => {
  let person: Caller
  let view: number
  let mail: number
  let screen: number
  beforeEach(() => {
    mailRefusal = undefined
  })
  beforeAll(async () => {
    const schools = await openSchools(app)
    screen = app.kernel.registry.get('school_student')?.resource.grant ?? 0
    await app.db.query(sql`insert into school_student (name, mobile, school_id, grade, status) values ('张三丰', '13800138000', ${schools.one}, 7, 1), ('李四', '13800138001', ${schools.other}, 8, 1)`)
    mail = await mailChannel('公司邮箱')
    person = await confirmed(await app.staff([screen, screen * 100 + 4], { scopes: { school: [schools.one] } }), 'wang@example.com')
    const made = await person.post<{ id: number }>(`${END}/saved_views`, { list: 'school_student', name: '在读', query: 'status=1', columns: ['name', 'mobile', 'grade', 'created_at'] })
    view = made.body.id
    expect(STUDENTS).toContain('student')
  })

  const subscribe = async (body: Record<string, unknown>, who = person) => who.post<{ id: number; detail?: string }>(`${MESSAGE}/subscriptions`, { kind: 'view', view_id: view, channel_id: mail, path: '/new-study-room/school/school-student', ...body })

  test('a mail has what the person may see, masked, with links; a second run sends nothing', async () => {
    const { body } = await subscribe({})
    mails.length = 0
    await run(body.id)
    expect(mails).toHaveLength(1)
    const text = readable(mails[0]?.raw ?? '')
    expect(mails[0]?.to).toBe('wang@example.com')
    expect(text).toContain('138****8000')
    expect(text).not.toContain('13800138000')
    expect(text).not.toContain('138****8001')
    expect(text).toContain(`https://console.example.com/new/new-study-room/school/school-student?status=1&view=${view}`)
    await sendDue(app.kernel)
    await Promise.all([sendDue(app.kernel), sendDue(app.kernel)])
    expect(mails).toHaveLength(1)
    expect(await last(body.id)).toMatchObject({ state: DELIVERY.sent, target: 'w***@example.com' })
    const mine = await person.get<{ items: Subscription[] }>(`${MESSAGE}/subscriptions`)
    expect(mine.body.items).toEqual([expect.objectContaining({ title: '在读', last: expect.objectContaining({ ok: true }) })])
  })

  test('two processes at once send one message', async () => {
    const { body } = await subscribe({})
    mails.length = 0
    await app.db.query(sql`update message_subscription set next_at = now() - interval '1 minute' where id = ${body.id}`)
    await Promise.all([sendDue(app.kernel), sendDue(app.kernel), sendDue(app.kernel)])
    expect(mails).toHaveLength(1)
  })

  test('a workbook is attached to whoever may export, and written down', async () => {
    const { body } = await subscribe({ format: 'xlsx' })
    mails.length = 0
    await run(body.id)
    expect(await last(body.id)).toMatchObject({ state: DELIVERY.sent, error: null })
    expect(mails[0]?.raw).toMatch(/filename.*xlsx/)
    expect(await app.db.query(sql`select after->'mail' as mail, after->'plain' as plain from audit_log where action = 'export' and staff_id = ${person.staffId}`)).toEqual([{ mail: true, plain: false }])
    await app.grant(person.staffId, [screen])
    await run(body.id)
    expect(mails).toHaveLength(1)
    expect(await last(body.id)).toMatchObject({ state: DELIVERY.dropped, error: '订阅人已没有该列表的导出权限' })
    expect(await subscribe({ format: 'xlsx' })).toMatchObject({ status: 403 })
    await subscribe({ format: 'summary' })
  })

  test('a picture shows what the list would show, masked, and of a grouped view its numbers; robots get numbers alone, where they take pictures', async () => {
    const { body } = await subscribe({ format: 'picture' })
    mails.length = 0
    await run(body.id)
    const raw = mails[0]?.raw ?? ''
    const text = readable(raw)
    expect([text.includes('<img src="cid:view@daoyuan"'), /13800138000|138\*|张/.test(text)]).toEqual([true, false])
    const [, title = '', until = ''] = /<h3>([^<]+)<\/h3><p>([^<]+)<\/p>/.exec(text) ?? []
    const picture = (mail: string) => Buffer.from(/Content-Type: image\/png[\s\S]*?\r\n\r\n([\w+/=\r\n]+)/.exec(mail)?.[1] ?? '', 'base64')
    const [row] = await app.db.query<{ created_at: number }>(sql`select extract(epoch from created_at)::float8 as created_at from school_student where mobile = '13800138000'`)
    const expected = await toPng(tablePicture({ title, lines: [until] }, ['姓名', '手机', '年级', '创建时间'], [['张三丰', '138****8000', '初一', formatTime(row?.created_at ?? 0).slice(0, 16)]]))
    expect(Buffer.compare(picture(raw), expected)).toBe(0)
    const grouped = (await person.post<{ id: number }>(`${END}/saved_views`, { list: 'school_student', name: '按年级', query: 'look=chart.grade' })).body.id
    const chart = (await subscribe({ format: 'picture', view_id: grouped })).body
    await run(chart.id)
    const [, counted = '', at = ''] = /<h3>([^<]+)<\/h3><p>([^<]+)<\/p>/.exec(readable(mails.at(-1)?.raw ?? '')) ?? []
    const bars = await toPng(barsPicture({ title: counted, lines: [at, '数量，按年级'] }, [{ name: '初一', value: 1, words: '1' }]))
    expect(Buffer.compare(picture(mails.at(-1)?.raw ?? ''), bars)).toBe(0)
    await app.grant(person.staffId, [screen, screen * 100 + 4, HEALTH_RIGHTS.id('group')])
    const [wecom, ding] = [await group('wecom', '图片群'), await group('dingtalk', '图片钉钉群')]
    const bySchool = (await person.post<{ id: number }>(`${END}/saved_views`, { list: 'school_student', name: '按学校', query: 'look=chart.school_id' })).body.id
    for (const refused of [{ channel_id: ding, view_id: grouped }, { channel_id: wecom }, { channel_id: wecom, view_id: bySchool }]) expect(await subscribe({ format: 'picture', ...refused })).toMatchObject({ status: 400, body: { fields: { format: expect.any(String) } } })
    const inGroup = (await subscribe({ format: 'picture', channel_id: wecom, view_id: grouped })).body
    await run(inGroup.id)
    const { image } = (said.at(-1)?.body ?? {}) as { image?: { base64: string; md5: string } }
    expect(image?.md5).toBe(createHash('md5').update(Buffer.from(image?.base64 ?? '', 'base64')).digest('hex'))
    // A view that names records meanwhile comes to the group as a number.
    await person.put(`${END}/saved_views/${grouped}`, { query: 'look=chart.school_id' })
    await run(inGroup.id)
    expect(said.at(-1)?.body).toMatchObject({ msgtype: 'markdown' })
    await app.grant(person.staffId, [screen, screen * 100 + 4])
    await subscribe({ format: 'summary' })
  })

  test('who lost the right, left or is somebody else gets nothing, and the log says why', async () => {
    const { body } = await subscribe({})
    mails.length = 0
    await app.grant(person.staffId, [])
    await run(body.id)
    expect(await last(body.id)).toMatchObject({ state: DELIVERY.dropped, error: '订阅人已没有该列表的权限' })
    await app.grant(person.staffId, [screen, screen * 100 + 4])
    await app.db.query(sql`update staff set status = 2 where id = ${person.staffId}`)
    await run(body.id)
    expect(await last(body.id)).toMatchObject({ state: DELIVERY.dropped, error: '接收人已停用或离职' })
    await app.db.query(sql`update staff set status = 1 where id = ${person.staffId}`)
    expect(mails).toHaveLength(0)
    const other = await confirmed(await app.staff([screen]), 'other@example.com')
    expect((await subscribe({}, other)).status).toBe(404)
    expect((await other.delete(`${MESSAGE}/subscriptions/${body.id}`)).status).toBe(404)
    expect((await subscribe({ view_id: 0 })).status).toBe(404)
  })

  test('a server that is busy is asked again later, one that refuses is not; then somebody sends it again', async () => {
    const { body } = await subscribe({})
    mails.length = 0
    mailRefusal = '451'
    await run(body.id)
    expect(await last(body.id)).toMatchObject({ state: DELIVERY.waiting, error: '邮件服务器暂时不收（451）' })
    mailRefusal = undefined
    await sendDue(app.kernel)
    expect(mails).toHaveLength(0)
    await sendDue(app.kernel, now() + 301)
    expect(mails).toHaveLength(1)
    mailRefusal = '550'
    await run(body.id, now() + 400)
    mailRefusal = undefined
    const failed = await last(body.id)
    expect(failed).toMatchObject({ state: DELIVERY.failed, error: '收件地址被邮件服务器拒收（550）' })
    const looking = await app.staff([HEALTH_RIGHTS.screen])
    const rev = async () => (await admin.get<{ rev: number }>(`${END}/message_delivery/${failed?.id}`)).body.rev
    expect((await looking.post(`${END}/message_delivery/${failed?.id}/resend`, { rev: await rev() })).status).toBe(403)
    expect((await admin.post(`${END}/message_delivery/${failed?.id}/resend`, { rev: await rev() })).status).toBe(200)
    await sendDue(app.kernel)
    expect(mails).toHaveLength(2)
    expect((await admin.post(`${END}/message_delivery/${failed?.id}/resend`, { rev: await rev() })).status).toBe(409)
  })

  test('an attempt that broke off is not made again by itself', async () => {
    const { body } = await subscribe({})
    await run(body.id)
    const one = await last(body.id)
    mails.length = 0
    await app.db.query(sql`update message_delivery set state = ${DELIVERY.sending}, next_at = now() - interval '1 hour' where id = ${one?.id}`)
    await sendDue(app.kernel)
    expect(mails).toHaveLength(0)
    expect(await last(body.id)).toMatchObject({ state: DELIVERY.failed, error: expect.stringContaining('不确定是否送达') })
  })

  test('quiet hours put it off', async () => {
    const { body } = await subscribe({})
    mails.length = 0
    expect((await person.put(`${MESSAGE}/contact/quiet`, { quiet_from: 22, quiet_to: 8 })).status).toBe(200)
    const night = Date.parse('2026-12-01T23:30+08:00') / 1000
    await run(body.id, night)
    expect(mails).toHaveLength(0)
    expect(await last(body.id)).toMatchObject({ state: DELIVERY.waiting, error: '免打扰时间，结束后发送' })
    await sendDue(app.kernel, night + 8.5 * 3600)
    expect(mails.length).toBeGreaterThan(0)
    await person.put(`${MESSAGE}/contact/quiet`, { quiet_from: null, quiet_to: null })
  })

  test('a group gets a number and a link, from whoever may send to groups, as often as the robot takes', async () => {
    const robot = await group('wecom', '运营群')
    expect((await subscribe({ channel_id: robot })).status).toBe(403)
    await app.grant(person.staffId, [screen, screen * 100 + 4, HEALTH_RIGHTS.id('group')])
    expect((await subscribe({ channel_id: robot, format: 'xlsx' })).status).toBe(400)
    const { body } = await subscribe({ channel_id: robot })
    said.length = 0
    await run(body.id)
    const text = JSON.stringify(said[0]?.body)
    expect(text).toContain('学生「在读」1 条')
    expect(text).toContain('https://console.example.com/new/')
    expect(text).not.toMatch(/138|张|丰/)
    await app.db.query(sql`update message_delivery set sent_at = now() where id in (select id from message_delivery where kind = 'view' and state = ${DELIVERY.sent} limit 1)`)
    for (let n = 0; n < 20; n++) await app.db.transaction({ staff_id: null }, (tx) => tx.query(sql`insert into message_delivery (title, kind, channel_id, once_key, state, sent_at) values ('x', 'test', ${robot}, ${`fill.${n}`}, ${DELIVERY.sent}, now())`))
    await run(body.id)
    expect(said).toHaveLength(1)
    expect(await last(body.id)).toMatchObject({ state: DELIVERY.waiting, error: '机器人每分钟发送已达上限，稍后发送' })
    await sendDue(app.kernel, now() + 61)
    expect(said).toHaveLength(2)
  })

  test('one click ends it, without an account; twice does no harm', async () => {
    const { body } = await subscribe({})
    mails.length = 0
    await run(body.id)
    const token = /\/new\/s\/([\w-]{22})/.exec(readable(mails[0]?.raw ?? ''))?.[1]
    const nobody = app.nobody()
    expect(await nobody.get(`/daoyuan/api/public/pages/${token}`)).toMatchObject({ status: 200, body: { title: '取消订阅', send: '取消订阅' } })
    expect(await nobody.post(`/daoyuan/api/public/pages/${token}`, {})).toMatchObject({ status: 200, body: { message: '已取消订阅，不会再收到这类消息' } })
    expect((await nobody.get(`/daoyuan/api/public/pages/${token}`)).status).toBe(404)
    expect(await app.db.query(sql`select 1 from message_subscription where id = ${body.id}`)).toEqual([])
  })
})

describe('who is told of what waits', () => {
  test('an alert goes to whoever asked and to the groups, once for each key', async () => {
    const mail = await mailChannel('告警邮箱')
    const robot = await group('feishu', '告警群', { alerts: 1 })
    const person = await confirmed(await app.staff([screenId('/operate/monitor/index')]), 'alert@example.com')
    expect((await person.post(`${MESSAGE}/subscriptions`, { kind: 'alert', channel_id: robot })).status).toBe(403)
    expect((await person.post(`${MESSAGE}/subscriptions`, { kind: 'alert', channel_id: mail })).status).toBe(200)
    mails.length = said.length = 0
    const tell = () => app.db.transaction({ staff_id: null, silent: true }, (tx) => tellOutside(tx, { staffId: person.staffId, title: '告警：收入骤降', to: '/operate/monitor/detail?id=1', key: '1.1' }))
    await tell()
    await tell()
    await sendDue(app.kernel)
    expect(mails).toHaveLength(1)
    expect(said).toHaveLength(1)
    expect(JSON.stringify(said[0]?.body)).toContain('收入骤降')
  })

  test('nothing waits: nothing is sent; what waits comes as numbers', async () => {
    const mail = await mailChannel('待办邮箱')
    const person = await confirmed(await app.staff([]), 'todo@example.com')
    const { body } = await person.post<{ id: number }>(`${MESSAGE}/subscriptions`, { kind: 'inbox', channel_id: mail })
    mails.length = 0
    await run(body.id)
    expect(await last(body.id)).toMatchObject({ state: DELIVERY.dropped, error: '没有待办，不发送' })
    await app.db.query(sql`insert into job (staff_id, kind, title, input, status, finished_at, error) values (${person.staffId}, 'export', '导出', '{}', 'failed', now(), 'x')`)
    await run(body.id)
    expect(readable(mails[0]?.raw ?? '')).toContain('待我处理 1 项')
  })

  test('an address is somebody’s only after a code, of the company’s domains, and codes cannot be guessed', async () => {
    await mailChannel('验证邮箱')
    const person = await app.staff([])
    expect(await person.put(`${MESSAGE}/contact`, { email: 'x@gmail.com' })).toMatchObject({ status: 400, body: { fields: { email: expect.stringContaining('example.com') } } })
    await person.put(`${MESSAGE}/contact`, { email: 'New@Example.com' })
    const code = /验证码是 (\d{6})/.exec(readable(mails.at(-1)?.raw ?? ''))?.[1] ?? ''
    const wrong = code === '000000' ? '111111' : '000000'
    for (let n = 0; n < 5; n++) expect((await person.post(`${MESSAGE}/contact/confirm`, { code: wrong })).status).toBe(400)
    expect(await person.post(`${MESSAGE}/contact/confirm`, { code })).toMatchObject({ status: 400, body: { fields: { code: '验证码已失效，请重新发送' } } })
    for (let n = 0; n < 4; n++) await person.put(`${MESSAGE}/contact`, { email: 'new@example.com' })
    expect(await person.put(`${MESSAGE}/contact`, { email: 'new@example.com' })).toMatchObject({ status: 400, body: { detail: expect.stringContaining('过于频繁') } })
  })
})
