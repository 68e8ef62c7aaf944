import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { call } from '../../../core/endpoint/call.tsx'
import { knowledgeLabel, microLabel, practiceLabel, type LabelKind } from './label.ts'
import { pLabels, type LabelNode } from './calls.ts'
import { treeEndpoints } from '../../../core/tree/calls.ts'
import type { Resource } from '../../../core/resource/define.ts'

/** The resource of each kind of labels. */
export const LABEL_RESOURCES: Readonly<Record<LabelKind, Resource>> = { knowledge: knowledgeLabel, practice: practiceLabel, micro: microLabel }

/** One level of a tree. */
export const readLabels = async (kind: LabelKind, subjectId: number, pid: number | undefined, signal?: AbortSignal): Promise<readonly LabelNode[]> =>
  (await call(pLabels, { kind, cat_id: String(subjectId), ...(pid !== undefined && { pid: String(pid) }) }, { ...(signal && { signal }), quiet: true })).p_labels

/** Moves a label below another, null for the top, before one of its children or behind all of them. */
export function moveLabel(node: LabelNode, parent_id: number | null, before_id?: number): Promise<unknown> {
  const { move } = treeEndpoints(LABEL_RESOURCES[node.kind])
  return move ? call(move, { parent_id, rev: node.rev, ...(before_id !== undefined && { before_id }) }, { params: { id: node.id }, keepEmpty: true }) : Promise.resolve()
}

/** Knowledge hangs under one root for each subject, which says nothing to people; the other kinds have no such root. */
export function subjectTop(client: QueryClient, kind: LabelKind, subjectId: number): Promise<number | undefined> {
  return client.fetchQuery({
    queryKey: ['label-root', kind, subjectId], staleTime: Infinity,
    queryFn: async () => {
      const roots = await readLabels(kind, subjectId, undefined)
      return kind === 'knowledge' && roots.length === 1 ? roots[0]?.id ?? null : null
    },
  }).then((id) => id ?? undefined)
}

/** Everything that shows labels reads them again. */
export function useReloadLabels(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await Promise.all(['tree', 'labels', 'label-node', 'label-coverage', 'label-orphans', 'find-labels', 'select-labels', 'record', 'history'].map((key) => client.invalidateQueries({ queryKey: [key] })))
  }
}
