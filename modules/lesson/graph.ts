/** Whether courses lead back to themselves through their relations. Pure. */
import { RELATION } from './relation-kind.ts'

/** One course goes with another. */
export interface Edge {
  readonly parent: number
  readonly child: number
  readonly kind: number
}

/** Courses that are alike stand beside each other: they lead nowhere. */
export const leads = ({ kind }: Pick<Edge, 'kind'>): boolean => kind !== RELATION.alike

/**
 * A way on which courses lead back to where they began.
 * @param from the course whose relations were just set: a new way back goes through it
 * @returns the courses on it from `from` to `from`; undefined where there is none
 */
export function cycleThrough(edges: readonly Edge[], from: number): number[] | undefined {
  const children = Map.groupBy(edges.filter(leads), ({ parent }) => parent)
  const came = new Map<number, number>()
  const open = [from]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const { child } of children.get(at) ?? []) {
      if (child === from) {
        const way = [from]
        for (let back = at; back !== from; back = came.get(back) ?? from) way.unshift(back)
        return [from, ...way]
      }
      if (came.has(child)) continue
      came.set(child, at)
      open.push(child)
    }
  }
  return undefined
}

/**
 * Courses column by column, so that each stands to the right of all that lead to it. What is alike leads nowhere, and stands
 * behind what it was named by all the same.
 * @param edges without a way back to where it began
 */
export function layers(ids: readonly number[], edges: readonly Edge[]): number[][] {
  const depth = new Map(ids.map((id) => [id, 0]))
  // Each round brings what is one step further to its place; ways that are alike may lead round, and are left after as many.
  for (let round = 0; round < ids.length; round++) {
    let moved = false
    for (const edge of edges) {
      const next = (depth.get(edge.parent) ?? 0) + 1
      if ((depth.get(edge.child) ?? 0) >= next || (!leads(edge) && round > 0)) continue
      depth.set(edge.child, next)
      moved = true
    }
    if (!moved) break
  }
  const columns: number[][] = []
  for (const [id, at] of depth) (columns[at] ??= []).push(id)
  return columns.filter((column) => column !== undefined)
}
