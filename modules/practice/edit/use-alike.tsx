import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { assetsOf, plainText } from '../../../core/rich-text/rich-doc.ts'
import { findAlike, type Alike, type Written } from './calls.ts'
import { tidy } from './written.ts'

/** How long the typing rests before the bank is asked, in milliseconds. */
const REST = 1200
/** A shorter stem is like too many others, unless there is a picture. */
const SHORTEST = 8

/** Questions of the bank that are like the one that is being typed. */
export function useAlike(written: Written, exceptId: number | undefined): { items: readonly Alike[]; searching: boolean } {
  const [asked, setAsked] = useState<Written>()
  useEffect(() => {
    const wait = window.setTimeout(() => setAsked(written), REST)
    return () => window.clearTimeout(wait)
  }, [written])
  const wording = asked ? JSON.stringify([asked.content.stem, asked.content.options, asked.content.children.length]) : ''
  const enough = asked !== undefined && (plainText(asked.content.stem).length >= SHORTEST || [asked.content.stem, ...asked.content.options.map(({ doc }) => doc)].some((doc) => assetsOf(doc).length > 0))
  const { data, isFetching } = useQuery({
    queryKey: ['practice-alike', asked?.facts.subject_id, exceptId, wording], enabled: enough, staleTime: 60_000, placeholderData: keepPreviousData,
    queryFn: ({ signal }) => (asked ? call(findAlike, { content: tidy(asked.content), cat_id: asked.facts.subject_id, ...(exceptId !== undefined && { except_id: exceptId }) }, { signal, quiet: true, keepEmpty: true }) : { items: [], total: 0 }),
  })
  const items = enough ? data?.items : undefined
  return useMemo(() => ({ items: items ?? [], searching: isFetching }), [items, isFetching])
}
