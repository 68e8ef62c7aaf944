import { useQuery } from '@tanstack/react-query'
import { call } from '../endpoint/call.tsx'
import type { Resource } from '../resource/define.ts'
import { printChoices, type TemplateChoice } from './calls.ts'

/** The choices change seldom, and a list asks for them each time that somebody opens a record. */
const STALE = 5 * 60_000

/** Templates by which records of a resource can be printed; none until they are known. */
export function useTemplates(resource: Resource): readonly TemplateChoice[] {
  const { data } = useQuery({ queryKey: ['print-choices'], staleTime: STALE, queryFn: ({ signal }) => call(printChoices, undefined, { signal, quiet: true }) })
  return data?.items.filter((one) => one.resource === resource.name) ?? []
}
