import type { Queryable } from '../../core/database/database.server.ts'
import { notFound, notGranted } from '../../core/error/error.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { generateKeyBetween } from 'fractional-indexing'
import type { Change } from './changes.ts'
import { byPlace, childrenOf, isLiving } from './draft.ts'
import { applyToOutline } from './edit.server.ts'
import { newNode } from './node.ts'
import { publish } from './publish.server.ts'
import { replaceChanges, type Content, type Replaced } from './replace.ts'
import { findOutline, readStored } from './store.server.ts'

/** The lesson that holds what is given without naming one. */
const WHOLE = { key: 'whole', name: '课程内容' } as const

/**
 * Makes a node show exactly these things in this order, and publishes the outline at once: for callers that know neither
 * drafts nor versions.
 * @param nodeId id of a living node; without one the outline's first lesson for everything, which is made when it is missing
 * @throws AppError when the person may not edit and publish it, or something of it cannot be shown
 */
export async function replaceContents(tx: Queryable, staff: Staff, outlineId: number, nodeId: number | undefined, contents: readonly Content[]): Promise<Replaced & { node_id: number; version_no: number }> {
  const { row, owner } = await findOutline(tx, staff, outlineId, 'publish', true)
  if (!staff.modules.has(owner.grants.edit)) throw notGranted(`${owner.label} · 新增和编辑`)
  const stored = await readStored(tx, row.id)
  const { nodes, blocks } = stored.draft
  const before: Change[] = []
  const key = nodeId === undefined ? WHOLE.key : [...stored.ids].find(([, id]) => id === nodeId)?.[0]
  if (nodeId === undefined) {
    const first = (childrenOf(nodes).get(null) ?? [])[0]?.ord ?? null
    if (!nodes.has(WHOLE.key)) before.push({ do: 'add', nodes: [newNode({ key: WHOLE.key, parent: null, ord: generateKeyBetween(null, first) }, { name: WHOLE.name })] })
    else if (!isLiving(nodes, WHOLE.key)) before.push({ do: 'restore', keys: [WHOLE.key] })
  } else if (key === undefined || !isLiving(nodes, key)) throw notFound('课程目录节点')
  const node = key ?? WHOLE.key
  const { changes, ...replaced } = replaceChanges(node, [...blocks.values()].filter((block) => block.node === node).toSorted(byPlace), contents)
  const all = [...before, ...changes]
  const after = all.length === 0 ? row : (await applyToOutline(tx, staff.id, row, owner, all, stored)).row
  const version_no = await publish(tx, staff.id, after, '接口更新课程内容')
  return { ...replaced, node_id: (await readStored(tx, row.id)).ids.get(node) ?? 0, version_no }
}
