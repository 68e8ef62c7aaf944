import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { file } from '../field/file.ts'
import { openTestApp, screenId, type Caller, type TestApp } from '../testing/app.server.ts'
import { attachFiles } from '../resource/attach.server.ts'
import { browserHeaders, fetchPath, photograph, png, upload, video } from '../testing/uploads.server.ts'

const STAFF = screenId('/userManagement/staff')
const PARTNER = screenId('/new-study-room/partner')

let app: TestApp
let admin: Caller
let owner: Caller
let stranger: Caller
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.login()
  owner = await app.staff([])
  stranger = await app.staff([])
})
afterAll(() => app.close())

test('nobody uploads or fetches without a session, or without our page', async () => {
  expect((await upload(app, app.nobody(), 'image', 'a.png', png())).status).toBe(401)
  expect((await upload(app, owner, 'image', 'a.png', png(), { 'x-csrf-token': 'wrong' })).status).toBe(403)
  const { body } = await upload(app, owner, 'image', 'a.png', png())
  expect((await fetchPath(app, app.nobody(), body.url)).statusCode).toBe(401)
})

test('an upload answers where it is served, with headers that let it do no harm', async () => {
  const content = png()
  const { status, body } = await upload(app, owner, 'image', '校徽.png', content)
  expect(status).toBe(200)
  expect(body).toEqual({ id: expect.any(String), name: '校徽.png', type: 'image/png', bytes: content.length, url: `/daoyuan/api/end/files/${body.id}` })
  const answer = await fetchPath(app, owner, body.url)
  expect(answer.rawPayload.equals(content)).toBe(true)
  expect(answer.headers).toMatchObject({
    'content-type': 'image/png', 'x-content-type-options': 'nosniff', 'cache-control': 'private, no-cache', 'content-length': String(content.length),
    'content-disposition': "inline; filename=\"__.png\"; filename*=UTF-8''%E6%A0%A1%E5%BE%BD.png",
  })
  expect(answer.headers['content-security-policy']).toContain('sandbox')
  for (const part of ["default-src 'none'", "object-src 'none'", "base-uri 'none'", "form-action 'none'"]) expect(answer.headers['content-security-policy']).toContain(part)
  expect((await fetchPath(app, owner, `${body.url}?download=1`)).headers['content-disposition']).toMatch(/^attachment;/)
})

/** The first bytes of files of each type, by name. */
const BEGINNINGS: readonly (readonly [kind: string, name: string, content: Buffer, type: string])[] = [
  ['audio', '听力.mp3', Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'), Buffer.from('fffb9064', 'hex'), Buffer.alloc(600)]), 'audio/mpeg'],
  ['audio', '跟读.m4a', Buffer.concat([Buffer.from('0000001c667479704d344120000000004d344120', 'hex'), Buffer.from('isom\0\0\0\0', 'latin1')]), 'audio/mp4'],
  ['audio', '录音.m4a', video(), 'audio/mp4'],
  ['audio', '单词.wav', Buffer.concat([Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1'), Buffer.alloc(32)]), 'audio/wav'],
  ['audio', '口语.webm', webm('A_OPUS'), 'audio/webm'],
  ['subtitle', '第一课.vtt', Buffer.from('WEBVTT\n\n00:01.000 --> 00:02.000\n你好\n'), 'text/vtt'],
  ['subtitle', '第一课.srt', Buffer.from('1\r\n00:00:01,000 --> 00:00:02,000\r\n你好\r\n'), 'application/x-subrip'],
  ['footage', '原片.mov', Buffer.concat([Buffer.from('0000001466747970717420200000000071742020', 'hex'), Buffer.alloc(32)]), 'video/quicktime'],
  ['footage', '原片.mkv', webm('V_VP9', 'matroska'), 'video/matroska'],
  ['print', '印刷.pdf', Buffer.from('%PDF-1.7\n'), 'application/pdf'],
]

/** The header of an EBML file that names its document type and one codec. */
function webm(codec: string, type = 'webm'): Buffer {
  const element = (id: string, body: Buffer) => Buffer.concat([Buffer.from(id, 'hex'), Buffer.from([0x80 | body.length]), body])
  return Buffer.concat([element('1a45dfa3', element('4282', Buffer.from(type))), Buffer.from('18538067', 'hex'), Buffer.from([0xff]), element('86', Buffer.from(codec))])
}

test.each(BEGINNINGS)('%s: %s is taken for what its content is', async (kind, name, content, type) => {
  const { status, body } = await upload(app, owner, kind, name, content)
  expect([status, body.type, body.name], body.detail).toEqual([200, type, name])
})

test.each([
  ['audio', 'a.mp3', png(), '文件内容与扩展名 .mp3 不符'],
  ['audio', 'a.webm', webm('V_VP9'), '文件中有视频画面，请导出为音频后上传'],
  ['audio', 'a.mp4', video(), '不支持这种文件'],
  ['video', 'a.mp3', BEGINNINGS[0]?.[2] ?? '', '不支持这种文件'],
  ['subtitle', 'a.vtt', '00:01.000 --> 00:02.000', 'VTT 字幕应以 WEBVTT 开头'],
  ['subtitle', 'a.srt', '没有时间', 'SRT 字幕中没有时间轴'],
  ['footage', 'a.mov', png(), '文件内容与扩展名 .mov 不符'],
  ['print', 'a.pdf', png(), '文件内容与扩展名 .pdf 不符'],
] as const)('%s: %s is refused that is not what it is called', async (kind, name, content, words) => {
  const { status, body } = await upload(app, owner, kind, name, content)
  expect([status, body.detail]).toEqual([400, words])
})

test('only pictures, films and PDF are shown; everything else is saved', async () => {
  const csv = await upload(app, owner, 'file', 'a.csv', '<script>alert(1)</script>,1\n')
  expect((await fetchPath(app, owner, csv.body.url)).headers).toMatchObject({ 'content-type': 'text/csv', 'x-content-type-options': 'nosniff' })
  expect((await fetchPath(app, owner, csv.body.url)).headers['content-disposition']).toMatch(/^attachment;/)
  const pdf = await upload(app, owner, 'file', 'a.pdf', '%PDF-1.7\n')
  const shown = await fetchPath(app, owner, pdf.body.url)
  expect(shown.headers['content-disposition']).toMatch(/^inline;/)
  // The viewers of browsers do not work in a sandbox.
  expect(shown.headers['content-security-policy']).not.toContain('sandbox')
})

test.each([
  ['another picture under a false ending', 'image', 'a.png', photograph(), '文件内容与扩展名 .png 不符'],
  ['a page that calls itself a picture', 'image', 'a.png', Buffer.from('<html><script>1</script></html>'), '不支持这种文件'],
  ['a page that calls itself an SVG', 'image', 'a.svg', Buffer.from('<html xmlns="http://www.w3.org/1999/xhtml"/>'), '不是 SVG 图片'],
  ['an SVG that runs a script', 'image', 'a.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'), 'SVG 不能包含 script 元素'],
  ['an SVG in an encoding that hides', 'image', 'a.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>', 'utf16le'), 'SVG'],
  ['a picture that unfolds without end', 'image', 'a.png', png(50_000, 50_000), '图片不能超过 50 百万像素'],
  ['a broken picture', 'image', 'a.jpg', photograph().subarray(0, 60), '图片已损坏，请重新导出后上传'],
  ['a PDF as a picture', 'image', 'a.pdf', Buffer.from('%PDF-1.7\n'), '不支持这种文件'],
  ['a program', 'file', 'a.exe', Buffer.from('4d5a90000300000004000000ffff0000', 'hex'), '不支持这种文件'],
  ['too large a picture', 'image', 'a.png', Buffer.concat([png(), Buffer.alloc(5 * 1024 * 1024)]), '文件不能超过 5 MB'],
  ['an unknown kind', 'constructor', 'a.png', png(), '请说明上传的是哪种文件'],
])('refuses %s', async (_name, kind, name, content, detail) => {
  const answer = await upload(app, owner, kind, name, content)
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(answer.status).toBeLessThan(500)
  expect(answer.body.detail).toContain(detail)
})

test('a refused upload gets its answer over a real connection, which then does not hold up a server that stops', async () => {
  const second = await openTestApp()
  const person = await second.staff([])
  await second.http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = second.http.server.address() as AddressInfo
  for (const [caller, expected] of [[person, { detail: '文件不能超过 5 MB' }], [second.nobody(), { detail: '错误的token' }]] as const) {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(40 * 1024 * 1024)]), 'a.png')
    const answer = await fetch(`http://127.0.0.1:${port}/daoyuan/api/end/files?kind=image`, { method: 'POST', body: form, headers: browserHeaders(caller) })
    expect(await answer.json()).toEqual(expected)
  }
  await second.close()
})

test('a path in the name leads nowhere', async () => {
  const { body } = await upload(app, owner, 'image', '../../../dist/index.png', png())
  expect(body.name).toBe('index.png')
})

test('a photograph loses what it tells about its place', async () => {
  const { body } = await upload(app, owner, 'image', 'a.jpg', photograph({ secret: 'GPS-SECRET' }))
  const { rawPayload } = await fetchPath(app, owner, body.url)
  expect(rawPayload.includes('GPS-SECRET')).toBe(false)
  expect(rawPayload.length).toBe(body.bytes)
})

test('parts, unchanged files and the head alone', async () => {
  const content = png()
  const { body } = await upload(app, owner, 'image', 'a.png', content)
  const part = await fetchPath(app, owner, body.url, { range: 'bytes=4-7' })
  expect(part.statusCode).toBe(206)
  expect(part.headers['content-range']).toBe(`bytes 4-7/${content.length}`)
  expect(part.rawPayload.equals(content.subarray(4, 8))).toBe(true)
  const beyond = await fetchPath(app, owner, body.url, { range: 'bytes=9999-' })
  expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, `bytes */${content.length}`])
  const etag = String(part.headers['etag'])
  const same = await fetchPath(app, owner, body.url, { 'if-none-match': etag })
  expect([same.statusCode, same.payload]).toEqual([304, ''])
  const changed = await fetchPath(app, owner, body.url, { range: 'bytes=4-7', 'if-range': '"another"' })
  expect([changed.statusCode, changed.rawPayload.length]).toEqual([200, content.length])
  const head = await fetchPath(app, owner, body.url, {}, 'HEAD')
  expect([head.statusCode, head.headers['content-length'], head.payload]).toEqual([200, String(content.length), ''])
})

test('a file is its owner\'s until it is opened to others', async () => {
  const { files } = app.kernel
  const { body } = await upload(app, owner, 'image', 'a.png', png())
  const hidden = await fetchPath(app, stranger, body.url)
  const missing = await fetchPath(app, stranger, '/daoyuan/api/end/files/00000000-0000-4000-8000-000000000000')
  expect(hidden.statusCode).toBe(404)
  expect(hidden.payload).toBe(missing.payload)
  expect((await fetchPath(app, admin, body.url)).statusCode).toBe(404)
  expect((await fetchPath(app, stranger, body.url, { 'if-none-match': '*' })).statusCode).toBe(404)

  async function* content() {
    yield Buffer.from('x')
  }
  const granted = await files.put(content(), { name: 'a.txt', staffId: owner.staffId, grant: PARTNER })
  const partnerViewer = await app.staff([PARTNER])
  expect((await fetchPath(app, partnerViewer, `/daoyuan/api/end/files/${granted.id}`)).statusCode).toBe(200)
  expect((await fetchPath(app, stranger, `/daoyuan/api/end/files/${granted.id}`)).statusCode).toBe(404)
})

const person = (n: number, more: Record<string, unknown> = {}) => ({ account: `file_${n}`, name: `某人${n}`, mobile: `1350000000${n}`, role: 'operator', ...more })

test('saving a record opens its files to whoever may see such records; nobody can use another\'s private file', async () => {
  const clerk = await app.staff([STAFF, STAFF * 100 + 1])
  const { body: own } = await upload(app, clerk, 'image', 'a.png', png())
  const { body: foreign } = await upload(app, owner, 'image', 'a.png', png())

  const stolen = await clerk.post('/daoyuan/api/end/staffs', person(1, { avatar: foreign.url }))
  expect(stolen.status).toBe(400)
  expect(stolen.body).toMatchObject({ fields: { avatar: '头像引用的文件不存在或不属于您，请重新上传' } })
  expect(await app.kernel.files.find(foreign.id)).toMatchObject({ screens: [] })
  // Not even by those who hold everything: they cannot fetch it either.
  expect((await admin.post('/daoyuan/api/end/staffs', person(1, { avatar: foreign.url }))).status).toBe(400)
  const absent = await clerk.post('/daoyuan/api/end/staffs', person(1, { avatar: '/daoyuan/api/end/files/00000000-0000-4000-8000-000000000000' }))
  expect(absent.status).toBe(400)

  const made = await clerk.post<{ id: number; avatar: string }>('/daoyuan/api/end/staffs', person(1, { avatar: own.url }))
  expect(made.status).toBe(200)
  expect(await app.kernel.files.find(own.id)).toMatchObject({ screens: [STAFF] })
  expect((await fetchPath(app, await app.staff([STAFF]), own.url)).statusCode).toBe(200)

  // A person who may fetch it may use it again, once it is there nothing is added.
  const colleague = await app.staff([STAFF, STAFF * 100 + 1])
  expect((await colleague.post('/daoyuan/api/end/staffs', person(2, { avatar: own.url }))).status).toBe(200)
  expect(await app.kernel.files.find(own.id)).toMatchObject({ screens: [STAFF] })
})

test('a contract is for whoever may see partners, and only from when the partner is saved', async () => {
  const clerk = await app.staff([PARTNER, PARTNER * 100 + 1])
  const viewer = await app.staff([PARTNER])
  const { body } = await upload(app, clerk, 'file', '合同.pdf', '%PDF-1.7\n')
  expect((await fetchPath(app, viewer, body.url)).statusCode).toBe(404)
  const [type] = await app.db.query<{ id: number }>(sql`select id from room_type limit 1`)
  const made = await clerk.post('/daoyuan/api/end/self_study_room/partner', {
    name: '西湖教育', contact: '张三', mobile: '13800001111', region_code: '330106', level: 2, type_id: type?.id, sign_at: 1_760_000_000, expire_at: 1_860_000_000, contract_file: body.url,
  })
  expect(made.body).toMatchObject({ contract_file: body.url })
  expect((await fetchPath(app, viewer, body.url)).statusCode).toBe(200)
  expect((await fetchPath(app, stranger, body.url)).statusCode).toBe(404)

  // On another screen it may be shown by those who may fetch it, and by nobody else.
  const elsewhere = { fields: { contract: file('合同') }, grant: 9901 }
  const claim = (caller: Caller) => app.db.transaction({ staff_id: caller.staffId }, (tx) => attachFiles(tx, elsewhere, { contract: body.url }, caller.staffId))
  await expect(claim(stranger)).rejects.toThrow('合同引用的文件不存在或不属于您')
  await claim(viewer)
  expect(await app.kernel.files.find(body.id)).toMatchObject({ screens: [PARTNER, 9901] })
})

test('a picture of a colleague is seen by everybody, until it is replaced', async () => {
  const clerk = await app.staff([STAFF, STAFF * 100 + 1])
  const { body } = await upload(app, clerk, 'image', 'a.png', png())
  const made = await clerk.post<{ id: number }>('/daoyuan/api/end/staffs', person(3, { avatar: body.url }))
  expect((await fetchPath(app, stranger, body.url)).statusCode).toBe(200)
  await app.kernel.db.query(sql`update staff set avatar = null where id = ${made.body.id}`)
  expect((await fetchPath(app, stranger, body.url)).statusCode).toBe(404)
})

test('a file of another kind does not become a picture', async () => {
  const clerk = await app.staff([STAFF, STAFF * 100 + 1])
  const { body } = await upload(app, clerk, 'file', 'a.pdf', '%PDF-1.7\n')
  const answer = await clerk.post('/daoyuan/api/end/staffs', person(4, { avatar: body.url }))
  expect(answer.body).toMatchObject({ fields: { avatar: '头像的文件类型或大小不符，请重新上传' } })
  expect(await app.kernel.files.find(body.id)).toMatchObject({ screens: [] })
})
