import { useQuery } from '@tanstack/react-query'
import type { GrantGroup } from '../../core/module/serve.server.ts'
import type { Spell } from './grant-set.ts'

/**
 * Spellings of every title of the tree: initials and whole syllables. The dictionary is large, so it is fetched when
 * somebody begins to search.
 */
export function useSpelling(tree: readonly GrantGroup[], wanted: boolean): Spell {
  const { data } = useQuery({
    queryKey: ['spelling', 'grants', tree.length],
    queryFn: async () => {
      const { pinyin } = await import('pinyin-pro')
      const titles = new Set(tree.flatMap((group) => [group.title, ...group.screens.flatMap((screen) => [screen.title, ...(screen.children ?? []).map((child) => child.title)])]))
      return new Map([...titles].map((title) => {
        const syllables = pinyin(title, { toneType: 'none', type: 'array' }).map((syllable) => syllable.toLowerCase())
        return [title, [syllables.map((syllable) => syllable[0] ?? '').join(''), syllables.join('')]]
      }))
    },
    enabled: wanted,
    staleTime: Infinity,
  })
  return (title) => data?.get(title) ?? []
}
