import Fuse from 'fuse.js'
import { firstPage, isExternal, joinPath, type ShellRoute } from './routes.ts'
import type { Spelling } from './spelling.ts'

/** A place of the menu that a search may find. */
export interface MenuEntry {
  /** Its own title after those of its groups. */
  readonly titles: readonly string[]
  readonly path: string
  /** Where it leads: its page, or for a group the first page of it. */
  readonly to: string
  /** It leads out of the console. */
  readonly external: boolean
}

/** An entry as it is shown: 课程管理 > 课程列表. */
export const entryText = ({ titles }: MenuEntry): string => titles.join(' > ')

/**
 * Everything of the menu that has a title and may be opened without knowing more: what is hidden is left out with all
 * below it, groups lead to their first permitted page unless they lead nowhere (shell.md 76, 77, 79).
 * @param routes what the person may open
 */
export function menuPool(routes: readonly ShellRoute[], parent = '', above: readonly string[] = []): MenuEntry[] {
  return routes.flatMap((route) => {
    if (route.hidden) return []
    const path = joinPath(parent, route.path)
    const titles = route.title ? [...above, route.title] : above
    const to = route.children && route.children.length > 0 ? firstPage(route, parent) : path
    const own = route.title && route.redirect !== 'noRedirect' && to !== undefined && !to.includes('/:') ? [{ titles, path, to, external: isExternal(to) }] : []
    return [...own, ...menuPool(route.children ?? [], path, titles)]
  })
}

/** Hits that are shown: a person who needs more types more. */
const MOST = 30

/** How well what was typed fits the spellings of a title, smaller is better; undefined: not at all. */
function spelt(titles: readonly string[], words: string, spell: (title: string) => Spelling): number | undefined {
  const ranks = titles.flatMap((title, place) => {
    const [initials = '', syllables = ''] = spell(title)
    const rank = initials === words ? 0 : initials.startsWith(words) ? 1 : initials.includes(words) ? 2 : syllables.startsWith(words) ? 3 : syllables.includes(words) ? 4 : undefined
    // The entry's own title says more than those of its groups.
    return rank === undefined ? [] : [rank + (place === titles.length - 1 ? 0 : 5)]
  })
  return ranks.length > 0 ? Math.min(...ranks) : undefined
}

/**
 * Makes the search over a pool (spec 2, 9: fuzzy, threshold 0.4, weights 0.7 title and 0.3 path).
 * The place of a hit within a long path does not matter; what holds the words as they were typed comes first, then what
 * is spelt like them, then what is merely similar.
 * @param spell how a title is typed on a Latin keyboard
 * @returns finds entries, the best first; nothing for no words
 */
export function menuSearch(pool: readonly MenuEntry[], spell: (title: string) => Spelling): (words: string) => MenuEntry[] {
  const fuse = new Fuse(pool, {
    shouldSort: true, threshold: 0.4, distance: 100, minMatchCharLength: 1, ignoreLocation: true, keys: [{ name: 'titles', weight: 0.7 }, { name: 'path', weight: 0.3 }],
  })
  return (typed) => {
    const words = typed.trim().toLowerCase()
    if (words === '') return []
    const similar = fuse.search(words).map(({ item }) => item)
    const holds = ({ titles, path }: MenuEntry) => titles.at(-1)?.toLowerCase().includes(words) === true || path.toLowerCase().includes(words)
    const bare = words.replace(/\s+/g, '')
    const spoken = /^[a-z]+$/.test(bare)
      ? pool.flatMap((entry) => {
        const rank = spelt(entry.titles, bare, spell)
        return rank === undefined ? [] : [{ entry, rank }]
      }).sort((a, b) => a.rank - b.rank).map(({ entry }) => entry)
      : []
    return [...new Set([...similar.filter(holds), ...spoken, ...similar])].slice(0, MOST)
  }
}
