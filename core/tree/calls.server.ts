import type { Queryable } from '../database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../endpoint/serve.server.ts'
import { badRequest } from '../error/error.ts'
import type { Kernel } from '../kernel/kernel.server.ts'
import type { Resource } from '../resource/define.ts'
import { referrersOf } from '../resource/calls.server.ts'
import { present, recordsWritten, type Row } from '../resource/list.server.ts'
import { lockTree } from '../resource/tree.server.ts'
import type { Registered } from '../resource/uses.server.ts'
import type { Query } from '../resource/where.server.ts'
import { checkRev, lockToChange } from '../resource/write.server.ts'
import { rowsOf } from '../sheet/uploaded.server.ts'
import { checkFixed } from '../transfer/calls.server.ts'
import { applySheet } from './apply-sheet.server.ts'
import { treeEndpoints, type TreeNode } from './calls.ts'
import { mergeNodes, moveNode, type TreeContext } from './change.server.ts'
import { readLevels } from './level-sheet.ts'
import type { NodeRow } from '../resource/tree-place.server.ts'
import { findNodes, readLevel, readNodeWithPath } from './read.server.ts'
import { factsOf, sendSheet } from './sheet.server.ts'

/** The calls of one tree, answered; none for a resource that is no tree. */
export function treeCalls(service: Registered, { registry, files }: Pick<Kernel, 'registry' | 'files'>): Served[] {
  const { resource } = service
  const { tree } = resource
  if (!tree) return []
  const endpoints = treeEndpoints(resource, referrersOf(registry, resource.name))
  const targets = new Map<string, Resource>([...registry].map(([name, known]) => [name, known.resource]))
  const context = (call: Pick<Call, 'staff'>): TreeContext => ({ service, staff: call.staff })
  const lock = async (call: Call, tx: Queryable, id: number, rev?: number): Promise<NodeRow> => {
    const row = await lockToChange(tx, service, call.staff, id)
    if (rev !== undefined) await checkRev(tx, row, rev, (stale: Row) => present(resource, call.staff, stale))
    return row as NodeRow
  }
  /** Changes the tree alone, and answers a node of it. */
  const change = (call: Call, action: string, work: (tx: Queryable) => Promise<number>): Promise<TreeNode> => {
    return call.transaction(async (tx) => {
      await lockTree(tx, resource.table)
      recordsWritten(tx, resource.table)
      return (await readNodeWithPath(tx, service, call.staff, await work(tx))).node
    }, { action })
  }
  /** What says which tree is meant, whole and within reach. */
  const groupOf = async (call: Call, given: Readonly<Record<string, unknown>>) => {
    const values = Object.fromEntries(tree.group.map((key) => [key, given[key] === undefined ? undefined : Number(given[key])]))
    const missing = tree.group.find((key) => !Number.isSafeInteger(values[key]))
    if (missing !== undefined) throw badRequest(`请选择${resource.fields[missing]?.label ?? missing}`)
    return checkFixed(call.db, call.staff, resource, targets, values)
  }
  const served: Served[] = [
    handle(endpoints.level, async (call) => ({ items: await readLevel(call.db, service, call.staff, call.input as Query) })),
    handle(endpoints.find, async (call) => ({ items: await findNodes(call.db, service, call.staff, call.input as Query) })),
    handle(endpoints.node, (call) => readNodeWithPath(call.db, service, call.staff, idParam(call))),
  ]
  if (endpoints.move) {
    served.push(handle(endpoints.move, (call) => change(call, 'move', async (tx) => {
      const { parent_id, before_id, rev } = call.input
      const node = await lock(call, tx, idParam(call), rev)
      // Within reach as the node is; nobody takes it away meanwhile.
      if (parent_id !== null && parent_id !== node.parent_id) await lock(call, tx, parent_id)
      return (await moveNode(tx, context(call), node, parent_id, before_id)).id
    })))
  }
  if (endpoints.merge) {
    served.push(handle(endpoints.merge, (call) => change(call, 'merge', async (tx) => {
      const from = await lock(call, tx, idParam(call), call.input.rev)
      const into = await lock(call, tx, call.input.into_id)
      await mergeNodes(tx, registry, context(call), from, into)
      return into.id
    })))
  }
  if (endpoints.writeSheet) served.push(handle(endpoints.writeSheet, async (call) => sendSheet(call, service, await groupOf(call, call.input))))
  if (endpoints.readSheet) {
    served.push(handle(endpoints.readSheet, async (call) => {
      const { file_id, mode, write, group = {} } = call.input
      const values = await groupOf(call, group)
      const { nodes, problems } = readLevels(await rowsOf(files, call, file_id), tree.levels, longestName(resource), factsOf(resource))
      if (write && problems.length > 0) throw badRequest(`表格还有 ${problems.length} 处问题，请改好后重新上传`)
      return call.transaction(async (tx) => {
        await lockTree(tx, resource.table)
        if (write) recordsWritten(tx, resource.table)
        return { nodes: nodes.length, problems: problems.slice(0, 100), effect: await applySheet(tx, context(call), nodes, { values, mode, write }), written: write }
      }, { action: 'import' })
    }))
  }
  return served
}

/** Most characters of a node's name. */
function longestName({ fields, title }: Resource): number {
  const field = fields[title]
  return field && 'max' in field && typeof field.max === 'number' ? field.max : 60
}
