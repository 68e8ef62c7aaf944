/**
 * What an outline consists of: nodes in a tree, and blocks of content below them. Nodes and blocks have a key that is made by
 * the one who adds them, so that two editors, undo and a copy name the same thing; ids stay inside the server.
 */
import * as z from 'zod/mini'

/** Kinds of nodes, from the outside in; an outline leaves out what it does not need. */
export const NODE_KINDS = [{ value: 1, label: '单元' }, { value: 2, label: '章' }, { value: 3, label: '节' }, { value: 4, label: '课时' }] as const
/** The kind of node that learners work through; completeness is asked of it. */
export const LESSON = 4

/** How much of a node is open to those who have not paid; a node without a value has that of the one above. */
export const FREE = { paid: 0, trial: 1, free: 2 } as const
export const FREE_CHOICES = [{ value: FREE.paid, label: '收费' }, { value: FREE.trial, label: '试看' }, { value: FREE.free, label: '免费' }] as const

/** What has to happen before a learner may open a node. */
export const UNLOCK = { any: 0, order: 1, date: 2, score: 3 } as const
export const UNLOCK_CHOICES = [{ value: UNLOCK.any, label: '随意' }, { value: UNLOCK.order, label: '学完上一课时' }, { value: UNLOCK.date, label: '到日期' }, { value: UNLOCK.score, label: '成绩达到' }] as const

/** Levels of an outline, nodes and blocks of one, and blocks of one node. */
export const MAX_LEVELS = 5
export const MAX_NODES = 3000
export const MAX_BLOCKS = 10_000

export const keySchema = z.string('编号不正确').check(z.regex(/^[\w-]{1,24}$/, '编号不正确'))
/** A fractional key, compared byte by byte. */
const ordSchema = z.string('位置不正确').check(z.regex(/^[0-9A-Za-z]{1,200}$/, '位置不正确'))
export const nullable = <Of extends z.ZodMiniType>(of: Of) => z.nullable(of)
const id = (words: string) => z.int(words).check(z.gte(1, words))

/** What can be said of a node beside where it stands. */
export const nodeValues = {
  kind: z.int('类型不正确').check(z.gte(1, '类型不正确'), z.lte(LESSON, '类型不正确')),
  name: z.string('名称应为文字').check(z.trim(), z.minLength(1, '请填写名称'), z.maxLength(80, '名称最多 80 个字')),
  free: nullable(z.int('开放方式不正确').check(z.gte(0, '开放方式不正确'), z.lte(2, '开放方式不正确'))),
  /** Minutes that can be tried, where `free` says trial. */
  trial_minutes: nullable(z.int('试看时长应为整数').check(z.gte(1, '试看至少 1 分钟'), z.lte(120, '试看最多 120 分钟'))),
  unlock: z.int('解锁方式不正确').check(z.gte(0, '解锁方式不正确'), z.lte(3, '解锁方式不正确')),
  /** Share of the points of the node's after-class paper, in percent. */
  unlock_score: nullable(z.int('成绩应为整数').check(z.gte(1, '成绩为 1% 到 100%'), z.lte(100, '成绩为 1% 到 100%'))),
  /** Unix seconds. */
  open_at: nullable(z.int('日期不正确').check(z.gte(0, '日期不正确'), z.lte(9_999_999_999, '日期不正确'))),
  label_ids: z.array(id('标签不正确')).check(z.maxLength(20, '最多 20 个标签')),
  chapter_id: nullable(id('教材章节不正确')),
}
const nodePlace = { key: keySchema, parent: nullable(keySchema), ord: ordSchema }
export const nodeSchema = z.object({ ...nodePlace, ...nodeValues })
export type NodeValues = z.infer<z.ZodMiniObject<typeof nodeValues>>
export const VALUE_KEYS = Object.keys(nodeValues) as (keyof NodeValues)[]

export interface OutlineNode extends z.infer<typeof nodeSchema> {
  /** Removed: it and everything below it is out of sight, and can be brought back. */
  gone: boolean
}

/** What can be said of a block beside where it stands. */
export const blockValues = {
  /** 1 随堂, 2 课后 …: what the kind of block says. */
  slot: nullable(z.int('用途不正确').check(z.gte(1, '用途不正确'), z.lte(99, '用途不正确'))),
  /** Version that learners get for ever; null: always the latest. */
  version_no: nullable(z.int('版本不正确').check(z.gte(1, '版本不正确'))),
  /** Words of a block that refers to nothing: a heading, or what stands on a page of text. */
  title: z.string('标题应为文字').check(z.trim(), z.maxLength(80, '标题最多 80 个字')),
  text: z.string('正文应为文字').check(z.maxLength(2000, '正文最多 2000 个字')),
}
export const blockSchema = z.object({
  key: keySchema, node: keySchema, ord: ordSchema,
  kind: z.string('内容类型不正确').check(z.regex(/^[a-z][a-z_]{0,19}$/, '内容类型不正确')),
  /** Id of what it shows; 0 for a kind that refers to nothing. */
  ref_id: z.int('内容不正确').check(z.gte(0, '内容不正确')),
  ...blockValues,
})
export type OutlineBlock = z.infer<typeof blockSchema>
export type BlockValues = z.infer<z.ZodMiniObject<typeof blockValues>>
export const BLOCK_KEYS = Object.keys(blockValues) as (keyof BlockValues)[]

/** An outline as it travels and as a version keeps it. */
export interface OutlineBody {
  nodes: OutlineNode[]
  blocks: OutlineBlock[]
}

/** A node with the values that one begins with. */
export const newNode = (place: Pick<OutlineNode, 'key' | 'parent' | 'ord'>, values: Pick<NodeValues, 'name'> & Partial<NodeValues>): z.infer<typeof nodeSchema> =>
  ({ ...place, kind: LESSON, free: null, trial_minutes: null, unlock: UNLOCK.any, unlock_score: null, open_at: null, label_ids: [], chapter_id: null, ...values })

/** A block with the values that one begins with. */
export const newBlock = (place: Pick<OutlineBlock, 'key' | 'node' | 'ord' | 'kind' | 'ref_id'>, values: Partial<BlockValues> = {}): OutlineBlock =>
  ({ ...place, slot: null, version_no: null, title: '', text: '', ...values })
