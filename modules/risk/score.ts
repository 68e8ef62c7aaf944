/**
 * How much the sessions of an account look as if several people used it. A pure function of facts: who is asked why somebody
 * has 72 points reads the same parts as the machine.
 */

/** Somebody was there with a device, from when to when. Moments in unix seconds. */
export interface Facts {
  readonly id: number
  readonly device: string
  readonly began: number
  readonly ended: number
  /** Six digits of the district; the first four are the city. Null where nobody knows. */
  readonly region: string | null
  /** Where it was, in degrees; null where nobody knows. */
  readonly lat: number | null
  readonly lng: number | null
  readonly network: 'home' | 'school' | 'pad'
  readonly pages: number
  readonly answers: number
  /** Answers that came faster than the question can be read. */
  readonly fast: number
}

export const PARTS = {
  concurrent: { label: '异地同时在线', most: 40 }, travel: { label: '不可能的移动', most: 35 }, devices: { label: '设备过多', most: 25 }, hours: { label: '每天时间过长', most: 20 }, fast: { label: '答题快于阅读', most: 40 }, pages: { label: '翻页过快', most: 40 },
} as const
export type Part = keyof typeof PARTS

/** From how many points on somebody looks at it: no part reaches them alone. */
export const LINE = 60
/** Days that are looked at. */
export const WINDOW_DAYS = 14
/** Devices that a family in one city may have. */
const FAMILY_DEVICES = 4
/** Two stays of at least so many seconds prove that somebody was there. */
const STAY = 300
/** Kilometres in an hour: faster than that nobody travels. */
const FASTEST = 900
const HOURS = { workday: 8, freeDay: 12 } as const
const DAY = 86_400

/** Something that two sessions, or one, prove. */
export interface Evidence { readonly part: Part; readonly sessions: readonly number[]; readonly words: string }

export interface Score {
  readonly score: number
  readonly parts: Readonly<Record<Part, number>>
  readonly devices: number
  readonly cities: number
  /** Most sessions at once. */
  readonly together: number
  /** Mean hours of the days on which somebody was there. */
  readonly hours: number
  readonly evidence: readonly Evidence[]
  /** A family: few devices, all in one city. */
  readonly family: boolean
}

const cityOf = ({ region }: Pick<Facts, 'region'>): string | null => region?.slice(0, 4) ?? null
const rad = (degrees: number) => (degrees * Math.PI) / 180

/** Kilometres between two places over the ground. */
export function distance(a: Pick<Facts, 'lat' | 'lng'>, b: Pick<Facts, 'lat' | 'lng'>): number | undefined {
  if (a.lat === null || a.lng === null || b.lat === null || b.lng === null) return undefined
  const h = Math.sin(rad(b.lat - a.lat) / 2) ** 2 + Math.cos(rad(a.lat)) * Math.cos(rad(b.lat)) * Math.sin(rad(b.lng - a.lng) / 2) ** 2
  return 12_742 * Math.asin(Math.sqrt(h))
}

/** Number of the day in Beijing. */
const dayOf = (at: number) => Math.floor((at + 8 * 3600) / DAY)
/** The first of January 1970 was a Thursday. */
const isWeekend = (day: number) => [0, 6].includes((day + 4) % 7)

/** Sessions at once in different cities, and moves that nobody makes. */
function apart(sessions: readonly Facts[], name: (region: string | null) => string): { evidence: Evidence[]; days: Set<number>; jumps: number } {
  const evidence: Evidence[] = []
  const days = new Set<number>()
  let jumps = 0
  const long = sessions.filter(({ began, ended }) => ended - began >= STAY)
  for (const [at, one] of long.entries()) {
    for (const other of long.slice(at + 1)) {
      if (other.began - one.ended > DAY) break
      if (one.device === other.device || cityOf(one) === null || cityOf(other) === null || cityOf(one) === cityOf(other)) continue
      const shared = Math.min(one.ended, other.ended) - other.began
      if (shared >= STAY) {
        if (!days.has(dayOf(other.began))) evidence.push({ part: 'concurrent', sessions: [one.id, other.id], words: `${name(one.region)} 与 ${name(other.region)} 同时在线 ${Math.round(shared / 60)} 分钟` })
        days.add(dayOf(other.began))
        continue
      }
      const km = distance(one, other)
      const hours = Math.max(other.began - one.ended, 1) / 3600
      if (shared < 0 && km !== undefined && km / hours > FASTEST) {
        jumps++
        if (jumps <= 5) evidence.push({ part: 'travel', sessions: [one.id, other.id], words: `${Math.max(1, Math.round(hours * 60))} 分钟内从 ${name(one.region)} 到 ${name(other.region)}，相距 ${Math.round(km)} 公里` })
      }
    }
  }
  return { evidence, days, jumps }
}

/** Most sessions of different devices at one moment. */
function togetherAt(sessions: readonly Facts[]): number {
  const edges = sessions.flatMap(({ began, ended, device }) => [{ at: began, by: 1, device }, { at: ended, by: -1, device }]).toSorted((a, b) => a.at - b.at || a.by - b.by)
  const open = new Map<string, number>()
  let most = 0
  for (const { device, by } of edges) {
    open.set(device, (open.get(device) ?? 0) + by)
    most = Math.max(most, [...open.values()].filter((n) => n > 0).length)
  }
  return most
}

/** Hours by the day, each device by itself: two who learn at once count twice. */
function hoursByDay(sessions: readonly Facts[]): Map<number, number> {
  const hours = new Map<number, number>()
  for (const { began, ended } of sessions) for (let day = dayOf(began); day <= dayOf(ended); day++) {
    const start = day * DAY - 8 * 3600
    hours.set(day, (hours.get(day) ?? 0) + Math.max(0, Math.min(ended, start + DAY) - Math.max(began, start)) / 3600)
  }
  return hours
}

const capped = (part: Part, value: number) => Math.round(Math.min(PARTS[part].most, Math.max(0, value)))

/**
 * Scores the sessions of an account over {@link WINDOW_DAYS} days. What is ours does not count: pads of our rooms, networks of schools.
 * @param name says a region in words
 * @param homes cities that somebody confirmed to be one family's: being in several of them is no sign
 */
export function scoreOf(all: readonly Facts[], name: (region: string | null) => string, homes: readonly string[] = []): Score {
  const sessions = all.filter(({ network }) => network === 'home').map((one) => (homes.includes(cityOf(one) ?? '') ? { ...one, region: homes[0] ?? null, lat: null, lng: null } : one)).toSorted((a, b) => a.began - b.began || a.id - b.id)
  const devices = new Set(sessions.map((one) => one.device)).size
  const cities = new Set(sessions.flatMap((one) => cityOf(one) ?? [])).size
  const family = cities <= 1 && (devices <= FAMILY_DEVICES || homes.length > 0)
  const { evidence, days, jumps } = apart(sessions, name)
  const hours = hoursByDay(sessions)
  const mean = hours.size === 0 ? 0 : [...hours.values()].reduce((sum, n) => sum + n, 0) / hours.size
  const beyond = hours.size === 0 ? 0 : [...hours].reduce((sum, [day, n]) => sum + Math.max(0, n - (isWeekend(day) ? HOURS.freeDay : HOURS.workday)), 0) / hours.size
  const [answers, fast] = [sessions.reduce((sum, one) => sum + one.answers, 0), sessions.reduce((sum, one) => sum + one.fast, 0)]
  const share = answers < 50 ? 0 : fast / answers
  const turning = sessions.filter(({ began, ended, pages }) => ended - began >= STAY && pages / ((ended - began) / 60) > 20)
  const parts: Record<Part, number> = {
    concurrent: capped('concurrent', days.size * 10), travel: capped('travel', jumps * 12), devices: family ? 0 : capped('devices', (devices - FAMILY_DEVICES) * 6),
    hours: family ? 0 : capped('hours', beyond * 4), fast: capped('fast', (share - 0.25) * 80), pages: capped('pages', turning.length * 8),
  }
  const more: Evidence[] = [
    ...(parts.devices > 0 ? [{ part: 'devices' as const, sessions: [], words: `${WINDOW_DAYS} 天内用过 ${devices} 台设备，分布在 ${cities} 个城市` }] : []),
    ...(parts.hours > 0 ? [{ part: 'hours' as const, sessions: [], words: `平均每天在线 ${mean.toFixed(1)} 小时` }] : []),
    ...(parts.fast > 0 ? [{ part: 'fast' as const, sessions: [], words: `${answers} 次作答中 ${Math.round(share * 100)}% 快于阅读题目所需时间` }] : []),
    ...turning.slice(0, 3).map((one) => ({ part: 'pages' as const, sessions: [one.id], words: `${Math.round((one.ended - one.began) / 60)} 分钟内翻了 ${one.pages} 页` })),
  ]
  return { score: Math.min(100, Object.values(parts).reduce((sum, n) => sum + n, 0)), parts, devices, cities, together: togetherAt(sessions), hours: Math.round(mean * 10) / 10, evidence: [...evidence.slice(0, 20), ...more], family }
}

export const RULES = [{ value: 'share', label: '共享' }, { value: 'resale', label: '倒卖' }, { value: 'farm', label: '刷题' }, { value: 'crawl', label: '爬取' }] as const
export type Rule = (typeof RULES)[number]['value']

/** What it looks like, by the parts that are high. */
export function rulesOf({ parts, devices, cities }: Pick<Score, 'parts' | 'devices' | 'cities'>): Rule[] {
  return [
    ...(parts.concurrent + parts.travel + parts.devices >= 20 ? ['share' as const] : []), ...(devices >= 8 && cities >= 4 ? ['resale' as const] : []),
    ...(parts.fast >= 10 ? ['farm' as const] : []), ...(parts.pages >= 16 ? ['crawl' as const] : []),
  ]
}
