/** What is known of a learner when the day's list is made. Seconds are unix seconds, `now` too. */
export interface Signals {
  readonly last_study_at: number | null
  readonly last_talk_at: number | null
  readonly begun_at: number
  /** Mean share of points of the last fortnight and of the one before, in percent. */
  readonly score: number | null
  readonly before: number | null
  /** When the last report was sent that parents have not opened; null where there is none. */
  readonly unread_report_at: number | null
  readonly overdue: number
  readonly lessons_left: number
}

export const DAY = 86_400

/** What counts how much, and from where on (operations 5.1): rows, so that the weights can be judged by who then stopped. */
export const WEIGHTS = {
  silent: { from: 3, weight: 3, perDay: 0.5, most: 10 },
  score: { drop: 15, weight: 3 },
  report: { days: 2, weight: 1.5 },
  overdue: { from: 2, weight: 2 },
  lessons: { from: 3, weight: 1 },
} as const

/** From these sums on a learner is watched, and at high risk. */
export const LEVELS_OF_RISK = { watched: 1.5, high: 5 } as const

export interface Assessment { readonly weight: number; readonly risk: 0 | 1 | 2; readonly why: readonly string[]; readonly daysSilent: number | null }

const daysSince = (at: number, now: number) => Math.floor((now - at) / DAY)

/** How much a learner needs somebody today, with the reasons and their figures. Pure: the same signals give the same list. */
export function judge(signals: Signals, now: number): Assessment {
  const why: string[] = []
  let weight = 0
  const say = (words: string, by: number) => {
    why.push(words)
    weight += by
  }
  const quiet = daysSince(signals.last_study_at ?? signals.begun_at, now)
  if (quiet >= WEIGHTS.silent.from) say(`${quiet} 天未学`, WEIGHTS.silent.weight + Math.min(WEIGHTS.silent.most, quiet - WEIGHTS.silent.from) * WEIGHTS.silent.perDay)
  if (signals.score !== null && signals.before !== null && signals.before - signals.score >= WEIGHTS.score.drop) say(`正确率 −${Math.round(signals.before - signals.score)}%`, WEIGHTS.score.weight)
  if (signals.overdue >= WEIGHTS.overdue.from) say(`逾期 ${signals.overdue} 个任务`, WEIGHTS.overdue.weight)
  if (signals.unread_report_at !== null && daysSince(signals.unread_report_at, now) >= WEIGHTS.report.days) say(`家长 ${daysSince(signals.unread_report_at, now)} 天未读报告`, WEIGHTS.report.weight)
  if (signals.lessons_left <= WEIGHTS.lessons.from) say(`剩 ${signals.lessons_left} 节课`, WEIGHTS.lessons.weight)
  return { weight, risk: weight >= LEVELS_OF_RISK.high ? 2 : weight >= LEVELS_OF_RISK.watched ? 1 : 0, why, daysSilent: signals.last_talk_at === null ? null : daysSince(signals.last_talk_at, now) }
}

/** Order of the list: risk times the days in which nobody spoke with them (operations 5.1). */
export const urgency = ({ weight, daysSilent }: Assessment): number => weight * (1 + (daysSilent ?? WEIGHTS.silent.most))
