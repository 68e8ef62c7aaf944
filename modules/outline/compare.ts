/** What is different between two states of an outline, as people say it. Pure. */
import { above, inOrder, isLiving, type Draft } from './draft.ts'
import { FREE, FREE_CHOICES, NODE_KINDS, UNLOCK, UNLOCK_CHOICES, type OutlineBlock, type OutlineNode } from './node.ts'

export const MARKS = { added: '新', changed: '改', moved: '移', gone: '删' } as const
export type Mark = keyof typeof MARKS

/** One thing that is different. */
export interface Difference {
  readonly what: string
  readonly from: string | null
  readonly to: string | null
  /** The block that it is about. */
  readonly block?: string
}

/** A node that is different. */
export interface NodeDifference {
  readonly key: string
  readonly name: string
  readonly mark: Mark
  readonly lines: readonly Difference[]
}

/** What differences name beside themselves. */
export interface Names {
  /** 视频 单调性与最大值 */
  block(block: OutlineBlock): string
  kind(kind: string): string
  slot(block: OutlineBlock): string | null
  day(seconds: number): string
}

const nameOfChoice = (choices: readonly { readonly value: number; readonly label: string }[], value: number) => choices.find((choice) => choice.value === value)?.label ?? ''

/** 试看 3 分钟 */
export function openingWords({ free, trial_minutes }: { readonly free: number | null; readonly trial_minutes: number | null }): string {
  if (free === null) return '同上级'
  return free === FREE.trial && trial_minutes !== null ? `试看 ${trial_minutes} 分钟` : nameOfChoice(FREE_CHOICES, free)
}

/** 成绩达到 60% */
export function unlockWords({ unlock, unlock_score, open_at }: Pick<OutlineNode, 'unlock' | 'unlock_score' | 'open_at'>, day: Names['day']): string {
  if (unlock === UNLOCK.date && open_at !== null) return day(open_at)
  return unlock === UNLOCK.score && unlock_score !== null ? `成绩达到 ${unlock_score}%` : nameOfChoice(UNLOCK_CHOICES, unlock)
}

const line = (what: string, from: string | null, to: string | null, block?: string): Difference[] => (from === to ? [] : [{ what, from, to, ...(block !== undefined && { block }) }])

function nodeLines(old: OutlineNode, node: OutlineNode, names: Names): Difference[] {
  return [
    ...line('名称', old.name, node.name),
    ...line('类型', nameOfChoice(NODE_KINDS, old.kind), nameOfChoice(NODE_KINDS, node.kind)),
    ...line('开放', openingWords(old), openingWords(node)),
    ...line('解锁', unlockWords(old, names.day), unlockWords(node, names.day)),
    ...(old.label_ids.join() === node.label_ids.join() ? [] : line('标签', `${old.label_ids.length} 个`, `${node.label_ids.length} 个，已调整`)),
    ...(old.chapter_id === node.chapter_id ? [] : [{ what: '教材章节', from: old.chapter_id === null ? '未对应' : '原章节', to: node.chapter_id === null ? '未对应' : '新章节' }]),
  ]
}

const versionWords = (no: number | null) => (no === null ? '跟最新版' : `锁定 v${no}`)

function blockLines(old: OutlineBlock | undefined, block: OutlineBlock | undefined, names: Names): Difference[] {
  const known = block ?? old
  if (!known) return []
  const kind = names.kind(known.kind)
  if (!old || !block) return line(kind, old ? names.block(old) : null, block ? names.block(block) : null, known.key)
  return [
    ...(old.ref_id === block.ref_id ? [] : line(kind, names.block(old), names.block(block), block.key)),
    ...line(`${kind}用途`, names.slot(old), names.slot(block), block.key),
    ...line(`${kind}版本`, versionWords(old.version_no), versionWords(block.version_no), block.key),
    ...line(`${kind}标题`, old.title, block.title, block.key),
    ...(old.text === block.text ? [] : [{ what: `${kind}正文`, from: `${old.text.length} 字`, to: `${block.text.length} 字，已修改`, block: block.key }]),
  ]
}

/** Place of each living node among its living siblings that stand below the same parent in both states. */
function ranks(draft: Draft, other: Draft): Map<string, number> {
  const counts = new Map<string | null, number>()
  return new Map(inOrder(draft.nodes).filter(({ node, gone }) => !gone && other.nodes.get(node.key)?.parent === node.parent && isLiving(other.nodes, node.key)).map(({ node }) => {
    const rank = counts.get(node.parent) ?? 0
    counts.set(node.parent, rank + 1)
    return [node.key, rank]
  }))
}

/** Keys of siblings that moved: the fewest whose moving explains the new order. */
function movedAmong(draft: Draft, before: ReadonlyMap<string, number>): Set<string> {
  const moved = new Set<string>()
  const kept = inOrder(draft.nodes).flatMap(({ node }) => (before.has(node.key) ? [node] : []))
  for (const siblings of Map.groupBy(kept, ({ parent }) => parent).values()) {
    // The longest run of rising places stayed where it was.
    const tails: number[] = []
    const previous: number[] = []
    siblings.forEach(({ key }, index) => {
      const rank = before.get(key) ?? 0
      let at = tails.findIndex((tail) => (before.get(siblings[tail]?.key ?? '') ?? 0) >= rank)
      if (at < 0) at = tails.length
      previous[index] = at === 0 ? -1 : tails[at - 1] ?? -1
      tails[at] = index
    })
    const stayed = new Set<number>()
    for (let at = tails.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) stayed.add(at)
    siblings.forEach(({ key }, index) => { if (!stayed.has(index)) moved.add(key) })
  }
  return moved
}

/**
 * What a person would have to be shown between two states, node by node in the order of the second; what is gone comes
 * behind. Nodes below one that is gone are not named beside it.
 */
export function compare(before: Draft, after: Draft, names: Names): NodeDifference[] {
  const moved = movedAmong(after, ranks(before, after))
  const blocks = new Map<string, Difference[]>()
  const tell = (node: string, lines: Difference[]) => { if (lines.length > 0) blocks.set(node, [...(blocks.get(node) ?? []), ...lines]) }
  for (const key of new Set([...before.blocks.keys(), ...after.blocks.keys()])) {
    const [old, block] = [before.blocks.get(key), after.blocks.get(key)]
    if (old === block) continue
    if (old && block && old.node !== block.node) {
      tell(old.node, blockLines(old, undefined, names))
      tell(block.node, blockLines(undefined, block, names))
    } else tell((block ?? old)?.node ?? '', blockLines(old, block, names))
  }
  const found: NodeDifference[] = []
  for (const { node, gone } of inOrder(after.nodes)) {
    if (gone) continue
    const old = isLiving(before.nodes, node.key) ? before.nodes.get(node.key) : undefined
    const lines = [...(old && old !== node ? nodeLines(old, node, names) : []), ...(blocks.get(node.key) ?? [])]
    const place = old && old.parent !== node.parent ? line('位置', parentName(before, node.key), parentName(after, node.key)) : old && moved.has(node.key) ? [{ what: '位置', from: null, to: '同级顺序已调整' }] : []
    if (!old) found.push({ key: node.key, name: node.name, mark: 'added', lines })
    else if (lines.length > 0) found.push({ key: node.key, name: node.name, mark: 'changed', lines: [...place, ...lines] })
    else if (place.length > 0) found.push({ key: node.key, name: node.name, mark: 'moved', lines: place })
  }
  for (const { node, gone } of inOrder(before.nodes)) {
    if (gone || isLiving(after.nodes, node.key)) continue
    // Of a branch that is gone only its top is named.
    if (node.parent === null || isLiving(after.nodes, node.parent)) found.push({ key: node.key, name: node.name, mark: 'gone', lines: [] })
  }
  return found
}

function parentName({ nodes }: Draft, key: string): string {
  const parent = above(nodes, key).at(-1)
  return parent === undefined ? '顶层' : nodes.get(parent)?.name ?? ''
}

/** How many nodes carry each mark. */
export function countMarks(differences: readonly NodeDifference[]): Record<Mark, number> {
  const counts: Record<Mark, number> = { added: 0, changed: 0, moved: 0, gone: 0 }
  for (const { mark } of differences) counts[mark]++
  return counts
}
