
/** What a part of a question says. */
export interface Part {
  readonly place: string
  readonly text: string
}

/** Words that are left before and behind what differs, so that a reader finds it. */
const AROUND = 12
/** Longest of either side, as fields of errata take it. */
const LONGEST = 600

/** What is different between two texts, with a few words around it. */
function cut(before: string, after: string): [string, string] {
  const [a, b] = [[...before], [...after]]
  let start = 0
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  const shown = (chars: readonly string[]) => {
    const [from, to] = [Math.max(0, start - AROUND), Math.min(chars.length, chars.length - end + AROUND)]
    return `${from > 0 ? '…' : ''}${chars.slice(from, to).join('')}${to < chars.length ? '…' : ''}`
  }
  return [shown(a), shown(b)]
}

/** Says what was printed and what is right, part by part; undefined where nothing that is read differs. Pure. */
export function differences(before: readonly Part[], after: readonly Part[]): { wrong: string; right: string } | undefined {
  const places = [...new Set([...before, ...after].map(({ place }) => place))]
  // A blank with several answers has several parts of one name.
  const textOf = (parts: readonly Part[], place: string) => parts.filter((part) => part.place === place).map(({ text }) => text).join(' / ')
  const changed = places.flatMap((place) => {
    const [was, is] = [textOf(before, place), textOf(after, place)]
    if (was.replace(/\s/g, '') === is.replace(/\s/g, '')) return []
    const [wrong, right] = cut(was, is)
    return [{ wrong: `${place}：${wrong || '（无）'}`, right: `${place}：${right || '（删去）'}` }]
  })
  if (changed.length === 0) return undefined
  const joined = (side: 'wrong' | 'right') => changed.map((one) => one[side]).join('\n').slice(0, LONGEST)
  return { wrong: joined('wrong'), right: joined('right') }
}

