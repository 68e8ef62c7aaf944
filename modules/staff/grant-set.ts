import { screenOf } from '../../core/grant/grant.ts'
import type { GrantGroup, GrantNode } from '../../core/grant/grant-tree.ts'

export type Ids = ReadonlySet<number>

/** Whether all, some or none of several ids are chosen. */
export type Tick = 'all' | 'some' | 'none'

/** Ids of a screen: its own, then those of its actions. */
export function screenIds(screen: GrantNode): number[] {
  return [screen.id, ...(screen.children ?? []).map((child) => child.id)]
}

/** Ids of all screens of a group with their actions. */
export function groupIds(group: GrantGroup): number[] {
  return group.screens.flatMap(screenIds)
}

/** State of a box that stands for several ids. */
export function tickOf(ids: readonly number[], chosen: Ids): Tick {
  const count = ids.filter((id) => chosen.has(id)).length
  return count === 0 ? 'none' : count === ids.length ? 'all' : 'some'
}

/**
 * Ticks or unticks ids; what the actor does not hold stays as it is.
 * An action leads nowhere without its screen: ticking it ticks the screen, unticking the screen unticks its actions.
 */
export function setTicks(chosen: Ids, ids: readonly number[], on: boolean, held: Ids): Set<number> {
  const next = new Set(chosen)
  for (const id of ids.filter((one) => held.has(one))) {
    if (on) {
      next.add(id)
      if (held.has(screenOf(id))) next.add(screenOf(id))
    } else {
      next.delete(id)
      for (const other of chosen) if (screenOf(other) === id && held.has(other)) next.delete(other)
    }
  }
  return next
}

/** `replace` makes the set equal to the source, `add` only gives. */
export type CopyMode = 'replace' | 'add'

/**
 * Takes over the ids of a template or of a colleague.
 * @param known every id that can be granted
 * @returns the new set, and the ids that would have changed had the actor held them
 */
export function copyTicks(chosen: Ids, source: Ids, mode: CopyMode, held: Ids, known: readonly number[]): { next: Set<number>; skipped: number[] } {
  const next = new Set(chosen)
  const skipped: number[] = []
  for (const id of known) {
    const wanted = source.has(id) || (mode === 'add' && chosen.has(id))
    if (wanted === chosen.has(id)) continue
    if (!held.has(id)) skipped.push(id)
    else if (wanted) next.add(id)
    else next.delete(id)
  }
  return { next, skipped }
}

/** Repeats what was changed between two sets on a third: a colleague has saved in between. */
export function rebase(base: Ids, mine: Ids, theirs: Ids): Set<number> {
  const next = new Set(theirs)
  for (const id of mine) if (!base.has(id)) next.add(id)
  for (const id of base) if (!mine.has(id)) next.delete(id)
  return next
}

export interface DifferenceScreen {
  id: number
  title: string
  /** What changes of it: 查看 for the screen itself, or titles of its actions. */
  names: string[]
}

export interface DifferenceGroup {
  title: string
  screens: DifferenceScreen[]
  count: number
}

/** What the screen's own id means beside its actions. */
const LOOK = '查看'
/** Ids of screens and actions that the product no longer has. */
const GONE = '已下线的权限'

function grouped(tree: readonly GrantGroup[], ids: Ids): DifferenceGroup[] {
  const left = new Set(ids)
  const groups = tree.flatMap((group) => {
    const screens = group.screens.flatMap((screen) => {
      const names = [{ id: screen.id, title: LOOK }, ...(screen.children ?? [])].filter(({ id }) => left.delete(id)).map(({ title }) => title)
      return names.length > 0 ? [{ id: screen.id, title: screen.title, names }] : []
    })
    return screens.length > 0 ? [{ title: group.title, screens, count: screens.reduce((sum, { names }) => sum + names.length, 0) }] : []
  })
  if (left.size === 0) return groups
  return [...groups, { title: GONE, screens: [...left].map((id) => ({ id, title: `编号 ${id}`, names: [LOOK] })), count: left.size }]
}

export interface Difference {
  added: DifferenceGroup[]
  removed: DifferenceGroup[]
  addedCount: number
  removedCount: number
}

/** What a change of grants gives and takes, in the order of the tree. */
export function difference(tree: readonly GrantGroup[], before: Ids, after: Ids): Difference {
  const added = new Set([...after].filter((id) => !before.has(id)))
  const removed = new Set([...before].filter((id) => !after.has(id)))
  return { added: grouped(tree, added), removed: grouped(tree, removed), addedCount: added.size, removedCount: removed.size }
}

/** Spellings under which a title is found beside itself: 学校列表 → xxlb, xuexiaoliebiao. */
export type Spell = (title: string) => readonly string[]

/**
 * Screens that a search finds: by their own title, by their group's or by that of one of their actions.
 * @param spell further spellings of a title; none until they are loaded
 */
export function searchTree(tree: readonly GrantGroup[], keyword: string, spell: Spell = () => []): GrantGroup[] {
  const wanted = keyword.trim().toLowerCase().replace(/\s+/g, '')
  if (wanted === '') return [...tree]
  const matches = (title: string) => [title.toLowerCase(), ...spell(title)].some((text) => text.includes(wanted))
  return tree.flatMap((group) => {
    if (matches(group.title)) return [group]
    const screens = group.screens.filter((screen) => matches(screen.title) || screen.children?.some((child) => matches(child.title)))
    return screens.length > 0 ? [{ ...group, screens }] : []
  })
}

/** Screens of which something is chosen. */
export function chosenTree(tree: readonly GrantGroup[], chosen: Ids): GrantGroup[] {
  return tree.flatMap((group) => {
    const screens = group.screens.filter((screen) => tickOf(screenIds(screen), chosen) !== 'none')
    return screens.length > 0 ? [{ ...group, screens }] : []
  })
}
