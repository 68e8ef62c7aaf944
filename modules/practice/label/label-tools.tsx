import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { call } from '../../../core/endpoint/call.tsx'
import { knowledgeLabel, microLabel, practiceLabel, type LabelKind } from './label.ts'
import { pLabels, type LabelNode } from './calls.ts'
import type { Resource } from '../../../core/resource/define.ts'

/** The resource of each kind of labels. */
export const LABEL_RESOURCES: Readonly<Record<LabelKind, Resource>> = { knowledge: knowledgeLabel, practice: practiceLabel, micro: microLabel }

/** One level of a tree. */
export const readLabels = async (kind: LabelKind, subjectId: number, pid: number | undefined, signal?: AbortSignal): Promise<readonly LabelNode[]> =>
  (await call(pLabels, { kind, cat_id: String(subjectId), ...(pid !== undefined && { pid: String(pid) }) }, { ...(signal && { signal }), quiet: true })).p_labels

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
    await Promise.all(['labels', 'label-node', 'label-coverage', 'label-orphans', 'find-labels', 'select-labels', 'record', 'history'].map((key) => client.invalidateQueries({ queryKey: [key] })))
  }
}
