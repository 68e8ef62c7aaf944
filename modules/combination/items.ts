/** What a combination consists of: content in order, cut into pages. Pure. */
import * as z from 'zod/mini'

/** Kinds of content that a combination may hold, in the order in which they are offered. */
export const ITEM_KINDS = ['video', 'micro', 'paper', 'practice', 'image', 'audio', 'file', 'text'] as const
/** Most items: more is a course. */
export const MAX_ITEMS = 200

const itemSchema = z.object({
  /** Made by the one who adds the item, so that two editors and a version name the same thing. */
  key: z.string('编号不正确').check(z.regex(/^[\w-]{1,24}$/, '编号不正确')),
  kind: z.enum(ITEM_KINDS, '内容类型不正确'),
  /** Id of what it shows; 0 for words. */
  ref_id: z.int('内容不正确').check(z.gte(0, '内容不正确')),
  /** Said in place of the name of what it shows. */
  title: z.string('标题应为文字').check(z.trim(), z.maxLength(80, '标题最多 80 个字')),
  text: z.string('正文应为文字').check(z.maxLength(2000, '正文最多 2000 个字')),
  /** A new page begins with it. */
  page: z.boolean('分页不正确'),
})
export type CombinationItem = z.infer<typeof itemSchema>

export const itemsSchema: z.ZodMiniType<CombinationItem[]> = z.array(itemSchema, '内容有误').check(
  z.maxLength(MAX_ITEMS, `最多 ${MAX_ITEMS} 项内容`), z.refine((list) => new Set(list.map(({ key }) => key)).size === list.length, '内容有重复，请刷新后重试'),
)

/** An item with the values that one begins with. */
export const newItem = (values: Pick<CombinationItem, 'kind' | 'ref_id'> & Partial<CombinationItem>): CombinationItem =>
  ({ key: crypto.randomUUID().replaceAll('-', '').slice(0, 16), title: '', text: '', page: false, ...values })

/** Items page by page; there is always one page. */
export function pagesOf(items: readonly CombinationItem[]): CombinationItem[][] {
  const pages: CombinationItem[][] = [[]]
  for (const [place, item] of items.entries()) {
    if (item.page && place > 0) pages.push([])
    pages.at(-1)?.push(item)
  }
  return pages
}

/** What is edited piece by piece: each has a name that stays. */
interface Keyed {
  readonly key: string
}

/** Puts items before another, or at the end. Those that are there already come from where they were. */
export function place<Item extends Keyed>(items: readonly Item[], moved: readonly Item[], before: string | undefined): Item[] {
  const keys = new Set(moved.map(({ key }) => key))
  const rest = items.filter(({ key }) => !keys.has(key))
  // Before one that moves along means before the next that stays.
  const from = before === undefined ? -1 : items.findIndex(({ key }) => key === before)
  const stays = from < 0 ? undefined : items.slice(from).find(({ key }) => !keys.has(key))?.key
  const at = stays === undefined ? rest.length : rest.findIndex(({ key }) => key === stays)
  return [...rest.slice(0, at), ...moved, ...rest.slice(at)]
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/**
 * What two people made of the same items. What one of them removed is gone, what one changed is changed, what both changed is
 * as mine; what I added stands behind what it stood behind.
 * @param base what both began with
 */
export function merge<Item extends Keyed>(base: readonly Item[], mine: readonly Item[], theirs: readonly Item[]): Item[] {
  const [was, own, other] = [base, mine, theirs].map((list) => new Map(list.map((item) => [item.key, item])))
  if (!was || !own || !other) return [...theirs]
  const common = (list: readonly Item[]) => list.map(({ key }) => key).filter((key) => was.has(key) && own.has(key) && other.has(key))
  const reordered = common(mine).join() !== common(base).join()
  const kept = (key: string): Item | undefined => {
    const [before, now, then] = [was.get(key), own.get(key), other.get(key)]
    if (before && (!now || !then)) return undefined
    return now && (!before || !same(before, now)) ? now : then ?? now
  }
  // The order of whoever moved something, with what the other added behind what it stood behind.
  const [first, second] = reordered ? [mine, theirs] : [theirs, mine]
  const order = first.map(({ key }) => key)
  for (const [at, { key }] of second.entries()) {
    if (order.includes(key)) continue
    const behind = second.slice(0, at).findLast((item) => order.includes(item.key))
    order.splice(behind === undefined ? 0 : order.indexOf(behind.key) + 1, 0, key)
  }
  return order.flatMap((key) => kept(key) ?? [])
}
