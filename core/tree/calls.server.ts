import type { Queryable } from '../database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../endpoint/serve.server.ts'
import { badRequest } from '../error/error.ts'
import type { Kernel } from '../kernel/kernel.server.ts'
import type { Resource } from '../resource/define.ts'
import { referrersOf } from '../resource/calls.server.ts'
import { recordsWritten } from '../resource/list.server.ts'
import { lockTree } from '../resource/tree.server.ts'
import type { Registered } from '../resource/uses.server.ts'
import type { Query } from '../resource/where.server.ts'
import { rowsOf } from '../sheet/uploaded.server.ts'
import { checkFixed } from '../transfer/calls.server.ts'
import { applySheet } from './apply-sheet.server.ts'
import { treeEndpoints, type TreeNode } from './calls.ts'
import { keepUndo } from '../resource/keep-undo.server.ts'
import { mergeNodes, type TreeContext } from './change.server.ts'
import { readLevels } from './level-sheet.ts'
import { lockNode, moveRecord } from './move.server.ts'
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
  /** A node as it is answered after it was changed. */
  const shown = async (call: Call, tx: Queryable, id: number): Promise<TreeNode> => (await readNodeWithPath(tx, service, call.staff, id)).node
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
    served.push(handle(endpoints.move, (call) => call.transaction(async (tx) => {
      const moved = await moveRecord(tx, context(call), idParam(call), call.input)
      const undo = await keepUndo(tx, { resource, staff: call.staff, action: 'move' }, [moved])
      return { ...await shown(call, tx, moved.record.id), ...(undo !== undefined && { undo }) }
    }, { action: 'move' })))
  }
  if (endpoints.merge) {
    served.push(handle(endpoints.merge, (call) => call.transaction(async (tx) => {
      await lockTree(tx, resource.table)
      recordsWritten(tx, resource.table)
      const from = await lockNode(tx, context(call), idParam(call), call.input.rev)
      const into = await lockNode(tx, context(call), call.input.into_id)
      await mergeNodes(tx, registry, context(call), from, into)
      return shown(call, tx, into.id)
    }, { action: 'merge' })))
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
