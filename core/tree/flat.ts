/** What a flat list of a tree needs to know of a node. */
export interface FlatNode {
  readonly id: number
  /** Nodes below it, at all levels. */
  readonly below: number
}

/** One row of a tree that is shown as a flat list. */
export interface FlatRow<Node extends FlatNode> {
  readonly node: Node
  /** 0 at the top. */
  readonly level: number
  readonly parent: FlatRow<Node> | undefined
  /** Place among its siblings, from 0, and how many they are. */
  readonly index: number
  readonly siblings: number
  readonly open: boolean
}

/** A place for a node: below a parent, null for the top, before one of its children or behind all of them. */
export interface Target {
  readonly parent: number | null
  readonly before: number | undefined
}

/**
 * The rows of a tree as far as it is open, in reading order.
 * @param children those of a node as far as they are known
 */
export function flatten<Node extends FlatNode>(top: readonly Node[], children: (id: number) => readonly Node[] | undefined, expanded: ReadonlySet<number>): FlatRow<Node>[] {
  const rows: FlatRow<Node>[] = []
  const walk = (nodes: readonly Node[], parent: FlatRow<Node> | undefined) => nodes.forEach((node, index) => {
    const row: FlatRow<Node> = { node, level: parent ? parent.level + 1 : 0, parent, index, siblings: nodes.length, open: node.below > 0 && expanded.has(node.id) }
    rows.push(row)
    if (row.open) walk(children(node.id) ?? [], row)
  })
  walk(top, undefined)
  return rows
}

const sibling = <Node extends FlatNode>(rows: readonly FlatRow<Node>[], row: FlatRow<Node>, by: number) =>
  rows.find((other) => other.parent === row.parent && other.index === row.index + by)

/** Where a row stands now. */
export function placeOf<Node extends FlatNode>(rows: readonly FlatRow<Node>[], row: FlatRow<Node>): Target {
  return { parent: row.parent?.node.id ?? null, before: sibling(rows, row, 1)?.node.id }
}

const same = (a: Target, b: Target) => a.parent === b.parent && a.before === b.before

/** How keys move a node: up and down among its siblings, below the one before it, out of its parent. */
const steps: Readonly<Record<string, <Node extends FlatNode>(rows: readonly FlatRow<Node>[], row: FlatRow<Node>) => Target | undefined>> = {
  ArrowUp: (rows, row) => {
    const before = sibling(rows, row, -1)
    return before && { parent: row.parent?.node.id ?? null, before: before.node.id }
  },
  ArrowDown: (rows, row) => (sibling(rows, row, 1) ? { parent: row.parent?.node.id ?? null, before: sibling(rows, row, 2)?.node.id } : undefined),
  ArrowRight: (rows, row) => {
    const before = sibling(rows, row, -1)
    return before && { parent: before.node.id, before: undefined }
  },
  ArrowLeft: (rows, row) => row.parent && { parent: row.parent.parent?.node.id ?? null, before: sibling(rows, row.parent, 1)?.node.id },
}

/** Where Alt and an arrow take a node; undefined where they take it nowhere. */
export function keyTarget<Node extends FlatNode>(rows: readonly FlatRow<Node>[], row: FlatRow<Node>, key: string): Target | undefined {
  return steps[key]?.(rows, row)
}

/** Where a dragged node would come to stand, and where the line that says so is drawn. */
export interface Drop extends Target {
  /** Rows above the line, and how far it is indented. */
  readonly gap: number
  readonly level: number
}

const isWithin = <Node extends FlatNode>(row: FlatRow<Node> | undefined, id: number): boolean => row !== undefined && (row.node.id === id || isWithin(row.parent, id))

/**
 * Where a node that is dragged to a gap between rows comes to stand. The pointer says the level as far as the rows around it
 * allow; nothing stands below itself.
 * @param gap rows above the pointer, 0 to the number of rows
 * @param level wished for
 * @returns undefined where it stands already
 */
export function dropTarget<Node extends FlatNode>(rows: readonly FlatRow<Node>[], dragged: number, gap: number, level: number): Drop | undefined {
  const own = rows.find(({ node }) => node.id === dragged)
  if (!own) return undefined
  let [above, under] = [gap - 1, gap]
  while (isWithin(rows[above], dragged)) above--
  while (isWithin(rows[under], dragged)) under++
  const [previous, next] = [rows[above], rows[under]]
  const at = Math.max(next?.level ?? 0, Math.min(level, previous ? previous.level + 1 : 0))
  const drop = (target: Target): Drop | undefined => (same(target, placeOf(rows, own)) ? undefined : { ...target, gap: above + 1, level: at })
  if (!previous) return drop({ parent: null, before: next?.node.id })
  if (at > previous.level) return drop({ parent: previous.node.id, before: next?.parent === previous ? next.node.id : undefined })
  let anchor = previous
  while (anchor.level > at && anchor.parent) anchor = anchor.parent
  let behind = sibling(rows, anchor, 1)
  if (behind?.node.id === dragged) behind = sibling(rows, anchor, 2)
  return drop({ parent: anchor.parent?.node.id ?? null, before: behind?.node.id })
}
