import { isSameJson } from '../field/same-json.ts'

type Values = Readonly<Record<string, unknown>>

/** One entry of the log about a record. */
export interface Logged {
  readonly before: Values | null
  readonly after: Values | null
  /** It was written after the moment that is asked for. */
  readonly later: boolean
}

/** A record at a moment, as far as the log tells. */
export interface Undone {
  /** Removed, or not made yet: `absent`. */
  readonly state: 'there' | 'removed' | 'absent'
  readonly values: Record<string, unknown>
  /** Keys whose value then nobody wrote down; they have no value here. */
  readonly unknown: readonly string[]
  /** The log begins with the record itself. Otherwise there may have been earlier changes that it does not know. */
  readonly whole: boolean
}

/** Whether an entry is of the record's own beginning; looks, exports and the like are in the log too and tell one side only. */
const isBeginning = ({ before, after }: Logged) => before === null && after !== null && 'id' in after && 'created_at' in after

/** A value without the keys that hold nothing: the log of a new record leaves them out, however deep they lie. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).flatMap(([key, inner]) => (inner === null || inner === undefined ? [] : [[key, withoutNulls(inner)]])))
}

const isSame = (a: unknown, b: unknown) => isSameJson(withoutNulls(a), withoutNulls(b))

/**
 * A record as it was at a moment: today's values, with every later change undone. The numbers of a record's entries grow in the
 * order in which it was changed, while their times are those of the beginning of transactions; so what follows an entry that
 * is later is later too. What the log says last before the moment has to be what comes out: where it is not, the field was
 * changed without a word in the log, and its value then is unknown.
 * @param now today's values, as the log writes them
 * @param changes the record's whole log, newest first
 * @param logged keys whose changes are logged
 * @param madeLater whether the record says of itself that it was made after the moment, where the log has no beginning
 */
export function undoChanges(now: Values, changes: readonly Logged[], logged: readonly string[], madeLater: boolean): Undone {
  const cut = changes.findLastIndex(({ later }) => later) + 1
  const [undone, stood] = [changes.slice(0, cut), changes.slice(cut)]
  const whole = changes.some(isBeginning)
  if (undone.some(isBeginning) || (!whole && madeLater)) return { state: 'absent', values: {}, unknown: [], whole }
  const values: Record<string, unknown> = Object.fromEntries(logged.map((key) => [key, now[key] ?? null]))
  for (const { before, after } of undone) {
    if (before && after) for (const key of logged) if (key in before) values[key] = before[key] ?? null
  }
  const said = (key: string) => stood.find((entry) => isBeginning(entry) || (entry.before !== null && entry.after !== null && key in entry.after))
  const unknown = logged.filter((key) => {
    const last = said(key)
    return last !== undefined && !isSame(last.after?.[key], values[key])
  })
  for (const key of unknown) delete values[key]
  return { state: (values['deleted_at'] ?? null) === null ? 'there' : 'removed', values, unknown, whole }
}
