import type { Flag } from './flags.ts'

/** What one learner did with a question, beside everything else of the same sitting. */
export interface AnswerRecord {
  /** Share of the points, 0 to 1. */
  share: number
  /** Share of the points of all other questions of the sitting; null when there were none. */
  rest: number | null
  /** Ids of the chosen options; null where nothing is chosen from. */
  picked: readonly string[] | null
  seconds: number | null
}

/** How often an option was chosen: of all, and of the strongest and the weakest 27 %, each 0 to 1. */
export interface OptionShare {
  id: string
  all: number
  high: number
  low: number
}

export interface Figures {
  attempts: number
  facility: number | null
  /** Correlation of the question with the rest of the sitting, -1 to 1. */
  discrimination: number | null
  /** Covariance with the rest as a share of the greatest that these marks allow. */
  disc_eff: number | null
  /** Share of the points of the strongest 27 % less that of the weakest. */
  group_gap: number | null
  avg_seconds: number | null
  options: OptionShare[] | null
  flags: Flag[]
}

/** domain 3.8: fewer attempts say nothing. */
export const LEAST_ATTEMPTS = 30
/** domain 3.8: from here on the share of points may set the difficulty. */
export const ENOUGH_TO_RECALIBRATE = 200
/** domain 3.8: size of the groups of the strongest and weakest. */
const GROUP = 0.27

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

function covariance(a: readonly number[], b: readonly number[]): number {
  const [ma, mb] = [mean(a), mean(b)]
  return mean(a.map((value, index) => (value - ma) * ((b[index] ?? 0) - mb)))
}

const NOTHING = { facility: null, discrimination: null, disc_eff: null, group_gap: null, options: null, flags: [] }

/**
 * Figures of a question, with the formulas of domain 3.8.
 * @param optionIds options of a choice question, in their order; empty for others
 * @param right ids of the right ones
 */
export function figuresOf(records: readonly AnswerRecord[], optionIds: readonly string[], right: readonly string[]): Figures {
  const times = records.flatMap(({ seconds }) => (seconds === null ? [] : [seconds]))
  const avg_seconds = times.length === 0 ? null : Math.round(mean(times))
  if (records.length < LEAST_ATTEMPTS) return { ...NOTHING, attempts: records.length, avg_seconds }
  const facility = mean(records.map(({ share }) => share))
  const placed = records.flatMap(({ share, rest, picked }) => (rest === null ? [] : [{ share, rest, picked }])).sort((a, b) => b.rest - a.rest)
  const related = placed.length < LEAST_ATTEMPTS ? undefined : relation(placed.map(({ share }) => share), placed.map(({ rest }) => rest))
  const size = Math.max(1, Math.round(placed.length * GROUP))
  const [high, low] = [placed.slice(0, size), placed.slice(-size)]
  const options = optionIds.length === 0 || !records.some(({ picked }) => picked !== null) ? null : optionIds.map((id) => {
    const shareIn = (group: readonly Pick<AnswerRecord, 'picked'>[]) => (group.length === 0 ? 0 : group.filter(({ picked }) => picked?.includes(id)).length / group.length)
    return { id, all: shareIn(records), high: related ? shareIn(high) : 0, low: related ? shareIn(low) : 0 }
  })
  const found = { facility, discrimination: related?.correlation ?? null, options, known: related !== undefined }
  return {
    attempts: records.length, facility, discrimination: found.discrimination, disc_eff: related?.efficiency ?? null,
    group_gap: related ? mean(high.map(({ share }) => share)) - mean(low.map(({ share }) => share)) : null, avg_seconds, options, flags: flagsOf(found, right),
  }
}

/** How marks go with the rest: by correlation, and by how much of the possible covariance there is. */
function relation(marks: readonly number[], rest: readonly number[]): { correlation: number; efficiency: number | null } {
  const spread = Math.sqrt(covariance(marks, marks) * covariance(rest, rest))
  const together = covariance(marks, rest)
  const most = covariance([...marks].sort((a, b) => a - b), [...rest].sort((a, b) => a - b))
  // Where everybody has the same mark nothing is told apart.
  return { correlation: spread === 0 ? 0 : together / spread, efficiency: most === 0 ? null : together / most }
}

function flagsOf({ facility, discrimination, options, known }: { facility: number; discrimination: number | null; options: readonly OptionShare[] | null; known: boolean }, right: readonly string[]): Flag[] {
  const flags: Flag[] = []
  const keys = options?.filter(({ id }) => right.includes(id)) ?? []
  const others = options?.filter(({ id }) => !right.includes(id)) ?? []
  if (known && keys.some((key) => others.some((other) => other.high > key.high))) flags.push('wrong_key')
  if (discrimination !== null && discrimination < 0) flags.push('negative_discrimination')
  else if (discrimination !== null && discrimination < 0.2) flags.push('low_discrimination')
  if (facility < 0.15) flags.push('too_hard')
  if (facility > 0.95) flags.push('too_easy')
  if (others.some(({ all }) => all < 0.02)) flags.push('weak_distractor')
  return flags
}
