import { searchSchema, type Search } from './calls.ts'

/** Filters that stand in the address of a bank, with how they are read from texts. Page and cursor stay out of it. */
const LISTS = ['types', 'category_ids', 'difficulties', 'label_ids', 'catalog_ids', 'source_years', 'region_ids', 'exercise_types', 'statuses', 'owner_ids', 'verifier_ids'] as const
const WORD_LISTS = ['sources', 'tags', 'flags'] as const
const NUMBERS = ['cat_id', 'has_video', 'has_analysis', 'has_image', 'unlabelled', 'duplicated', 'flagged', 'reported', 'basket', 'product', 'gaokao_type', 'partwork_id', 'version_id', 'page_size'] as const
const WORDS = ['keyword', 'sort', 'label_scope'] as const

/** Keys of filters, without subject, order and page: what 重置 takes away. */
export const FILTER_KEYS: readonly (keyof Search)[] = [...LISTS, ...WORD_LISTS, ...NUMBERS.filter((key) => key !== 'cat_id' && key !== 'page_size'), 'keyword', 'label_scope']

/** Reads the filters of an address; what makes no sense is left out, so that an old link still opens. */
export function parseSearch(query: URLSearchParams): Search {
  const found: Record<string, unknown> = {}
  for (const key of LISTS) if (query.has(key)) found[key] = query.getAll(key).map(Number)
  for (const key of WORD_LISTS) if (query.has(key)) found[key] = query.getAll(key)
  for (const key of NUMBERS) if (query.has(key)) found[key] = Number(query.get(key))
  for (const key of WORDS) if (query.has(key)) found[key] = query.get(key)
  const whole = searchSchema.safeParse(found)
  if (whole.success) return whole.data
  return Object.fromEntries(Object.entries(found).filter(([key, value]) => searchSchema.safeParse({ [key]: value }).success)) as Search
}

/** The address of filters. */
export function formatSearch(search: Search): URLSearchParams {
  const query = new URLSearchParams()
  for (const key of [...LISTS, ...WORD_LISTS]) for (const value of search[key] ?? []) query.append(key, String(value))
  for (const key of NUMBERS) if (search[key] !== undefined) query.set(key, String(Number(search[key])))
  for (const key of WORDS) if (search[key]) query.set(key, String(search[key]))
  return query
}

/** Filters changed in part; an undefined or empty value takes one away. */
export function changeSearch(search: Search, part: Partial<Search>): Search {
  return Object.fromEntries(Object.entries({ ...search, ...part }).filter(([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0))) as Search
}

/** Number of filters that narrow a list. */
export function countFilters(search: Search): number {
  return FILTER_KEYS.filter((key) => search[key] !== undefined).length
}
