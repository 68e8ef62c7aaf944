/** What an outline still lacks, and how much of it there is, by the rule of those who own it. Pure. */
import { blocksByNode, inOrder, type Draft } from './draft.ts'
import { FREE, LESSON, type OutlineBlock, type OutlineNode } from './node.ts'

/** Something that each lesson has to have. */
export interface Need {
  readonly key: string
  /** 视频: 缺视频 says that it is not there. */
  readonly label: string
  /** Said in the hole where it would stand: 随堂卷或课后卷，至少要有一份 */
  readonly hint?: string
  /** Kinds of blocks of which one meets it, and the slots in which it does; any slot where none is named. */
  readonly blocks?: { readonly kinds: readonly string[]; readonly slots?: readonly number[] }
  /** The node itself carries a label. */
  readonly labels?: true
}

/** When an outline is complete: a row of data of those who own it. */
export interface CompleteRule {
  /** Of which nodes it is asked: lessons, or whatever has nothing below it. */
  readonly each: 'lesson' | 'leaf'
  readonly needs: readonly Need[]
}

/** Figures of a node with everything below it; removed nodes count nothing. */
export interface Figures {
  /** Blocks by their kind. */
  readonly blocks: Readonly<Record<string, number>>
  readonly minutes: number
  /** Of a lesson: needs that are met; above: lessons of which all are. */
  readonly met: number
  /** Of how many. */
  readonly of: number
  /** Lessons at it and below. */
  readonly lessons: number
  /** What it lacks itself. */
  readonly lacks: readonly Need[]
}

const isMet = ({ blocks, labels }: Need, node: OutlineNode, own: readonly OutlineBlock[]): boolean =>
  (labels ? node.label_ids.length > 0 : own.some(({ kind, slot }) => blocks?.kinds.includes(kind) && (!blocks.slots || (slot !== null && blocks.slots.includes(slot)))))

/**
 * Figures of all living nodes, and of the whole under the empty key.
 * @param minutesOf how long a block takes a learner
 */
export function figuresOf(draft: Draft, rule: CompleteRule, minutesOf: (block: OutlineBlock) => number): Map<string, Figures> {
  const order = inOrder(draft.nodes).filter(({ gone }) => !gone)
  const blocks = blocksByNode(draft.blocks)
  const parents = new Set(order.map(({ node }) => node.parent))
  const sums = new Map<string, { blocks: Record<string, number>; minutes: number; complete: number; lessons: number }>()
  const found = new Map<string, Figures>()
  const sumOf = (key: string) => {
    const known = sums.get(key) ?? { blocks: {}, minutes: 0, complete: 0, lessons: 0 }
    sums.set(key, known)
    return known
  }
  // From the last to the first: what is below a node is known before it.
  for (const { node } of order.toReversed()) {
    const own = blocks.get(node.key) ?? []
    const sum = sumOf(node.key)
    for (const block of own) {
      sum.blocks[block.kind] = (sum.blocks[block.kind] ?? 0) + 1
      sum.minutes += minutesOf(block)
    }
    const asked = rule.each === 'lesson' ? node.kind === LESSON : !parents.has(node.key)
    const lacks = asked ? rule.needs.filter((need) => !isMet(need, node, own)) : []
    if (asked) {
      sum.lessons++
      if (lacks.length === 0) sum.complete++
    }
    const single = asked && !parents.has(node.key)
    found.set(node.key, { blocks: sum.blocks, minutes: sum.minutes, lessons: sum.lessons, lacks, met: single ? rule.needs.length - lacks.length : sum.complete, of: single ? rule.needs.length : sum.lessons })
    const above = sumOf(node.parent ?? '')
    for (const [kind, count] of Object.entries(sum.blocks)) above.blocks[kind] = (above.blocks[kind] ?? 0) + count
    above.minutes += sum.minutes
    above.complete += sum.complete
    above.lessons += sum.lessons
  }
  const all = sumOf('')
  return found.set('', { blocks: all.blocks, minutes: all.minutes, lessons: all.lessons, lacks: [], met: all.complete, of: all.lessons })
}

/** How much of a node is open: its own value, or that of the nearest one above that has one. */
export function openingOf({ nodes }: Draft, key: string): { free: number; trial_minutes: number | null } {
  for (let node = nodes.get(key); node; node = node.parent === null ? undefined : nodes.get(node.parent)) {
    if (node.free !== null) return { free: node.free, trial_minutes: node.trial_minutes }
  }
  return { free: FREE.paid, trial_minutes: null }
}
