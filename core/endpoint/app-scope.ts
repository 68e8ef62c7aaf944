/** What the key of a learners' app may be good for: a group of calls that belong together. */
export interface AppScope {
  /** Kept with each key: snake case, at most 20 characters, never changed. */
  readonly name: string
  readonly label: string
}

/**
 * Declares what keys of learners' apps can be given; each of its calls names it as `app`.
 * @example export const LEARN_RECORDS = defineAppScope('learn_records', '上报学习记录')
 */
export function defineAppScope(name: string, label: string): AppScope {
  if (!/^[a-z][a-z_]{0,19}$/.test(name)) throw new Error(`an app scope cannot be called ${name}`)
  return { name, label }
}

/** A learners' app that makes calls. */
export interface AppClient {
  readonly id: number
  readonly name: string
  /** Names of what its key is good for. */
  readonly scopes: readonly string[]
  /** Calls in a minute that it may make, in each process. */
  readonly perMinute: number
}
