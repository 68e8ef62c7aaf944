import { Readable } from 'node:stream'
import fc from 'fast-check'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fileUrl } from '../../core/file/url.ts'
import { standardId } from '../../core/grant/grant.ts'
import { jobOver } from '../../core/testing/jobs.server.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { courseLines } from './lines.ts'

const DAY = 86_400
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>'
/** As in modules/offer/offer.ts and modules/order/flow.ts. */
const S = { draft: 1, waiting: 2, selling: 3, off: 4, archived: 5 }
const [sync] = courseLines
if (!sync?.textbooks || !sync.series) throw new Error('the first line has textbooks and series')
const { textbooks, series, offers, orders, learners } = sync
const [{ api: { item: OFFER, list: OFFERS } }, { api: { item: ORDER } }, { api: { item: LEARNER, list: LEARNERS } }] = [offers, orders, learners]

let app: TestApp
let writer: Caller
let approver: Caller
let textbookId: number
let coverUrl: string
let count = 0
beforeAll(async () => {
  app = await openTestApp()
  writer = await app.staff(app.servedGrants)
  approver = await app.staff(app.servedGrants)
  const [version] = await app.db.query<{ id: number }>(sql`insert into material_version (subject_id, name, status, sort) values (1, '人教A版', 1, 1) returning id`)
  const [book] = await app.db.query<{ id: number }>(sql`insert into partwork (version_id, subject_id, name, status, sort) values (${version?.id}, 1, '必修第一册', 1, 1) returning id`)
  const answer = await writer.post<WireRow>(textbooks.api.item, { subject_id: 1, partwork_id: book?.id, name: '人教A版 必修第一册', status: 1, sort: 10 })
  expectSuccess(answer)
  textbookId = answer.body.id
  const { id } = await app.kernel.files.put(Readable.from([Buffer.from(SVG)]), { name: '封面.svg', staffId: writer.staffId })
  coverUrl = fileUrl(id)
})
afterAll(() => app.close())

const course = (more: Record<string, unknown> = {}) => ({ title: `同步精讲${++count}`, subject_id: 1, textbook_id: textbookId, price: 299_00, valid_mode: 1, valid_days: 365, cover: coverUrl, ...more })

async function newCourse(more?: Record<string, unknown>): Promise<WireRow> {
  const answer = await writer.post<WireRow>(OFFER, course(more))
  expectSuccess(answer)
  return answer.body
}

const act = (caller: Caller, id: number, action: string, body: Record<string, unknown> = {}) => caller.post<WireRow>(`${OFFER}/${id}/${action}`, body)
const stateOf = async (id: number) => (await writer.get<WireRow>(`${OFFER}/${id}`)).body['state']

/** A course on sale. */
async function onSale(more?: Record<string, unknown>): Promise<WireRow> {
  const { id } = await newCourse(more)
  expectSuccess(await act(writer, id, 'submit'))
  const answer = await act(approver, id, 'approve')
  expectSuccess(answer)
  return answer.body
}

const mobile = () => `139${String(20_000_000 + ++count)}`

/** Buys pieces of a course and pays for them. */
async function buy(offerId: number, number: string, qty = 1): Promise<WireRow> {
  const answer = await writer.post<WireRow>(ORDER, { order_info: { items: [{ kind: 'offer', ref_id: offerId, qty }] }, user_info: { mobile: number, name: '林小满' } })
  expectSuccess(answer)
  const paid = await writer.post<WireRow>(`${ORDER}/${answer.body.id}/pay`, { amount: answer.body['amount'], channel: 'wechat' })
  expectSuccess(paid)
  return paid.body
}

interface Spell { id: number; status: number; start_at: number; expire_at: number; user_id: number; ref: string; rev: number }
const spells = (number: string) => app.db.query<Spell & Record<string, unknown>>(sql`select e.id, e.status, e.start_at, e.expire_at, e.user_id, e.ref, e.rev from entitlement e join app_user u on u.id = e.user_id
  where u.mobile = ${number} and e.deleted_at is null order by e.start_at, e.id`)
const days = ({ start_at, expire_at }: Spell) => Math.round((expire_at - start_at) / DAY)

describe('a course and the shelf', () => {
  test('what it lacks is named before it is submitted, and a second person passes it', async () => {
    const { id } = await newCourse({ cover: null, valid_days: null })
    const check = await writer.get<{ passes: boolean; items: { label: string; ok: boolean; must: boolean }[] }>(`${OFFER}/${id}/check`)
    expect(check.body.passes).toBe(false)
    expect(check.body.items.filter(({ ok, must }) => must && !ok).map(({ label }) => label)).toEqual(['封面', '有效期'])
    expect((await act(writer, id, 'submit')).body['detail']).toBe('还不能上架：请上传封面；请填写有效天数')
    expectSuccess(await writer.put(`${OFFER}/${id}`, { cover: coverUrl, valid_days: 365 }))
    expectSuccess(await act(writer, id, 'submit'))
    expect((await act(writer, id, 'approve')).body['detail']).toContain('提交人不能审核自己提交的课程')
    expectRefusal(await writer.put(`${OFFER}/${id}`, { title: '审核中改名' }), [400, 403, 409])
    expectSuccess(await act(approver, id, 'approve'))
    expectSuccess(await writer.put(`${OFFER}/${id}`, { status: 0 }))
    expect(await stateOf(id)).toBe(S.off)
    expectSuccess(await writer.put(`${OFFER}/${id}`, { status: 1 }))
    expect(await stateOf(id)).toBe(S.selling)
  })

  test('a textbook that is taken off keeps its courses off the shelf', async () => {
    const { id } = await onSale()
    expectSuccess(await writer.put(`${OFFER}/${id}`, { status: 0 }))
    expectSuccess(await writer.put(`${textbooks.api.item}/${textbookId}`, { status: 0 }))
    expect((await writer.put(`${OFFER}/${id}`, { status: 1 })).body['detail']).toBe('还不能上架：所用教材还没有上架')
    expectSuccess(await writer.put(`${textbooks.api.item}/${textbookId}`, { status: 1 }))
    expectSuccess(await writer.put(`${OFFER}/${id}`, { status: 1 }))
  })

  test('a price below half of the one before waits for a second person; others are set at once, and set back', async () => {
    const [one, other] = [await onSale({ price: 400_00 }), await onSale({ price: 400_00 })]
    const { body } = await writer.put<{ items: { id: number; rev: number; before: number; waits: boolean }[]; undo: number }>(`${OFFERS}/prices`, { items: [{ id: one.id, rev: one.rev, price: 200_00 }, { id: other.id, rev: other.rev, price: 199_99 }], reason: '开学活动' })
    expect(body.items).toMatchObject([{ id: one.id, before: 400_00, waits: false }, { id: other.id, before: 400_00, waits: true }])
    expect([await stateOf(one.id), await stateOf(other.id)]).toEqual([S.selling, S.waiting])
    expectRefusal(await act(writer, other.id, 'approve'), [403, 409])
    expectSuccess(await act(approver, other.id, 'approve'))
    const [changed] = body.items
    expectSuccess(await writer.post(`/daoyuan/api/end/undo/${body.undo}`))
    expectRefusal(await writer.put(`${OFFERS}/prices`, { items: [{ id: one.id, rev: changed?.rev, price: 1_00 }], reason: '看到的是旧价' }), 409)
  })

  test('whatever is changed and decided in whatever order: what is on sale passes the check, and nobody passes what they submitted', async () => {
    const edit = fc.constantFrom<Record<string, unknown>>({ cover: null }, { cover: coverUrl }, { price: 90_00 }, { price: 400_00 }, { line_price: 100_00 }, { line_price: null }, { valid_days: null }, { valid_days: 30 }, { valid_mode: 2, valid_until: 1_000_000_000 }, { valid_mode: 1 }, { status: 1 }, { status: 0 })
    const command = fc.oneof(edit.map((values) => ({ values })), fc.record({ act: fc.constantFrom('submit', 'approve', 'reject', 'shelve', 'unshelve'), by: fc.boolean() }))
    await fc.assert(fc.asyncProperty(fc.array(command, { minLength: 4, maxLength: 14 }), async (commands) => {
      const { id } = await onSale()
      for (const one of commands) {
        if ('values' in one) await writer.put(`${OFFER}/${id}`, one.values)
        else {
          const caller = one.by ? writer : approver
          const { body: before } = await caller.get<WireRow>(`${OFFER}/${id}`)
          const { status } = await act(caller, id, one.act, { reason: '再看看' })
          if (one.act === 'approve' && before['submitted_by'] === caller.staffId) expect(status).not.toBe(200)
        }
        if (await stateOf(id) === S.selling) expect((await writer.get<{ items: { ok: boolean; must: boolean; detail: string | null }[] }>(`${OFFER}/${id}/check`)).body.items.filter(({ ok, must }) => must && !ok)).toEqual([])
      }
    }), { numRuns: 25 })
  })

  test('what was on sale once is never removed, though a second person sent it back', async () => {
    const { id } = await onSale({ price: 400_00 })
    const number = mobile()
    await buy(id, number)
    expectSuccess(await writer.put(`${OFFER}/${id}`, { price: 100_00 }))
    expectSuccess(await act(approver, id, 'reject', { reason: '降得太多' }))
    expect((await writer.delete(`${OFFER}/${id}`)).status).not.toBe(200)
    expect((await spells(number)).map(({ status }) => status)).toEqual([1])
  })

  test('what somebody still learns from is not put away, and nothing that was on sale is removed', async () => {
    const { id } = await onSale()
    const number = mobile()
    const order = await buy(id, number)
    expectSuccess(await act(writer, id, 'unshelve'))
    expect((await act(writer, id, 'archive')).body['detail']).toBe('还有 1 名学员在有效期内，不能归档')
    expect((await writer.delete(`${OFFER}/${id}`)).body['detail']).toContain('只有草稿可以删除')
    expectSuccess(await writer.post(`${ORDER}/${order.id}/refund`, { amount: 299_00, way: 'original', reason: '不想学了' }))
    expectSuccess(await act(writer, id, 'archive'))
    expect(await stateOf(id)).toBe(S.archived)
  })

  test('a copy is a draft of its own', async () => {
    const { id, title } = await onSale()
    const { body } = await act(writer, id, 'duplicate')
    expect(body).toMatchObject({ title: `${String(title)}（副本）`, state: S.draft, price: 299_00, valid_days: 365 })
  })

  test('a series shows courses of its subject in its order', async () => {
    const { body } = await writer.post<WireRow>(series.api.item, { name: `数学提分${++count}`, subject_id: 1, status: 1, sort: 10 })
    const [one, other] = [await onSale({ price: 500_00 }), await onSale({ price: 300_00 })]
    expectSuccess(await writer.put(`${series.api.item}/${body.id}/offers`, { offer_ids: [other.id, one.id] }))
    const { body: shown } = await writer.get<{ items: { id: number; chosen: boolean }[] }>(`${series.api.item}/${body.id}/offers`)
    expect(shown.items.filter(({ chosen }) => chosen).map(({ id }) => id)).toEqual([other.id, one.id])
    expect((await writer.get<WireRow>(`${series.api.item}/${body.id}`)).body).toMatchObject({ offer_cnt: 2, price_from: 300_00 })
    expectFieldRefusal(await writer.put(`${series.api.item}/${body.id}/offers`, { offer_ids: [999_999] }), 400, 'offer_ids')
  })
})

describe('outlines', () => {
  test('the courses of a textbook share its outline, and its published lessons are what the shelf looks at', async () => {
    const { body } = await writer.post<{ outline_id: number }>(`${textbooks.api.item}/${textbookId}/outline`)
    expect((await approver.post<{ outline_id: number }>(`${textbooks.api.item}/${textbookId}/outline`)).body).toEqual(body)
    const path = `/daoyuan/api/end/outlines/${body.outline_id}`
    const { body: empty } = await writer.get<{ rev: number; title: string; note: string }>(path)
    expect(empty).toMatchObject({ title: '人教A版 必修第一册', note: '数学（高中）' })
    const { id } = await newCourse()
    const adviceOf = async () => (await writer.get<{ items: { label: string; ok: boolean }[] }>(`${OFFER}/${id}/check`)).body.items.find(({ label }) => label === '目录')?.ok
    expect(await adviceOf()).toBe(false)
    const node = { key: 'lesson-1', parent: null, ord: 'a0', kind: 4, name: '集合的概念', free: 2, trial_minutes: null, unlock: 0, unlock_score: null, open_at: null, label_ids: [], chapter_id: null }
    expectSuccess(await writer.post(`${path}/changes`, { rev: empty.rev, changes: [{ do: 'add', nodes: [node] }] }))
    const { body: impact } = await writer.get<{ token: string }>(`${path}/impact`)
    expectSuccess(await writer.post(`${path}/publish`, { token: impact.token }))
    expect(await adviceOf()).toBe(true)
    expectRefusal(await (await app.staff([textbooks.grant])).post(`${textbooks.api.item}/${textbookId}/outline`), 403)
  })
})

describe('orders', () => {
  test('what is paid for is opened, bought again it follows, and a refund takes back what it opened', async () => {
    const { id } = await onSale({ valid_days: 30 })
    const number = mobile()
    const first = await buy(id, number)
    await buy(id, number, 2)
    const [one, two] = await spells(number)
    expect([one && days(one), two && days(two)]).toEqual([30, 60])
    expect(two?.start_at).toBe(one?.expire_at)
    expectSuccess(await writer.post(`${ORDER}/${first.id}/refund`, { amount: 299_00, way: 'original', reason: '买重了' }))
    const [back, moved] = await spells(number)
    expect(back?.status).toBe(3)
    expect(moved && days(moved)).toBe(60)
    // Nothing runs before it any more, so it begins now.
    expect(Math.abs((moved?.start_at ?? 0) - Date.now() / 1000)).toBeLessThan(60)
  })

  test('a day that is the same for everybody is not moved on', async () => {
    const until = Math.floor(Date.now() / 1000) + 90 * DAY
    const { id } = await onSale({ valid_mode: 2, valid_until: until, valid_days: null })
    const number = mobile()
    await buy(id, number)
    await buy(id, number)
    expect((await spells(number)).map(({ expire_at }) => expire_at)).toEqual([until, until])
  })

  test('the last piece is sold once, however many want it, and comes back with a refund', async () => {
    const { id } = await onSale({ stock: 1 })
    const wants = await Promise.all(Array.from({ length: 5 }, () => writer.post<WireRow>(ORDER, { order_info: { items: [{ kind: 'offer', ref_id: id, qty: 1 }] }, package_price: { paid: 299_00, pay_channel: 'wechat' }, user_info: { mobile: mobile(), name: '林小满' } })))
    expect(wants.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1)
    expect((await writer.get<WireRow>(`${OFFER}/${id}`)).body).toMatchObject({ stock: 0, sale_state: '售罄' })
    const sold = wants.find(({ status }) => status === 200)
    expectSuccess(await writer.post(`${ORDER}/${sold?.body.id}/refund`, { amount: 299_00, way: 'original', reason: '不想学了' }))
    expect((await writer.get<WireRow>(`${OFFER}/${id}`)).body['stock']).toBe(1)
  })

  test('nobody buys more than is allowed, and nothing that is not on sale', async () => {
    const { id } = await onSale({ buy_limit: 1 })
    const number = mobile()
    await buy(id, number)
    const again = { order_info: { items: [{ kind: 'offer', ref_id: id, qty: 1 }] }, user_info: { mobile: number, name: '林小满' } }
    expect((await writer.post(ORDER, again)).body['detail']).toMatch(/每人限购 1 份，该用户已购 1 份/)
    const draft = await newCourse()
    expectRefusal(await writer.post(ORDER, { ...again, order_info: { items: [{ kind: 'offer', ref_id: draft.id, qty: 1 }] } }), 400)
  })
})

describe('learners', () => {
  const open = (offer_id: number, mobiles: readonly string[]) => ({ offer_id, mobiles, source: 3 })

  test('pasted numbers are judged line by line, opened as a job, and taken back within a day', async () => {
    const { id } = await onSale({ valid_days: 30 })
    const [running, fresh] = [mobile(), mobile()]
    await buy(id, running)
    const { body: preview } = await writer.post<{ rows: { row: number; state: string; reason: string | null }[]; counts: Record<string, number> }>(`${LEARNERS}/open/preview`, open(id, [running, fresh, '1380', fresh]))
    expect(preview.counts).toEqual({ new: 1, known: 0, goes_on: 1, bad: 2 })
    expect(preview.rows.map(({ state }) => state)).toEqual(['goes_on', 'new', 'bad', 'bad'])
    const { body } = await writer.post<{ job_id: number }>(`${LEARNERS}/open`, { ...open(id, [running, fresh, '1380', fresh]), reason: '补偿课程' })
    const job = await jobOver(writer, body.job_id)
    expect(job.result).toMatchObject({ opened: 2, left_out: [{ row: 3 }, { row: 4 }] })
    const [, second] = await spells(running)
    expect(second && days(second)).toBe(30)
    expect(await spells(fresh)).toHaveLength(1)
    const [row] = await spells(fresh)
    const { body: origin } = await writer.get<{ source: string; title: string; staff_name: string | null }>(`${LEARNER}/${row?.id}/origin`)
    expect(origin).toMatchObject({ source: '后台开通', title: '批量开通：补偿课程' })
    expectRefusal(await writer.post(`${LEARNERS}/open`, { ...open(id, ['1380']), reason: '全是错的' }), 400)
    expectSuccess(await writer.post(`${LEARNERS}/open/${body.job_id}/undo`, { reason: '选错课程' }))
    expect(await spells(fresh)).toEqual([])
    expect(await spells(running)).toHaveLength(1)
    expectRefusal(await writer.post(`${LEARNERS}/open/${body.job_id}/undo`, { reason: '再撤一次' }), 409)
  })

  test('more time moves on what follows it; stopped, it is not extended', async () => {
    const { id } = await onSale({ valid_days: 30 })
    const number = mobile()
    await buy(id, number)
    await buy(id, number)
    const [one] = await spells(number)
    const was = await spells(number)
    const both = await writer.post<{ undo: number }>(`${LEARNERS}/extend`, { ids: was.map((spell) => spell.id), days: 5, reason: '服务故障补偿' })
    expect((await spells(number)).map((spell) => days(spell))).toEqual([35, 35])
    const { body: taken } = await writer.post<{ job_id: number }>(`/daoyuan/api/end/undo/${both.body.undo}`)
    await jobOver(writer, taken.job_id)
    const times = (rows: typeof was) => rows.map(({ id: spell, start_at, expire_at }) => [spell, start_at, expire_at])
    expect(times(await spells(number))).toEqual(times(was))
    expectSuccess(await writer.post(`${LEARNERS}/extend`, { ids: [one?.id], days: 10, reason: '服务故障补偿' }))
    const [first, second] = await spells(number)
    expect([first && days(first), second && days(second), second?.start_at]).toEqual([40, 30, first?.expire_at])
    expectSuccess(await writer.post(`${LEARNER}/${first?.id}/stop`, { reason: '违规分享' }))
    expectRefusal(await writer.post(`${LEARNERS}/extend`, { ids: [first?.id], days: 1, reason: '再给一天' }), 409)
    expectSuccess(await writer.post(`${LEARNER}/${first?.id}/resume`, { reason: '已经说明' }))
  })

  test('what somebody may use goes to another number; the order says why they are entitled', async () => {
    const { id } = await onSale()
    const [number, next] = [mobile(), mobile()]
    const order = await buy(id, number)
    const [one] = await spells(number)
    const { body: origin } = await writer.get<{ title: string; path: string }>(`${LEARNER}/${one?.id}/origin`)
    expect(origin).toMatchObject({ title: `订单 ${String(order['order_no'])}`, path: `/syncCourse/order?open=${order.id}` })
    expectSuccess(await writer.post(`${LEARNER}/${one?.id}/rebind`, { mobile: next, reason: '换了手机号', rev: one?.rev }))
    expect([await spells(number), (await spells(next)).length]).toEqual([[], 1])
    // The order takes it back from whoever has it now.
    expectSuccess(await writer.post(`${ORDER}/${order.id}/refund`, { amount: 299_00, way: 'original', reason: '不想学了' }))
    expect((await spells(next))[0]?.status).toBe(3)
  })

  test('rights: looking opens nothing, opening takes nothing away', async () => {
    const { id } = await onSale()
    const number = mobile()
    await buy(id, number)
    const [one] = await spells(number)
    const [looker, opener] = [await app.staff([learners.grant]), await app.staff([learners.grant, learners.rights.id('open')])]
    expectRefusal(await looker.post(`${LEARNERS}/extend`, { ids: [one?.id], days: 1, reason: '试一试' }), 403)
    expectSuccess(await opener.post(`${LEARNERS}/extend`, { ids: [one?.id], days: 1, reason: '补偿一天' }))
    expectRefusal(await opener.post(`${LEARNER}/${one?.id}/stop`, { reason: '试一试' }), 403)
    const editor = await app.staff([offers.grant, standardId(offers.grant, 'edit')])
    expectRefusal(await act(editor, id, 'unshelve'), 403)
  })
})
