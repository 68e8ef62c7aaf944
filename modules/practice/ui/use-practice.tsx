import { useQuery } from '@tanstack/react-query'
import { call } from '../../../core/endpoint/call.tsx'
import { cats } from '../../reference/module.ts'
import { getPractice, practiceCategories, practicePeople, readBasket } from '../bank/calls.ts'
import { versionInfo } from '../textbook/calls.ts'

/** Subjects of a stage, within the person's reach. */
export function useSubjects(level?: 0 | 1 | 2) {
  const { data } = useQuery({
    queryKey: ['subjects', level ?? 9], queryFn: ({ signal }) => call(cats, { education_level: level === undefined ? '9' : String(level) as '0' }, { signal }), staleTime: 60_000,
  })
  return data?.subjects ?? []
}

/** Reads one question with all that belongs to it. */
export const practiceQuery = (id: number) => ({
  queryKey: ['practice', id], queryFn: ({ signal }: { signal: AbortSignal }) => call(getPractice, undefined, { params: { id }, signal, quiet: true }),
})

/** Kinds of questions of a subject, or of none while it is not known. */
export function useCategories(subjectId: number | undefined) {
  const { data } = useQuery({
    queryKey: ['practice-category', subjectId], queryFn: ({ signal }) => call(practiceCategories, { cat_id: String(subjectId) }, { signal }), enabled: subjectId !== undefined, staleTime: 300_000,
  })
  return data?.practice_category ?? []
}

export function usePeople() {
  const { data } = useQuery({ queryKey: ['practice-people'], queryFn: ({ signal }) => call(practicePeople, undefined, { signal }), staleTime: 300_000 })
  return data ?? { owners: [], verifiers: [] }
}

/** Versions of the textbooks of a subject with their books. */
export function useVersions(subjectId: number | undefined) {
  const { data } = useQuery({ queryKey: ['versions', subjectId], queryFn: ({ signal }) => call(versionInfo, { cat_id: String(subjectId) }, { signal }), enabled: subjectId !== undefined, staleTime: 300_000 })
  return data?.data ?? []
}

export function useBasket() {
  const { data } = useQuery({ queryKey: ['practice-basket'], queryFn: ({ signal }) => call(readBasket, undefined, { signal, quiet: true }), staleTime: 30_000 })
  return data ?? { count: 0, ids: [] }
}
