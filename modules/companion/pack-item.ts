import * as z from 'zod/mini'

/** What a lesson pack holds (operations 1.2). */
export const ITEM_KINDS = [
  { value: 'article', label: '文章' }, { value: 'audio', label: '音频' }, { value: 'video', label: '视频' }, { value: 'document', label: '文档' },
  { value: 'paper', label: '练习' }, { value: 'recite', label: '背诵' },
] as const

export type ItemKind = (typeof ITEM_KINDS)[number]['value']

/** Items of one pack. */
export const MOST_ITEMS = 200

/** Characters that somebody reads in a minute: what an article takes is worked out from its words. */
const READ_PER_MINUTE = 300

const id = (words: string) => z.optional(z.nullable(z.int(words).check(z.positive(words))))

const itemSchema = z.object({
  /** Names the item in every version of its pack. */
  key: z.string('内容编号有误').check(z.regex(/^[\w-]{6,40}$/, '内容编号有误')),
  /** 期次: the lesson of the term that it belongs to. */
  term: z._default(z.string('课次应为文字').check(z.trim(), z.maxLength(40, '课次最多 40 个字')), ''),
  kind: z.enum(ITEM_KINDS.map(({ value }) => value) as [ItemKind, ...ItemKind[]], '请选择内容类型'),
  title: z.string('请填写标题').check(z.trim(), z.minLength(1, '请填写标题'), z.maxLength(60, '标题最多 60 个字')),
  body: z._default(z.string('正文应为文字').check(z.maxLength(20_000, '正文最多 20,000 个字')), ''),
  asset_id: id('素材编号有误'),
  paper_id: id('试卷编号有误'),
  /** Terms of the pack that it uses, by their keys. */
  terms: z.optional(z.array(z.string('词条编号有误').check(z.regex(/^[\w-]{6,40}$/, '词条编号有误')), '词条应为列表').check(z.maxLength(200, '一项内容最多用 200 个词条'))),
  minutes: z.optional(z.nullable(z.int('时长应为整数').check(z.gte(0, '时长不能小于 0'), z.lte(600, '时长不能超过 600 分钟')))),
})

/** An item of a lesson pack. */
export type PackItem = z.infer<typeof itemSchema>

export const itemsSchema = z.array(itemSchema, '内容应为列表').check(z.maxLength(MOST_ITEMS, `一个资料包最多 ${MOST_ITEMS} 项内容`), z.refine((items) => new Set(items.map(({ key }) => key)).size === items.length, '内容编号重复，请刷新后重试'))

/** Minutes that an item takes: as somebody said, or as long as its words are read. */
export const minutesOf = ({ minutes, body }: Pick<PackItem, 'minutes' | 'body'>): number => minutes ?? Math.ceil(body.length / READ_PER_MINUTE)
