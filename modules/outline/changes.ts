/**
 * How an outline is edited: small changes that name what they change by its key. Naming something that is not there changes
 * nothing, so the server applies anybody's changes to whatever the outline is by then, and two people lose nothing. Places
 * are fractional keys worked out by the one who makes the change, so that changes of different nodes can be applied in either
 * order. Pure: browser and server apply the same changes.
 */
import * as z from 'zod/mini'
import { childrenOf, inOrder, type Draft } from './draft.ts'
import { BLOCK_KEYS, blockSchema, blockValues, keySchema, MAX_LEVELS, nodeSchema, nodeValues, nullable, VALUE_KEYS, type BlockValues, type NodeValues, type OutlineBlock, type OutlineNode } from './node.ts'

/** Most nodes or blocks that one change names. */
const MOST = 3000
const keys = z.array(keySchema, '编号不正确').check(z.minLength(1, '没有选择内容'), z.maxLength(MOST, '一次修改太多'))
const placed = z.array(z.object({ key: keySchema, ord: nodeSchema.shape.ord }), '位置不正确').check(z.minLength(1, '没有选择内容'), z.maxLength(MOST, '一次修改太多'))

export const changeSchema = z.discriminatedUnion('do', [
  z.object({ do: z.literal('add'), nodes: z.array(nodeSchema, '内容不正确').check(z.minLength(1, '没有内容'), z.maxLength(MOST, '一次添加太多')) }),
  /** The same values for several nodes; what is absent stays. */
  z.object({ do: z.literal('set'), keys, values: z.partial(z.object(nodeValues)) }),
  /** Nodes come below another parent, or to another place, with everything below them. */
  z.object({ do: z.literal('move'), parent: nullable(keySchema), nodes: placed }),
  /** Nodes go out of sight with everything below them. */
  z.object({ do: z.literal('remove'), keys }),
  z.object({ do: z.literal('restore'), keys }),
  z.object({ do: z.literal('bind'), blocks: z.array(blockSchema, '内容不正确').check(z.minLength(1, '没有内容'), z.maxLength(MOST, '一次添加太多')) }),
  z.object({ do: z.literal('unbind'), keys }),
  /** Blocks come to another node, or to another place. */
  z.object({ do: z.literal('shift'), node: keySchema, blocks: placed }),
  /** The same values for several blocks; what is absent stays. */
  z.object({ do: z.literal('block'), keys, values: z.partial(z.object(blockValues)) }),
])
export type Change = z.infer<typeof changeSchema>
type Do = Change['do']
type Of<D extends Do> = Extract<Change, { do: D }>

/** The outline while changes are applied to it: copies that nobody else holds. */
class WorkingCopy {
  readonly nodes: Map<string, OutlineNode>
  readonly blocks: Map<string, OutlineBlock>
  private below: Map<string | null, Set<string>> | undefined

  constructor(draft: Draft) {
    this.nodes = new Map(draft.nodes)
    this.blocks = new Map(draft.blocks)
  }

  private get children(): Map<string | null, Set<string>> {
    this.below ??= new Map([...Map.groupBy(this.nodes.values(), ({ parent }) => parent)].map(([parent, found]) => [parent, new Set(found.map(({ key }) => key))]))
    return this.below
  }

  /** Levels below a node. */
  private height(key: string): number {
    let height = 0
    for (const child of this.children.get(key) ?? []) height = Math.max(height, 1 + this.height(child))
    return height
  }

  /** Nodes above a place below `parent`; undefined where a node with so many levels below it may not stand there. */
  private fits(parent: string | null, own: string | undefined): boolean {
    let depth = 0
    for (let at = parent; at !== null; depth++) {
      const node = this.nodes.get(at)
      if (!node || at === own) return false
      at = node.parent
    }
    return depth + (own === undefined ? 0 : this.height(own)) < MAX_LEVELS
  }

  add(node: OutlineNode): void {
    if (this.nodes.has(node.key) || !this.fits(node.parent, undefined)) return
    this.hang(node.key, undefined, node.parent)
    this.nodes.set(node.key, node)
  }

  move(key: string, parent: string | null, ord: string): void {
    const node = this.nodes.get(key)
    if (!node || (node.parent === parent && node.ord === ord) || (node.parent !== parent && !this.fits(parent, key))) return
    this.hang(key, node.parent, parent)
    this.nodes.set(key, { ...node, parent, ord })
  }

  private hang(key: string, from: string | null | undefined, to: string | null): void {
    const { children } = this
    if (from !== undefined) children.get(from)?.delete(key)
    const siblings = children.get(to)
    if (siblings) siblings.add(key)
    else children.set(to, new Set([key]))
  }
}

const setGone = (work: WorkingCopy, named: readonly string[], gone: boolean) => {
  for (const key of named) {
    const node = work.nodes.get(key)
    if (node && node.gone !== gone) work.nodes.set(key, { ...node, gone })
  }
}

const changed = (now: Readonly<Record<string, unknown>>, values: Readonly<Record<string, unknown>>) => Object.entries(values).some(([key, value]) => value !== undefined && !equal(now[key], value))

const applied: { [D in Do]: (work: WorkingCopy, change: Of<D>) => void } = {
  add: (work, { nodes }) => nodes.forEach((node) => work.add({ ...node, gone: false })),
  set: (work, { keys: named, values }) => named.forEach((key) => {
    const node = work.nodes.get(key)
    if (node && changed({ ...node }, values)) work.nodes.set(key, { ...node, ...given(values) })
  }),
  move: (work, { parent, nodes }) => nodes.forEach(({ key, ord }) => work.move(key, parent, ord)),
  remove: (work, change) => setGone(work, change.keys, true),
  restore: (work, change) => setGone(work, change.keys, false),
  bind: (work, { blocks }) => blocks.forEach((block) => {
    if (!work.blocks.has(block.key) && work.nodes.has(block.node)) work.blocks.set(block.key, block)
  }),
  unbind: (work, change) => change.keys.forEach((key) => work.blocks.delete(key)),
  shift: (work, { node, blocks }) => blocks.forEach(({ key, ord }) => {
    const block = work.blocks.get(key)
    if (block && work.nodes.has(node) && (block.node !== node || block.ord !== ord)) work.blocks.set(key, { ...block, node, ord })
  }),
  block: (work, { keys: named, values }) => named.forEach((key) => {
    const block = work.blocks.get(key)
    if (block && changed({ ...block }, values)) work.blocks.set(key, { ...block, ...given(values) })
  }),
}

/** What a partial set of values says. */
const given = <Values extends object>(values: Values): Values => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values
const equal = (a: unknown, b: unknown): boolean => a === b || (Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((one, index) => one === b[index]))

/** The outline after several changes, one after another. What they do not concern are the same objects as before. */
export function applyAll(draft: Draft, changes: readonly Change[]): Draft {
  if (changes.length === 0) return draft
  const work = new WorkingCopy(draft)
  for (const change of changes) (applied[change.do] as (work: WorkingCopy, change: Change) => void)(work, change)
  return { nodes: work.nodes, blocks: work.blocks }
}

/** Keys of the nodes that a change names; a block stands for none. */
export function nodesNamed(change: Change): string[] {
  if (change.do === 'add') return change.nodes.flatMap(({ parent }) => parent ?? [])
  if (change.do === 'move') return [...change.nodes.map(({ key }) => key), ...(change.parent === null ? [] : [change.parent])]
  if (change.do === 'bind') return change.blocks.map(({ node }) => node)
  if (change.do === 'shift') return [change.node]
  return change.do === 'unbind' || change.do === 'block' ? [] : change.keys
}

/** Values in which two records differ, as the second has them. */
function differing<Key extends string>(among: readonly Key[], from: Readonly<Record<Key, unknown>>, to: Readonly<Record<Key, unknown>>): Partial<Record<Key, unknown>> {
  return Object.fromEntries(among.filter((key) => !equal(from[key], to[key])).map((key) => [key, to[key]])) as Partial<Record<Key, unknown>>
}

/** One change for all records that get the same values. */
function together<Values>(rows: readonly { key: string; values: Values }[]): { keys: string[]; values: Values }[] {
  return [...Map.groupBy(rows, ({ values }) => JSON.stringify(values)).values()].flatMap((same) => (same[0] ? [{ keys: same.map(({ key }) => key), values: same[0].values }] : []))
}

/** One change for neighbours in a list that go to the same place. */
function runs<Row, To>(rows: readonly Row[], toOf: (row: Row) => To): { to: To; rows: Row[] }[] {
  const found: { to: To; rows: Row[] }[] = []
  for (const row of rows) {
    const [to, last] = [toOf(row), found.at(-1)]
    if (last?.to === to) last.rows.push(row)
    else found.push({ to, rows: [row] })
  }
  return found
}

const adding = (rows: readonly OutlineNode[]): Change[] => (rows.length === 0 ? [] : [{ do: 'add', nodes: rows.map(({ gone: _gone, ...node }) => node) }])
const moving = (rows: readonly OutlineNode[]): Change[] => runs(rows, ({ parent }) => parent).map(({ to, rows: own }) => ({ do: 'move', parent: to, nodes: own.map(({ key, ord }) => ({ key, ord })) }))

/**
 * Changes that lead from one state to another as far as anybody sees them: what undo, redo and going back to a version send.
 * A node that the second state does not have is removed, not forgotten.
 */
export function difference(from: Draft, to: Draft): Change[] {
  const target = inOrder(to.nodes).map(({ node }) => node)
  const changes: Change[] = []
  const added = target.filter(({ key }) => !from.nodes.has(key))
  const inPlace = adding(added)
  // Where a parent still stands too deep for them they come to the top first.
  const direct = added.every(({ key }) => applyAll(from, inPlace).nodes.has(key))
  changes.push(...(direct ? inPlace : adding(added.map((node) => ({ ...node, parent: null })))))
  const kept = target.flatMap((node) => {
    const old = from.nodes.get(node.key)
    return old && old !== node ? [{ old, node }] : []
  })
  const values = kept.map(({ old, node }) => ({ key: node.key, values: differing<keyof NodeValues>(VALUE_KEYS, old, node) as Partial<NodeValues> })).filter((one) => Object.keys(one.values).length > 0)
  for (const one of together(values)) changes.push({ do: 'set', ...one })
  // From the top, so that each finds its parent where it belongs.
  const moves = kept.filter(({ old, node }) => old.parent !== node.parent || old.ord !== node.ord).map(({ node }) => node)
  changes.push(...movesTo(applyAll(from, changes), to, direct ? moves : target.filter((node) => added.includes(node) || moves.includes(node))))
  const restored = kept.filter(({ old, node }) => old.gone && !node.gone).map(({ node }) => node.key)
  if (restored.length > 0) changes.push({ do: 'restore', keys: restored })
  const removed = [...from.nodes.values()].filter((node) => !node.gone && (to.nodes.get(node.key)?.gone ?? true)).map(({ key }) => key)
  removed.push(...added.filter(({ gone }) => gone).map(({ key }) => key))
  if (removed.length > 0) changes.push({ do: 'remove', keys: removed })
  return [...changes, ...blockDifference(from, to)]
}

/** Moves to where nodes stand in another state. Where one has to make room for another first, all go to the top before. */
function movesTo(from: Draft, to: Draft, rows: readonly OutlineNode[]): Change[] {
  const direct = moving(rows)
  const reached = applyAll(from, direct)
  if (rows.every(({ key, parent, ord }) => reached.nodes.get(key)?.parent === parent && reached.nodes.get(key)?.ord === ord)) return direct
  const deepest = rows.map((row) => ({ row, depth: depthOf(from, row.key) })).sort((a, b) => b.depth - a.depth)
  return [{ do: 'move', parent: null, nodes: deepest.map(({ row: { key, ord } }) => ({ key, ord })) }, ...moving(rows.toSorted((a, b) => depthOf(to, a.key) - depthOf(to, b.key)))]
}

function depthOf({ nodes }: Draft, key: string): number {
  let depth = 0
  for (let node = nodes.get(key); node && node.parent !== null; node = nodes.get(node.parent)) depth++
  return depth
}

function blockDifference(from: Draft, to: Draft): Change[] {
  const changes: Change[] = []
  // What another kind of thing stands behind is another block, whatever its key.
  const same = (a: OutlineBlock, b: OutlineBlock) => a.kind === b.kind && a.ref_id === b.ref_id
  const target = [...to.blocks.values()]
  const unbound = [...from.blocks.values()].filter((block) => {
    const now = to.blocks.get(block.key)
    return !now || !same(block, now)
  }).map(({ key }) => key)
  if (unbound.length > 0) changes.push({ do: 'unbind', keys: unbound })
  const bound = target.filter((block) => {
    const old = from.blocks.get(block.key)
    return !old || !same(old, block)
  })
  if (bound.length > 0) changes.push({ do: 'bind', blocks: bound })
  const kept = target.flatMap((block) => {
    const old = from.blocks.get(block.key)
    return old && old !== block && same(old, block) ? [{ old, block }] : []
  })
  const shifted = kept.filter(({ old, block }) => old.node !== block.node || old.ord !== block.ord).map(({ block }) => block)
  for (const { to: node, rows } of runs(shifted, (block) => block.node)) changes.push({ do: 'shift', node, blocks: rows.map(({ key, ord }) => ({ key, ord })) })
  const values = kept.map(({ old, block }) => ({ key: block.key, values: differing<keyof BlockValues>(BLOCK_KEYS, old, block) as Partial<BlockValues> })).filter((one) => Object.keys(one.values).length > 0)
  for (const one of together(values)) changes.push({ do: 'block', ...one })
  return changes
}

/** Keys of everything below some nodes, and their own. */
export function branchOf(nodes: Draft['nodes'], named: readonly string[]): Set<string> {
  const children = childrenOf(nodes)
  const found = new Set<string>()
  const walk = (key: string) => {
    if (found.has(key)) return
    found.add(key)
    for (const child of children.get(key) ?? []) walk(child.key)
  }
  named.forEach(walk)
  return found
}
