/**
 * What a paper consists of, and how it is edited: small changes that name what they change, so that two people who edit
 * one paper lose nothing, and each change can be undone. Pure: browser and server apply the same changes.
 */
import * as z from 'zod/mini'
import { fileIdsIn, fileUrl } from '../../../core/file/url.ts'

/** A question's place in a paper. */
export interface PaperItem {
  practice_id: number
  /** Version of the question that the paper shows, whatever becomes of the question. */
  version_no: number
  /** Points. */
  score: number
  /** Points of the sub-questions; empty, or adding up to `score`. */
  sub_scores: number[]
}

export interface PaperSection {
  /** Unique in the paper; survives moving and renaming. */
  key: string
  /** 单选题, 填空题 …; the heading is generated from it. */
  name: string
  /** Stands instead of the generated heading; empty: generated. */
  title: string
  /** Stands below the heading. */
  instruction: string
  /** How the questions of a passage are numbered: on through the paper (domain 3.6), which is so where nothing is said, or （1）（2） inside its one number. */
  numbering?: 'through' | 'inner' | undefined
  /** The part of the paper that begins with it: 第Ⅰ卷（选择题）. */
  part?: string | undefined
  /** How many questions it should have and the points of each, where its skeleton says so. */
  wanted?: number | undefined
  each?: number | undefined
  items: PaperItem[]
}

/** What stands on a paper beside its questions. */
export interface PaperFront {
  /** 绝密★启用前; empty for none. */
  secret: string
  school: string
  /** Address of the school's sign; null for none. */
  logo: string | null
  /** 注意事项, each on a line of its own. */
  notices: string
  /** Whether a table for the marks of each section stands below the title. */
  marks: boolean
}

export const NO_FRONT: PaperFront = { secret: '', school: '', logo: null, notices: '', marks: false }

export interface PaperBody {
  sections: PaperSection[]
  front?: PaperFront | undefined
}

const score = z.number('分值应为数字').check(z.gte(0, '分值不能为负'), z.lte(300, '分值最多 300'), z.multipleOf(0.5, '分值以 0.5 分为单位'))
const practiceId = z.int('题号不正确').check(z.gte(1, '题号不正确'))
const key = z.string('大题编号不正确').check(z.regex(/^[\w-]{1,24}$/, '大题编号不正确'))
const short = (what: string, most: number) => z.string(`${what}应为文字`).check(z.maxLength(most, `${what}最多 ${most} 个字`), z.trim())

const itemSchema = z.object({
  practice_id: practiceId,
  version_no: z.int('版本不正确').check(z.gte(0, '版本不正确')),
  score,
  sub_scores: z.array(score).check(z.maxLength(100, '小题最多 100 个')),
}).check(z.refine(({ score: all, sub_scores }) => sub_scores.length === 0 || sum(sub_scores) === all, '小题分值之和应等于本题分值'))

const frontSchema = z.object({
  secret: short('密级', 40), school: short('学校名称', 60), notices: short('注意事项', 2000), marks: z.boolean('得分表有误'),
  logo: z.nullable(z.string('校徽有误').check(z.refine((address) => fileIdsIn(address).length === 1 && address === fileUrl(fileIdsIn(address)[0] ?? ''), '请上传校徽图片'))),
})

/** One change of a paper. Naming something that is gone changes nothing. */
export const changeSchema = z.discriminatedUnion('do', [
  /** Adds a section at the end, or renames one. */
  z.object({ do: z.literal('section'), key, name: short('大题名称', 40), title: short('大题标题', 200), instruction: short('大题说明', 500), numbering: z.optional(z.enum(['through', 'inner'], '小题编号有误')),
    part: z.optional(short('分卷名称', 60)), wanted: z.optional(z.int('题数应为整数').check(z.gte(1, '题数最少 1'), z.lte(200, '题数最多 200'))), each: z.optional(score) }),
  /** Sets what stands on the paper beside its questions. */
  z.object({ do: z.literal('front'), front: frontSchema }),
  /** Removes a section with the questions that stand in it. */
  z.object({ do: z.literal('drop-section'), key }),
  /** Adds a question at the end of a section; with `instead_of`, in the place of another one. */
  z.object({ do: z.literal('item'), section: key, item: itemSchema, instead_of: z.optional(practiceId) }),
  z.object({ do: z.literal('drop-item'), practice_id: practiceId }),
  z.object({ do: z.literal('score'), practice_id: practiceId, score, sub_scores: z.array(score).check(z.maxLength(100, '小题最多 100 个')) }),
  /** The order of sections and questions. What it does not name stays at the end of where it stands. */
  z.object({
    do: z.literal('arrange'),
    order: z.array(z.object({ key, items: z.array(practiceId).check(z.maxLength(500, '试题最多 500 道')) })).check(z.maxLength(50, '大题最多 50 个')),
  }),
])
export type Change = z.infer<typeof changeSchema>

/** spec 9 sets no limit; a paper with more is a mistake. */
export const MAX_SECTIONS = 50
export const MAX_ITEMS = 500

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
/** Whether the questions of the passages of a section stand inside one number. */
export const isInner = ({ numbering }: Pick<PaperSection, 'numbering'>): boolean => numbering === 'inner'
export const itemsOf = (body: PaperBody): PaperItem[] => body.sections.flatMap(({ items }) => items)
export const totalScore = (body: PaperBody): number => sum(itemsOf(body).map((item) => item.score))

const mapItems = (body: PaperBody, map: (item: PaperItem) => PaperItem[]): PaperBody => ({
  sections: body.sections.map((section) => ({ ...section, items: section.items.flatMap(map) })),
})

type Do = Change['do']
type Applied = { [D in Do]: (body: PaperBody, change: Extract<Change, { do: D }>) => PaperBody }

const applied: Applied = {
  section: (body, { key: wanted, name, title, instruction, numbering, part, wanted: count, each }) => {
    const words = { name, title, instruction, numbering, ...(part !== undefined && { part }), ...(count !== undefined && { wanted: count }), ...(each !== undefined && { each }) }
    return body.sections.some((section) => section.key === wanted)
      ? { sections: body.sections.map((section) => (section.key === wanted ? { ...section, ...words } : section)) }
      : { sections: [...body.sections, { key: wanted, ...words, items: [] }] }
  },
  front: ({ sections }, { front }) => ({ sections, front }),
  'drop-section': (body, change) => ({ sections: body.sections.filter((section) => section.key !== change.key) }),
  item: (body, { section: wanted, item, instead_of }) => {
    const present = itemsOf(body).some(({ practice_id }) => practice_id === item.practice_id)
    if (present && instead_of !== item.practice_id) return body
    if (instead_of !== undefined) return mapItems(body, (old) => [old.practice_id === instead_of ? item : old])
    return { sections: body.sections.map((section) => (section.key === wanted ? { ...section, items: [...section.items, item] } : section)) }
  },
  'drop-item': (body, { practice_id }) => mapItems(body, (item) => (item.practice_id === practice_id ? [] : [item])),
  score: (body, change) => mapItems(body, (item) => [
    item.practice_id === change.practice_id ? { ...item, score: change.score, sub_scores: change.sub_scores } : item,
  ]),
  arrange: (body, { order }) => {
    const items = new Map(itemsOf(body).map((item) => [item.practice_id, item]))
    const sections = new Map(body.sections.map((section) => [section.key, section]))
    const keys = [...new Set([...order.map((one) => one.key), ...sections.keys()])].filter((one) => sections.has(one))
    const taken = new Set<number>()
    const take = (id: number): PaperItem[] => {
      const item = items.get(id)
      if (!item || taken.has(id)) return []
      taken.add(id)
      return [item]
    }
    const named = new Map<string, PaperItem[]>()
    for (const one of order) if (sections.has(one.key)) named.set(one.key, [...(named.get(one.key) ?? []), ...one.items.flatMap(take)])
    return {
      sections: keys.map((one) => {
        const section = sections.get(one) as PaperSection
        return { ...section, items: [...(named.get(one) ?? []), ...section.items.flatMap(({ practice_id }) => take(practice_id))] }
      }),
    }
  },
}

/** The paper after a change. */
export function apply(body: PaperBody, change: Change): PaperBody {
  return { ...body, ...(applied[change.do] as (body: PaperBody, change: Change) => PaperBody)(body, change) }
}

/** The paper after several changes, one after another. */
export const applyAll = (body: PaperBody, changes: readonly Change[]): PaperBody => changes.reduce(apply, body)

/** The order that a paper has. */
export function orderOf(body: PaperBody): Extract<Change, { do: 'arrange' }> {
  return { do: 'arrange', order: body.sections.map(({ key: one, items }) => ({ key: one, items: items.map(({ practice_id }) => practice_id) })) }
}

/** Changes that lead from one state of a paper to another: what undo and redo send. */
export function difference(from: PaperBody, to: PaperBody): Change[] {
  const changes: Change[] = []
  if (JSON.stringify(from.front ?? NO_FRONT) !== JSON.stringify(to.front ?? NO_FRONT)) changes.push({ do: 'front', front: to.front ?? NO_FRONT })
  const before = new Map(itemsOf(from).map((item) => [item.practice_id, item]))
  const after = new Map(itemsOf(to).map((item) => [item.practice_id, item]))
  for (const section of to.sections) {
    const old = from.sections.find(({ key: one }) => one === section.key)
    const { key: one, name, title, instruction, numbering, part = '', wanted, each } = section
    const same = old && old.name === name && old.title === title && old.instruction === instruction && isInner(old) === isInner(section) && (old.part ?? '') === part && old.wanted === wanted && old.each === each
    if (!same) changes.push({ do: 'section', key: one, name, title, instruction, ...(numbering && { numbering }), ...((part || old?.part) && { part }), ...(wanted !== undefined && { wanted }), ...(each !== undefined && { each }) })
  }
  for (const id of before.keys()) if (!after.has(id)) changes.push({ do: 'drop-item', practice_id: id })
  for (const section of to.sections) {
    for (const item of section.items) {
      const old = before.get(item.practice_id)
      if (!old) changes.push({ do: 'item', section: section.key, item })
      else if (old.version_no !== item.version_no) changes.push({ do: 'item', section: section.key, item, instead_of: item.practice_id })
      else if (old.score !== item.score || old.sub_scores.join() !== item.sub_scores.join()) changes.push({ do: 'score', practice_id: item.practice_id, score: item.score, sub_scores: item.sub_scores })
    }
  }
  const middle = applyAll(from, changes)
  if (JSON.stringify(orderOf(middle)) !== JSON.stringify(orderOf(to))) changes.push(orderOf(to))
  // Only now: a question that moved out of a section that goes must not go with it.
  for (const { key: one } of from.sections) if (!to.sections.some((section) => section.key === one)) changes.push({ do: 'drop-section', key: one })
  return changes
}
