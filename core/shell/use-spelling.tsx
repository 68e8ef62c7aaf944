import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { spellingOf, type Spelling } from './spelling.ts'

/**
 * How titles are typed on a Latin keyboard. The dictionary is large, so it is fetched when somebody begins to search.
 * @param name names the titles; the same name means the same titles
 */
export function useSpelling(name: string, titles: readonly string[], wanted: boolean): (title: string) => Spelling {
  const { data } = useQuery({
    queryKey: ['spelling', name, titles.length],
    queryFn: async () => {
      const { pinyin } = await import('pinyin-pro')
      return new Map(titles.map((title) => [title, spellingOf(pinyin(title, { toneType: 'none', type: 'array' }))]))
    },
    enabled: wanted,
    staleTime: Infinity,
  })
  return useCallback((title: string) => data?.get(title) ?? [], [data])
}
