import * as z from 'zod/mini'

/** Highest price of a package or of goods in it, in fen: one hundred thousand yuan. */
export const MAX_PRICE = 10_000_000

const fen = (label: string) => z.int(`${label}最多两位小数`).check(z.gte(1, `${label}应大于 0`), z.lte(MAX_PRICE, `${label}过大`))

/** Goods of some line of orders, as people chose them; the name is what they were called then. */
export const goodSchema = z.object({
  /** Name of the line's orders: sync_course_order. */
  line: z.string('请选择商品').check(z.regex(/^[a-z_]{2,40}$/, '请选择商品')),
  kind: z.string('请选择商品').check(z.regex(/^[a-z_]{2,40}$/, '请选择商品')),
  ref_id: z.optional(z.nullable(z.int('请选择商品').check(z.positive('请选择商品')))),
  name: z.string('请选择商品').check(z.maxLength(120, '商品名称过长')),
}, '请选择商品')

export type Good = z.infer<typeof goodSchema>

/** What tells goods from others. */
export const goodKey = ({ line, kind, ref_id }: Pick<Good, 'line' | 'kind' | 'ref_id'>): string => `${line}:${kind}:${ref_id ?? ''}`

/** Goods of a package with how many of them, and their share of its price. */
const suiteGoodSchema = z.extend(goodSchema, {
  qty: z.int('数量应为整数').check(z.gte(1, '数量至少为 1'), z.lte(999, '数量不能大于 999')),
  /** Fen; worked out by list prices where nobody says. */
  share: z.optional(z.nullable(fen('分摊金额'))),
})

export type SuiteGood = z.infer<typeof suiteGoodSchema>

const suiteSchema = z.object({
  /** Given by the server: orders name it. */
  id: z.optional(z.nullable(z.int('套餐编号有误').check(z.positive('套餐编号有误')))),
  name: z.string('请填写套餐名称').check(z.trim(), z.minLength(1, '请填写套餐名称'), z.maxLength(40, '套餐名称最多 40 个字')),
  price: fen('套餐价'),
  goods: z.array(suiteGoodSchema, '请添加商品').check(z.minLength(1, '请添加商品'), z.maxLength(20, '一个套餐最多 20 种商品'), z.refine((goods) => new Set(goods.map(goodKey)).size === goods.length, '同一套餐中商品重复，请改数量')),
  stock: z.optional(z.nullable(z.int('限量应为整数').check(z.gte(1, '限量至少为 1'), z.lte(1_000_000, '限量过大')))),
  gift: z.optional(z.nullable(z.string('赠品应为文字').check(z.trim(), z.maxLength(60, '赠品最多 60 个字')))),
})

/** A package that a link sells. */
export type Suite = z.infer<typeof suiteSchema>

export const suitesSchema = z.array(suiteSchema, '请添加套餐').check(z.minLength(1, '请添加套餐'), z.maxLength(20, '一个链接最多 20 个套餐'), z.refine((suites) => new Set(suites.map(({ name }) => name)).size === suites.length, '套餐名称重复'))

/** Goods of a package whose shares are known: they add up to its price. */
export type SharedGood = SuiteGood & { share: number }

/**
 * Shares a package's price out to its goods in whole fen: as somebody says, the rest by what they cost by themselves, each at
 * least a fen.
 * @param lists what each costs by itself for all its pieces
 * @param spread the engine's, so that what is shared here is what orders say
 * @returns undefined where what was said and the price do not fit
 */
export function shareOut({ price, goods }: Pick<Suite, 'price' | 'goods'>, lists: readonly number[], spread: (sum: number, weights: readonly number[]) => number[]): SharedGood[] | undefined {
  const said = goods.reduce((sum, { share }) => sum + (share ?? 0), 0)
  const open = goods.filter(({ share }) => share == null).length
  if (open === 0) return said === price ? goods.map((good) => ({ ...good, share: good.share ?? 0 })) : undefined
  const rest = price - said - open
  if (rest < 0) return undefined
  const parts = spread(rest, goods.map(({ share }, index) => (share == null ? Math.max(1, lists[index] ?? 1) : 0)))
  return goods.map((good, index) => ({ ...good, share: good.share ?? (parts[index] ?? 0) + 1 }))
}
