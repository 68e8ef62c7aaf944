import type { OrderGroup } from './compose/order.ts'

/** What a group of the order takes: questions of a type, or of a kind whose name says so. */
interface Rule {
  readonly name: string
  readonly takes: (category: { name: string; type: number }) => boolean
}

/** spec 9: sort rule groups: single, multiple, fill-in, experiment, answer, comprehensive. The first that fits counts. */
const RULES: readonly Rule[] = [
  { name: '综合题', takes: ({ name }) => /综合|阅读|完形|材料|写作|作文/.test(name) },
  { name: '实验题', takes: ({ name }) => /实验|探究|作图/.test(name) },
  { name: '单选题', takes: ({ type }) => type === 1 },
  { name: '多选题', takes: ({ type }) => type === 2 },
  { name: '填空题', takes: ({ type }) => type === 3 },
  { name: '解答题', takes: ({ type }) => type === 4 },
  { name: '综合题', takes: ({ type }) => type >= 5 },
]
/** The group of a question that has only its type. */
export const groupOfType = (type: number): string => (type >= 5 ? '综合题' : ['单选题', '多选题', '填空题', '解答题'][type - 1] ?? '其他题')
const ORDER = ['单选题', '多选题', '填空题', '实验题', '解答题', '综合题']

/** The group of a kind of questions: 阅读理解 is 综合题. */
export const groupOf = (category: { name: string; type: number }): string => RULES.find(({ takes }) => takes(category))?.name ?? '其他题'
/** Place of a kind among the sections of a paper, from 0; what is of no group comes last. */
export const groupRank = (name: string, type = 0): number => {
  const rank = ORDER.indexOf(groupOf({ name, type }))
  return rank < 0 ? ORDER.length : rank
}

/** The groups of a subject's kinds of questions, in the order in which a paper has them. */
export function orderGroups(categories: readonly { id: number; name: string; type: number }[]): OrderGroup[] {
  return ORDER.map((name, index) => ({ group_no: index + 1, name, category_ids: categories.filter((category) => groupOf(category) === name).map(({ id }) => id) }))
}
