import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startOfDay } from '../../core/field/time.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import type { Meeting, OtherClass, PlannedMeeting, RollRow } from './calls.ts'
import { vacationClass, vacationLine } from './line.ts'
import { vacationMeeting } from './meeting.ts'
import { vacationMember } from './member.ts'
import { CLASS_STATE as C, MEMBER_STATE as M, ROLL } from './state.ts'

const DAY = 86_400
const NOW = Math.floor(Date.now() / 1000)
const { offers, orders, learners } = vacationLine
const [CLASS, MEMBER, MEETING, ORDER] = [vacationClass.api.item, vacationMember.api.item, vacationMeeting.api.item, orders.api.item]
let app: TestApp
let writer: Caller
let count = 0
beforeAll(async () => {
  app = await openTestApp()
  writer = await app.staff(app.servedGrants)
})
afterAll(() => app.close())

async function course(price = 1000_00): Promise<number> {
  const answer = await writer.post<WireRow>(offers.api.item, { title: `假期课${++count}`, subject_id: 1, price, valid_days: 120 })
  expectSuccess(answer)
  await app.db.query(sql`update offer set state = 3 where id = ${answer.body.id}`)
  return answer.body.id
}

async function newClass(offer_id: number, more: Record<string, unknown> = {}): Promise<WireRow> {
  const answer = await writer.post<WireRow>(CLASS, {
    name: `班${++count}`, offer_id, term: 2, year: 2026, teacher_id: writer.staffId, capacity: 2, start_on: startOfDay(NOW + DAY), meeting_count: 4, times: [{ weekday: 6, hours: '08:30-10:30' }, { weekday: 7, hours: '08:30-10:30' }], room: `教室 ${count}`, ...more,
  })
  expectSuccess(answer)
  return answer.body
}

const mobile = () => `139${String(40_000_000 + ++count)}`
const place = (offer_id: number, class_id: number, more: Record<string, unknown> = {}, number = mobile()) => writer.post<WireRow>(ORDER, { order_info: { items: [{ kind: 'offer', ref_id: offer_id, qty: 1 }] }, user_info: { mobile: number, name: '林小满', class_id, may_wait: 0, ...more } })

/** Signs somebody up and takes their money. */
async function join(offer_id: number, class_id: number, more: Record<string, unknown> = {}, number?: string): Promise<number> {
  const placed = await place(offer_id, class_id, more, number)
  expectSuccess(placed)
  expectSuccess(await writer.post(`${ORDER}/${placed.body.id}/pay`, { amount: placed.body['amount'], channel: 'wechat' }))
  return placed.body.id
}
const refund = async (order: number, amount = 1000_00) => expectSuccess(await writer.post(`${ORDER}/${order}/refund`, { amount, way: 'original', reason: '不去了' }))
const membersOf = (class_id: number) => app.db.query<{ id: number; state: number; user_id: number }>(sql`select id, state, user_id from vacation_member where class_id = ${class_id} and deleted_at is null order by id`)
const states = async (class_id: number) => (await membersOf(class_id)).map(({ state }) => state)

describe('places and the waiting list', () => {
  test('who pays for a full class waits, and moves up by themselves when a place comes free or there are more of them', async () => {
    const offer = await course()
    const { id } = await newClass(offer)
    const first = await join(offer, id)
    await join(offer, id)
    const refused = await place(offer, id)
    expectFieldRefusal(refused, 400, 'user_info.may_wait')
    expect(refused.body['detail']).toContain('班级已满（2/2）')
    for (let n = 0; n < 3; n++) await join(offer, id, { may_wait: 1 })
    expect(await states(id)).toEqual([M.in, M.in, M.waiting, M.waiting, M.waiting])
    expect((await writer.get<WireRow>(`${CLASS}/${id}`)).body).toMatchObject({ enrolled: 2, waiting: 3, seats: '已满' })
    await refund(first)
    expect(await states(id)).toEqual([M.refunded, M.in, M.in, M.waiting, M.waiting])
    expectSuccess(await writer.put(`${CLASS}/${id}`, { capacity: 3 }))
    expect(await states(id)).toEqual([M.refunded, M.in, M.in, M.in, M.waiting])
    expectFieldRefusal(await writer.put(`${CLASS}/${id}`, { capacity: 2 }), 400, 'capacity')
    expect((await writer.get<{ items: WireRow[] }>(learners.api.list, { offer_id: offer })).body.items).toHaveLength(5)
  })

  test('twenty who pay for the last places at once: nobody is in beyond the capacity', async () => {
    const offer = await course()
    const { id } = await newClass(offer, { capacity: 5 })
    const placed = await Promise.all(Array.from({ length: 20 }, () => place(offer, id, { may_wait: 1 })))
    await Promise.all(placed.map(({ body }) => writer.post(`${ORDER}/${body.id}/pay`, { amount: 1000_00, channel: 'wechat' })))
    const all = await states(id)
    expect([all.filter((state) => state === M.in).length, all.filter((state) => state === M.waiting).length]).toEqual([5, 15])
  })

  test('an order sells the course of its class once, of a class that takes people', async () => {
    const [offer, other] = [await course(), await course()]
    const { id } = await newClass(offer)
    expect((await place(other, id)).body['detail']).toContain('请只选这门课程')
    expectSuccess(await writer.post(`${CLASS}/${id}/begin`, {}))
    expect((await place(offer, id)).body['detail']).toContain('不在招生')
  })

  test('a class with people in it is not cancelled; one that ends ends for them', async () => {
    const offer = await course()
    const { id } = await newClass(offer)
    await join(offer, id)
    expect((await writer.post(`${CLASS}/${id}/cancel_class`, { reason: '人数不够' })).body['detail']).toContain('还有 1 名学员')
    expectSuccess(await writer.post(`${CLASS}/${id}/begin`, {}))
    expectSuccess(await writer.post(`${CLASS}/${id}/finish`, {}))
    expect(await states(id)).toEqual([M.finished])
    expect((await writer.get<WireRow>(`${CLASS}/${id}`)).body['state']).toBe(C.finished)
  })
})

describe('change of class', () => {
  test('a change shows price, places and what was missed; another price is refused in a sentence; the first who waits moves up', async () => {
    const [offer, dear] = [await course(), await course(1500_00)]
    const [from, to, other] = [await newClass(offer, { capacity: 1 }), await newClass(offer, { capacity: 1 }), await newClass(dear)]
    await join(offer, from.id)
    await join(offer, from.id, { may_wait: 1 })
    await join(offer, to.id)
    const [member] = await membersOf(from.id)
    const { classes } = (await writer.get<{ classes: OtherClass[] }>(`${MEMBER}/${member?.id}/changes`)).body
    expect(classes.find(({ id }) => id === to.id)).toMatchObject({ price_difference: 0, seats: 0, missed: 0, refusal: null })
    expect(classes.find(({ id }) => id === other.id)).toMatchObject({ price_difference: 500_00, refusal: '两班价格不同（需补 500.00 元），请先退费再报名' })
    expect((await writer.post(`${MEMBER}/${member?.id}/change`, { class_id: other.id, reason: '时间不合适' })).body['detail']).toContain('两班价格不同')
    expectSuccess(await writer.post(`${MEMBER}/${member?.id}/change`, { class_id: to.id, reason: '时间不合适' }))
    expect([await states(from.id), await states(to.id)]).toEqual([[M.moved, M.in], [M.in, M.waiting]])
    expectRefusal(await writer.post(`${MEMBER}/${member?.id}/change`, { class_id: to.id, reason: '再换一次' }), [400, 409])
  })

  test('a refund finds somebody in the class that they changed to', async () => {
    const offer = await course()
    const [from, to] = [await newClass(offer), await newClass(offer)]
    const order = await join(offer, from.id)
    const [member] = await membersOf(from.id)
    expectSuccess(await writer.post(`${MEMBER}/${member?.id}/change`, { class_id: to.id, reason: '换到周末' }))
    await refund(order)
    expect([await states(from.id), await states(to.id)]).toEqual([[M.moved], [M.refunded]])
  })
})

describe('timetable and roll', () => {
  const plan = (id: number, body: Record<string, unknown> = {}) => writer.post<{ meetings: PlannedMeeting[] }>(`${CLASS}/${id}/schedule/plan`, body)
  const write = (id: number, body: Record<string, unknown> = {}) => writer.post<{ meetings: Meeting[]; detail?: string }>(`${CLASS}/${id}/schedule`, body)

  test('a timetable is planned, written and planned again; what is taken twice needs a reason', async () => {
    const offer = await course()
    const own = await app.staff([])
    const [one, two] = [await newClass(offer, { teacher_id: own.staffId }), await newClass(offer, { teacher_id: own.staffId })]
    expect((await plan(one.id)).body.meetings).toHaveLength(4)
    const { meetings } = (await write(one.id)).body
    expect(meetings.map(({ name, conflicts }) => [name, conflicts])).toEqual([1, 2, 3, 4].map((n) => [`第 ${n} 次`, []]))
    const preview = await plan(two.id)
    expect(preview.body.meetings[0]?.conflicts[0]).toContain('此时在上')
    expect((await write(two.id)).body.detail).toContain('有 4 次课冲突')
    expectSuccess(await write(two.id, { reason: '由助教代课' }))
    expectSuccess(await write(one.id, { skip: [], reason: '重排' }))
    expect((await writer.get<{ meetings: Meeting[] }>(`${CLASS}/${one.id}/schedule`)).body.meetings).toHaveLength(4)
  })

  test('eight who timetable one teacher at once: one does, the others are told; whatever is moved, nobody is in two places without a reason', async () => {
    const teacher = await app.staff([])
    const offer = await course()
    const classes = await Promise.all(Array.from({ length: 8 }, () => newClass(offer, { teacher_id: teacher.staffId, meeting_count: 1, times: [{ weekday: 6, hours: '08:30-10:30' }] })))
    const answers = await Promise.all(classes.map(({ id }) => write(id)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 400)])
    const [first] = answers.find(({ status }) => status === 200)?.body.meetings ?? []
    if (!first) throw new Error('no meeting')
    const ids = [first.id]
    for (const [index, one] of classes.filter((_, at) => answers[at]?.status !== 200).slice(0, 3).entries()) {
      const start_at = first.start_at + (index + 1) * DAY
      const { body } = await writer.post<WireRow>(MEETING, { class_id: one.id, name: '加课', start_at, end_at: start_at + 7200, teacher_id: teacher.staffId })
      ids.push(body.id)
    }
    const move = fc.record({ at: fc.nat(3), hours: fc.integer({ min: 0, max: 60 }), length: fc.integer({ min: 1, max: 4 }) })
    await fc.assert(fc.asyncProperty(fc.array(move, { minLength: 2, maxLength: 6 }), async (moves) => {
      await Promise.all(moves.map(({ at, hours, length }) => writer.put(`${MEETING}/${ids[at]}`, { start_at: first.start_at + hours * 3600, end_at: first.start_at + (hours + length) * 3600 })))
      expect(await app.db.query(sql`select a.id from vacation_meeting a join vacation_meeting b on b.id > a.id and b.teacher_id = a.teacher_id and b.start_at < a.end_at and b.end_at > a.start_at and b.deleted_at is null
        where a.teacher_id = ${teacher.staffId} and a.deleted_at is null and a.conflict_reason is null and b.conflict_reason is null`)).toEqual([])
    }), { numRuns: 12 })
  })

  test('a meeting is tried on other days and moved; the teacher, the room and a student are found twice', async () => {
    const offer = await course()
    const [teacher, another] = [await app.staff([]), await app.staff([])]
    const [one, two] = [await newClass(offer, { teacher_id: teacher.staffId, times: [{ weekday: 6, hours: '08:30-10:30' }], meeting_count: 1 }), await newClass(await course(), { teacher_id: another.staffId, times: [{ weekday: 7, hours: '09:00-10:00' }], meeting_count: 1 })]
    const [first] = (await write(one.id)).body.meetings
    const [second] = (await write(two.id)).body.meetings
    if (!first || !second) throw new Error('no meetings')
    const [free, taken] = [first.start_at + 2 * DAY, second.start_at - 1800]
    const tried = async () => (await writer.post<{ conflicts: string[][] }>(`${MEETING}/${first.id}/try`, { starts: [free, taken] })).body.conflicts
    expect(await tried()).toEqual([[], []])
    const number = mobile()
    await join(offer, one.id, {}, number)
    await join(Number(two['offer_id']), two.id, {}, number)
    expect((await tried())[1]?.[0]).toContain('1 名学员此时在上')
    expectFieldRefusal(await writer.put(`${MEETING}/${first.id}`, { start_at: taken, end_at: taken + 7200, rev: first.rev }), 400, 'conflict_reason')
    expectSuccess(await writer.put(`${MEETING}/${first.id}`, { start_at: free, end_at: free + 7200, rev: first.rev }))
    expectFieldRefusal(await writer.put(`${MEETING}/${first.id}`, { start_at: free, end_at: free - 1 }), 400, 'end_at')
  })

  test('the roll is called from half an hour before, of those who are in the class; learners show how often they came', async () => {
    const offer = await course()
    const { id } = await newClass(offer, { meeting_count: 2 })
    await join(offer, id)
    await join(offer, id)
    const [first, second] = (await write(id)).body.meetings
    if (!first || !second) throw new Error('no meetings')
    const { rows } = (await writer.get<{ rows: RollRow[] }>(`${MEETING}/${first.id}/roll`)).body
    const marks = rows.map(({ member_id }, index) => ({ member_id, status: index === 0 ? ROLL.late : ROLL.absent }))
    expect((await writer.put(`${MEETING}/${first.id}/roll`, { rows: marks })).body['detail']).toContain('还没有上课')
    await app.db.query(sql`update vacation_meeting set start_at = now() - interval '2 hours', end_at = now() - interval '1 hour' where id = ${first.id}`)
    expectSuccess(await writer.put(`${MEETING}/${first.id}/roll`, { rows: marks }))
    expectRefusal(await writer.put(`${MEETING}/${first.id}/roll`, { rows: [{ member_id: 999_999, status: ROLL.present }] }), 400)
    expectFieldRefusal(await writer.put(`${MEETING}/${first.id}`, { start_at: NOW + DAY, end_at: NOW + 2 * DAY }), 400, 'start_at')
    expect((await writer.get<{ items: WireRow[] }>(learners.api.list, { offer_id: offer })).body.items.map((row) => row['attendance']).toSorted()).toEqual(['0%', '100%'])
    expectRefusal(await (await app.staff([vacationClass.grant])).put(`${MEETING}/${second.id}/roll`, { rows: marks }), 403)
  })
})
