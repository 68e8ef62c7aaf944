import { sql } from 'drizzle-orm'
import type { Database } from '../../core/database/database.server.ts'
import { startOfDay } from '../../core/field/time.ts'
import type { RowType } from '../../core/resource/define.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { PEOPLE, person, streetAddress } from '../../core/setup/people.ts'
import { PLACES, type City } from '../../core/setup/places.ts'
import { seasonalMoment, seededRandom, type Random } from '../../core/setup/random.ts'
import { GRADES } from '../reference/module.ts'
import { BRANDS, COMPANIES, DEMO_ROOM_TYPES, DEMO_UNITS, SCHOOL_NAMES, type DemoRoomType } from './demo-tables.ts'
import { PARTNER_STATUS, partner } from './partner.ts'
import { roomType } from './room-type.ts'
import { schoolCell } from './school-cell.ts'
import { STUDENT_STATUS, schoolStudent } from './school-student.ts'
import { schoolTeacher } from './school-teacher.ts'
import { SCHOOL_STATUS, school, selfSchool } from './school.ts'
import { unit } from './unit.ts'

const DAY = 86_400
/** Students enrol over eighteen months; partners and schools began up to a year earlier. */
const PAST = 548 * DAY
const BEGINNING = PAST + 365 * DAY
/** Schools of partners, and of our own. */
const SCHOOLS = 108
const OWN_SCHOOLS = 12
/** Where the numbers of the people who run our own schools begin. */
const OWN_HEAD = PEOPLE.teacher + 50_000
const STUDENTS = 9000

const TEACHER_ROLE = { head: 1, supervisor: 2, classTeacher: 3 } as const

/** Level of a partner who has one shop only. */
const SHOP_LEVEL = 4 as const

/** What all the demo's records follow from. */
interface Making {
  readonly random: Random
  /** Unix seconds. */
  readonly now: number
}

type Partner = Made<ReturnType<typeof makePartner>>
type School = Made<ReturnType<typeof makeSchool>>
type Made<Row> = Row & { id: number }

function withIds<Row extends object>(rows: readonly Row[], ids: readonly number[]): Made<Row>[] {
  return rows.map((row, index) => ({ ...row, id: ids[index] ?? 0 }))
}

/** Splits a number over shares in whole numbers that add up to it. */
function split(total: number, shares: readonly number[]): number[] {
  const sum = shares.reduce((all, share) => all + share, 0)
  let [given, passed] = [0, 0]
  return shares.map((share) => {
    passed += share
    const part = Math.round((total * passed) / sum) - given
    given += part
    return part
  })
}

/** Contract state of a partner by its place in the list; most are signed. */
function partnerStatus(index: number): NonNullable<RowType<typeof partner>['status']> {
  if (index % 13 === 12) return PARTNER_STATUS.prospect
  if (index % 15 === 14) return PARTNER_STATUS.expired
  if (index % 20 === 9) return PARTNER_STATUS.frozen
  return index === 21 ? PARTNER_STATUS.ended : PARTNER_STATUS.signed
}

function makePartner({ random, now }: Making, index: number, place: City, owners: readonly number[]) {
  const status = partnerStatus(index)
  const prospect = status === PARTNER_STATUS.prospect
  const over = status === PARTNER_STATUS.expired || status === PARTNER_STATUS.ended
  const created_at = seasonalMoment(random, now - (prospect ? 60 * DAY : BEGINNING), now - (over ? 400 : prospect ? 3 : 60) * DAY)
  const sign_at = startOfDay(created_at) + random.int(1, 15) * DAY
  // A contract runs for whole years; one that is in force ends after today.
  const years = over ? 1 : Math.max(1, Math.ceil((now + DAY - sign_at) / (365 * DAY))) + random.int(0, 1)
  const type = random.weighted<DemoRoomType>([['common', 7], ['gaosi', 2], ['lesson_class', 2]])
  const fees = DEMO_ROOM_TYPES.find((known) => known.type === type)
  const { name: contact, mobile } = person(PEOPLE.partner + index, 'adult')
  return {
    type,
    place,
    brand: BRANDS[index] ?? '启航',
    row: {
      name: `${place.city}${BRANDS[index]}${random.pick(COMPANIES)}`,
      contact,
      mobile,
      region_code: place.code,
      address: streetAddress(random),
      level: random.weighted([[SHOP_LEVEL, 1.5], [3, 5], [2, 3], [1, 0.5]]),
      contract_no: prospect ? null : `HZ${new Date(sign_at * 1000).getUTCFullYear()}${String(index + 101).padStart(4, '0')}`,
      sign_at,
      expire_at: sign_at + years * 365 * DAY,
      deposit: prospect ? 0 : random.pick([20_000_00, 30_000_00, 50_000_00]),
      service_fee: fees?.service_fee ?? 0,
      exchange_service_fee: fees?.exchange_service_fee ?? 0,
      pad_cnt: prospect ? 0 : (fees?.pad_cnt ?? 0) * random.int(1, 3),
      balance: status === PARTNER_STATUS.signed ? random.int(0, 600) * 100_00 : 0,
      owner_id: owners.length > 0 ? random.pick(owners) : null,
      status,
      created_at,
    },
  }
}

function schoolStatus(random: Random, of: number): NonNullable<RowType<typeof school>['status']> {
  if (of === PARTNER_STATUS.ended) return SCHOOL_STATUS.closed
  if (of === PARTNER_STATUS.frozen) return SCHOOL_STATUS.paused
  return random.weighted([[SCHOOL_STATUS.open, 88], [SCHOOL_STATUS.preparing, 6], [SCHOOL_STATUS.paused, 4], [SCHOOL_STATUS.closed, 2]])
}

/** Where a school stands: a few partners have one in another province, which their codes are not for. */
function siteOf({ place }: Partner, index: number, spot: string): { code: string; spot: string } {
  const elsewhere = index % 29 === 7 ? PLACES.filter(({ code }) => code.slice(0, 2) !== place.code.slice(0, 2)) : []
  const there = elsewhere[(index * 7) % elsewhere.length]
  return there ? { code: there.code, spot: there.spots.at(-1) ?? spot } : { code: place.code, spot }
}

/** @param index number of the school, which is also that of the person who runs it */
function makeSchool({ random, now }: Making, index: number, owner: Partner, spot: string, typeIds: ReadonlyMap<string, number>, unitIds: readonly number[]) {
  const { name: manager, mobile } = person(PEOPLE.teacher + index, 'adult')
  const site = siteOf(owner, index, spot)
  const status = schoolStatus(random, owner.row.status)
  const opened = seasonalMoment(random, owner.row.sign_at, Math.min(owner.row.sign_at + 150 * DAY, now - 14 * DAY))
  const seats = random.int(8, 40) * 5
  // Units stand in the order of the table: most places offer junior and senior ones, few primary.
  const offered = unitIds.filter((_id, place) => (place < 11 ? random.chance(0.75) : random.chance(0.2)))
  return {
    owner,
    /** How many students it draws beside the others. */
    weight: status === SCHOOL_STATUS.preparing ? 0 : seats * (status === SCHOOL_STATUS.open ? 1 : 0.4),
    row: {
      name: SCHOOL_NAMES[owner.type](owner.brand, site.spot),
      partner_id: owner.id,
      type_id: typeIds.get(owner.type) ?? 0,
      region_code: site.code,
      address: streetAddress(random),
      manager,
      mobile,
      open_hours: random.pick(['08:00-22:00', '08:30-21:30', '09:00-22:00', '08:00-21:00']),
      seat_cnt: seats,
      pad_cnt: Math.round(seats * random.pick([0.2, 0.3, 0.5])),
      unit_ids: offered,
      expire_at: owner.row.expire_at,
      status,
      created_at: opened,
    },
  }
}

/** Classes of a school: of some grades, two of a grade where it is popular. */
function makeCells({ random, now }: Making, place: School) {
  const focus = random.weighted([[[7, 8, 9], 4], [[10, 11, 12], 4], [[7, 8, 9, 10, 11, 12], 5], [[4, 5, 6, 7, 8, 9], 1]] as const)
  const cells = focus.flatMap((grade) => {
    const count = random.weighted([[1, 6], [2, focus.length > 3 ? 0.5 : 4]])
    const label = GRADES.find((known) => known.value === grade)?.label ?? ''
    return Array.from({ length: count }, (_unused, index) => ({ grade, name: `${label}（${index + 1}）班` }))
  })
  if (focus.some((grade) => grade === 12) && random.chance(0.5)) cells.push({ grade: 12, name: '高三冲刺班' })
  return cells.map((cell) => ({ ...cell, school_id: place.id, capacity: random.int(4, 10) * 5, created_at: Math.min(now, place.row.created_at + random.int(0, 20) * DAY) }))
}

type Cell = Made<ReturnType<typeof makeCells>[number]>

/** Teachers of a school; the head is the one who runs it. */
function makeTeachers({ random, now }: Making, place: School, cells: readonly Cell[], next: () => number) {
  const preparing = place.row.status === SCHOOL_STATUS.preparing
  const roles = [
    ...Array.from({ length: preparing ? 0 : random.int(1, 3) }, () => TEACHER_ROLE.supervisor),
    ...Array.from({ length: preparing ? 0 : random.int(1, 2) }, () => TEACHER_ROLE.classTeacher),
  ]
  const head = { name: place.row.manager, mobile: place.row.mobile, role: TEACHER_ROLE.head, subjects: [] as string[], cell_ids: [] as number[] }
  const others = roles.map((role, index) => {
    const { name, mobile } = person(PEOPLE.teacher + next(), 'adult')
    const subject = random.pick(['数学', '英语', '物理', '化学', '语文'])
    const own = cells.filter((_cell, at) => at % roles.length === index).map((cell) => cell.id)
    return { name, mobile, role, subjects: role === TEACHER_ROLE.supervisor ? [subject] : [], cell_ids: own }
  })
  return [head, ...others].map((teacher) => ({
    ...teacher,
    school_id: place.id,
    status: teacher.role === TEACHER_ROLE.head || random.chance(0.94) ? 1 : 0,
    created_at: Math.min(now, place.row.created_at + random.int(0, 30) * DAY),
  }))
}

type Teacher = Made<ReturnType<typeof makeTeachers>[number]>

function makeStudent({ random, now }: Making, index: number, place: School, cells: readonly Cell[], supervisors: readonly Teacher[], unitIds: readonly number[]) {
  const { name, gender, mobile } = person(PEOPLE.student + index, 'child')
  const created_at = seasonalMoment(random, Math.max(place.row.created_at, now - PAST), now)
  const cell = random.pick(cells)
  const fitting = DEMO_UNITS.map((known, at) => ({ ...known, id: unitIds[at] ?? 0 })).filter(({ from, to }) => cell.grade >= from && cell.grade <= to)
  const first = random.pick(fitting)
  const second = random.chance(0.15) ? random.pick(fitting) : first
  const start_at = startOfDay(created_at)
  const expire_at = start_at + Math.round(first.months * 30.4) * DAY
  const expired = expire_at < now
  const status = expired ? STUDENT_STATUS.expired : place.row.status === SCHOOL_STATUS.closed || random.chance(0.03) ? STUDENT_STATUS.stopped : STUDENT_STATUS.studying
  // Most who still study were here within days; who has left was last here before the end.
  const end = status === STUDENT_STATUS.stopped ? Math.max(created_at, now - 30 * DAY) : Math.min(now, expire_at)
  const idle = random.chance(0.08) ? null : Math.floor(random.next() ** 3 * 60 * DAY)
  const last_study_at = idle === null ? null : Math.max(created_at, end - idle - 600)
  const lately = status !== STUDENT_STATUS.stopped && last_study_at !== null && now - last_study_at < 7 * DAY
  return {
    name,
    mobile,
    gender,
    parent_mobile: random.chance(0.85) ? person(PEOPLE.parent + index, 'adult').mobile : null,
    school_id: place.id,
    grade: cell.grade,
    cell_id: random.chance(0.92) ? cell.id : null,
    teacher_id: supervisors.length > 0 && random.chance(0.85) ? random.pick(supervisors).id : null,
    unit_ids: [...new Set([first.id, second.id])],
    start_at,
    expire_at,
    last_study_at,
    week_minutes: lately ? Math.round(20 + random.next() ** 2 * 1400) : 0,
    status,
    created_at,
  }
}

/** Schools of each partner: first one for each, then second ones, until there are enough. */
function spotsOf(partners: readonly Partner[], count: number): { owner: Partner; spot: string }[] {
  const running = partners.filter(({ row }) => row.status !== PARTNER_STATUS.prospect)
  const most = Math.max(...running.map(({ place }) => place.spots.length))
  const all = Array.from({ length: most }, (_unused, round) => running.flatMap((owner) => {
    const spot = owner.place.spots[round]
    return spot && (round === 0 || owner.row.level !== SHOP_LEVEL) ? [{ owner, spot }] : []
  }))
  return all.flat().slice(0, count)
}

/** Our own shops, in the big cities. */
function makeOwnSchools({ random, now }: Making, typeIds: ReadonlyMap<string, number>) {
  const cities = PLACES.filter(({ city }, index) => PLACES.findIndex((other) => other.city === city) === index && ['南京', '苏州', '杭州', '武汉', '成都', '西安'].includes(city))
  return cities.flatMap((place) => [0, 1].map((nth) => ({ place, spot: place.spots[place.spots.length - 1 - nth] ?? '' }))).slice(0, OWN_SCHOOLS).map(({ place, spot }, index) => {
    const { name: manager, mobile } = person(OWN_HEAD + index, 'adult')
    const seats = random.int(10, 24) * 5
    const created_at = seasonalMoment(random, now - BEGINNING, now - 120 * DAY)
    return {
      name: `道远自习室（${place.city}${spot}店）`,
      type_id: typeIds.get('common') ?? 0,
      region_code: place.code,
      address: streetAddress(random),
      manager,
      mobile,
      open_hours: random.pick(['07:30-22:30', '08:00-22:00', '07:00-23:00']),
      seat_cnt: seats,
      pad_cnt: Math.round(seats * 0.4),
      expire_at: startOfDay(created_at) + random.pick([3, 4, 5]) * 365 * DAY,
      status: index === OWN_SCHOOLS - 1 ? SCHOOL_STATUS.preparing : SCHOOL_STATUS.open,
      created_at,
    }
  })
}

const inOrder = <Row extends { created_at: number }>(rows: Row[]): Row[] => rows.sort((a, b) => a.created_at - b.created_at)

/** Partners all over the country, their schools with classes, teachers and students, over eighteen months up to now. */
export async function insertStudyRoomDemo(db: Database, report: (text: string) => void): Promise<void> {
  const making: Making = { random: seededRandom(7), now: Math.floor(Date.now() / 1000) }
  const { random } = making
  await seedTransaction(db, async (tx) => {
    for (const { type, service_fee, exchange_service_fee, pad_cnt } of DEMO_ROOM_TYPES) {
      await tx.query(sql`update ${sql.identifier(roomType.table)} set service_fee = ${service_fee}, exchange_service_fee = ${exchange_service_fee}, pad_cnt = ${pad_cnt} where type = ${type}`)
    }
    const typeIds = new Map((await tx.query<{ id: number; type: string }>(sql`select id, type from room_type`)).map(({ id, type }) => [type, id]))
    const owners = (await tx.query<{ id: number }>(sql`select id from staff where department = '渠道部' and status = 1 order by id`)).map((row) => row.id)
    const unitIds = await insertMany(tx, unit, DEMO_UNITS.map(({ name, subjects, months }, index) => ({ name, subjects, months, sort: index + 1 })))

    const planned = PLACES.map((place, index) => makePartner(making, index, place, owners)).sort((a, b) => a.row.created_at - b.row.created_at)
    const partners = withIds(planned, await insertMany(tx, partner, planned.map(({ type, row }) => ({ ...row, type_id: typeIds.get(type) ?? 0 }))))
    const places = spotsOf(partners, SCHOOLS).map(({ owner, spot }, index) => makeSchool(making, index, owner, spot, typeIds, unitIds))
      .sort((a, b) => a.row.created_at - b.row.created_at)
    const schools = withIds(places, await insertMany(tx, school, places.map(({ row }) => row)))
    const own = inOrder(makeOwnSchools(making, typeIds))
    await insertMany(tx, selfSchool, own)
    report(`已生成 ${partners.length} 个合伙人、${schools.length + own.length} 所学校`)

    const newCells = inOrder(schools.filter(({ row }) => row.status !== SCHOOL_STATUS.preparing).flatMap((place) => makeCells(making, place)))
    const cells = Map.groupBy(withIds(newCells, await insertMany(tx, schoolCell, newCells)), (cell) => cell.school_id)
    let people = schools.length
    const newTeachers = inOrder(schools.flatMap((place) => makeTeachers(making, place, cells.get(place.id) ?? [], () => people++)))
    const teachers = Map.groupBy(withIds(newTeachers, await insertMany(tx, schoolTeacher, newTeachers)), (teacher) => teacher.school_id)
    report(`已生成 ${newCells.length} 个班级、${newTeachers.length} 位教师`)

    const counts = split(STUDENTS, schools.map((place) => place.weight * (0.6 + random.next())))
    let number = 0
    const students = inOrder(schools.flatMap((place, at) => {
      const supervisors = (teachers.get(place.id) ?? []).filter((teacher) => teacher.role !== TEACHER_ROLE.head && teacher.status === 1)
      return Array.from({ length: counts[at] ?? 0 }, () => makeStudent(making, number++, place, cells.get(place.id) ?? [], supervisors, unitIds))
    }))
    const enrolled = new Map<number, number>()
    await insertMany(tx, schoolStudent, students.map((student) => {
      const nth = (enrolled.get(student.school_id) ?? 0) + 1
      enrolled.set(student.school_id, nth)
      return { ...student, student_no: `${new Date(student.created_at * 1000).getUTCFullYear()}${String(nth).padStart(4, '0')}` }
    }))
    // Each student came with one code, and quotas are bought in fifties.
    await tx.query(sql`update partner p set used_quota = c.n, code_quota = ceil(c.n * 1.2 / 50) * 50 + 50
      from (select s.partner_id, count(*) as n from school_student x join app_school s on s.id = x.school_id group by s.partner_id) c where c.partner_id = p.id`)
    report(`已生成 ${students.length} 名学生`)
  })
}
