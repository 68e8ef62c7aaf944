/** domain 1.7: from a number to somebody who learns. 已报名 follows from a paid order alone. */
export const STAGE = { fresh: 1, spoken: 2, booked: 3, assessed: 4, tried: 5, enrolled: 6, void: 7 } as const

const S = STAGE

export const STAGES = [
  { value: S.fresh, label: '新线索', tone: 'idle' }, { value: S.spoken, label: '已联系', tone: 'processing' }, { value: S.booked, label: '已约测', tone: 'processing' }, { value: S.assessed, label: '已测评', tone: 'processing' },
  { value: S.tried, label: '已试听', tone: 'warning' }, { value: S.enrolled, label: '已报名', tone: 'success' }, { value: S.void, label: '无效', tone: 'default' },
] as const

/** Stages in which somebody is still to be won. */
export const LIVING: readonly number[] = [S.fresh, S.spoken, S.booked, S.assessed, S.tried]

/** Who has a clue keeps it for so many days; each follow-up adds some, up to a most (operations 1.9). */
export const POOL = { days: 7, more: 3, most: 30, waitHours: 24, held: 200, perDay: 20 } as const

/** Days in which a number is one clue. */
export const SAME_DAYS = 90

const DAY = 86_400

/** Until when a clue is protected that somebody gets now. */
export const protection = (now: number) => ({ protect_until: now + POOL.days * DAY, max_until: now + POOL.most * DAY })

/** Until when it is protected after a follow-up; never earlier than before. */
export const lengthened = (until: number, most: number, now: number): number => Math.max(until, Math.min(most, Math.max(until, now) + POOL.more * DAY))
