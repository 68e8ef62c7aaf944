import { actionId, STANDARD_ACTIONS, type StandardAction } from './grant.ts'

/**
 * Rights of a screen beside looking at it, by name: the n of each id, and its title. Ids are stored with what is granted, so
 * an n means one right for ever; titles may change. What every resource may have (`STANDARD_ACTIONS`) need not be repeated,
 * unless the screen calls it otherwise.
 */
export type RightTable<Name extends string = string> = Readonly<Record<Name, readonly [n: number, title: string]>>

/** The rights of one screen. */
export interface Rights<Name extends string = string> {
  readonly screen: number
  readonly table: RightTable<Name>
  /** Id of a right. @throws Error when the screen has none of that name */
  id(name: Name | StandardAction): number
  /** What a right is called, in refusals and where it is granted. */
  title(name: Name | StandardAction): string
}

/** Numbers of a screen's own rights start here; those below are for `STANDARD_ACTIONS`. */
const FIRST = 11

const isStandard = (name: string): name is StandardAction => Object.hasOwn(STANDARD_ACTIONS, name)

/**
 * Declares the rights of a screen.
 * @param screen module id of the screen
 * @throws Error when a number stands twice, or is not one that the right may have
 * @example export const STAFF_RIGHTS = defineRights(STAFF_SCREEN, { grant: [11, '授权'], handOver: [15, '离职交接'] })
 */
export function defineRights<const Name extends string>(screen: number, table: RightTable<Name>): Rights<Name> {
  const known: RightTable = table
  const seen = new Map<number, string>()
  for (const [name, [n]] of Object.entries(known)) {
    const fits = isStandard(name) ? n === STANDARD_ACTIONS[name].n : Number.isInteger(n) && n >= FIRST && n < 100
    if (!fits) throw new Error(`the right ${name} of screen ${screen} cannot have the number ${n}`)
    if (seen.has(n)) throw new Error(`the rights ${seen.get(n)} and ${name} of screen ${screen} have the same number`)
    seen.set(n, name)
  }
  const find = (name: string): readonly [n: number, title: string] => {
    const own = Object.hasOwn(known, name) ? known[name] : undefined
    if (own) return own
    if (!isStandard(name)) throw new Error(`screen ${screen} has no right ${name}`)
    return [STANDARD_ACTIONS[name].n, STANDARD_ACTIONS[name].title]
  }
  return { screen, table, id: (name) => actionId(screen, find(name)[0]), title: (name) => find(name)[1] }
}

/**
 * Refuses rights that contradict each other: one id with two names or titles, or one name for two ids of a screen.
 * @throws Error that names the screen and what stands twice
 */
export function checkRights(all: readonly Rights[]): void {
  const byId = new Map<number, string>()
  const byName = new Map<string, number>()
  for (const { screen, table } of all) {
    for (const [name, [n, title]] of Object.entries(table)) {
      const [id, words, key] = [actionId(screen, n), `${name} (${title})`, `${screen} ${name}`]
      if ((byId.get(id) ?? words) !== words) throw new Error(`the right ${id} is ${byId.get(id)} and ${words}`)
      if ((byName.get(key) ?? id) !== id) throw new Error(`screen ${screen} has two rights with the name ${name}`)
      byId.set(id, words)
      byName.set(key, id)
    }
  }
}
