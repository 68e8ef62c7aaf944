import { canonical } from '../../../core/rich-text/canonical.ts'
import type { PracticeFacts } from '../bank/calls.ts'
import { emptyContent, type BlankAnswer, type Option, type QuestionContent, type QuestionType } from '../content/question.ts'
import { docOf, inlinesOf } from '../../../core/rich-text/rich-doc.ts'
import type { Written } from './calls.ts'

export const NO_FACTS: Omit<PracticeFacts, 'subject_id'> = {
  category_id: null, difficulty: null, coef: null, source: null, source_paper: null, source_order: null, source_years: [], exam_region_id: null, exam_year: null, gaokao_type: null, exercise_type: null, est_seconds: null,
  cognitive: null, competence: [], tags: [], copyright: null, products: [], video: null, scans: [],
}

/** Options that a choice question begins with, A to D. */
const FOUR: Option[] = [1, 2, 3, 4].map((n) => ({ id: `o${n}`, doc: null }))

/** A new question of a type, with the places that are always filled in. */
export function startContent(type: QuestionType): QuestionContent {
  const content = emptyContent(type)
  if (type === 1 || type === 2) return { ...content, options: FOUR }
  if (type === 4) return { ...content, answer: { k: 'free', parts: [{ no: 0, ref: null, steps: [] }] } }
  if (type === 6) return { ...content, children: [startContent(1)] }
  return content
}

export const startWritten = (subjectId: number, type: QuestionType = 1): Written => ({ content: startContent(type), facts: { ...NO_FACTS, subject_id: subjectId }, labels: [], chapter_ids: [] })

/** The same question as another type: everything that the other type has a place for stays. */
export function changeType(content: QuestionContent, type: QuestionType): QuestionContent {
  if (content.type === type) return content
  const fresh = startContent(type)
  const choices = type === 1 || type === 2
  const options = choices || type === 5 ? (content.options.length > 0 ? content.options : fresh.options) : []
  const right = content.answer.k === 'one' ? [content.answer.ok] : content.answer.k === 'many' ? content.answer.ok : []
  const kept = right.filter((id): id is string => options.some((option) => option.id === id))
  const answer = type === 1 ? { k: 'one' as const, ok: kept[0] ?? null } : type === 2 ? { k: 'many' as const, ok: kept, rule: 'gaokao' as const } : fresh.answer
  return syncBlanks({ ...content, type, options, answer, children: type >= 5 ? (content.children.length > 0 ? content.children : fresh.children) : [] })
}

/** Id for one more option; ids of options that were taken out are not given again while the answer may name them. */
export function nextOptionId(options: readonly Option[]): string {
  const taken = options.map(({ id }) => Number(/^o(\d+)$/.exec(id)?.[1] ?? 0))
  return `o${Math.max(0, ...taken) + 1}`
}

/** Id for one more blank of a text. */
export function nextBlankId(content: Pick<QuestionContent, 'stem' | 'answer'>): string {
  const known = [...inlinesOf(content.stem, 'blank').map(({ id }) => id), ...(content.answer.k === 'blanks' ? content.answer.b.map(({ id }) => id) : [])]
  return `b${Math.max(0, ...known.map((id) => Number(/^b(\d+)$/.exec(id)?.[1] ?? 0))) + 1}`
}

/** Makes the list of answers follow the blanks of the stem: each blank has a place, in their order; what was typed stays with its blank. */
export function syncBlanks(content: QuestionContent): QuestionContent {
  if (content.type !== 3) return content
  const old = content.answer.k === 'blanks' ? content.answer.b : []
  const ids = [...new Set(inlinesOf(content.stem, 'blank').map(({ id }) => id))]
  // The only place of a blank within a text (type 5) is the text itself.
  if (ids.length === 0 && content.stem === null) return { ...content, answer: { k: 'blanks', b: old } }
  const b: BlankAnswer[] = ids.map((id) => old.find((blank) => blank.id === id) ?? { id, accept: [], match: 'nospace' })
  return { ...content, answer: { k: 'blanks', b } }
}

/** Makes the children of a text with holes follow the holes: one for each number; those that were filled in stay in their order. */
export function syncHoles(content: QuestionContent): QuestionContent {
  if (content.type !== 5) return content
  const holes = inlinesOf(content.stem, 'subref').length
  // A hole that is taken out for a moment, while the text is rearranged, must not take its question along.
  if (content.children.length >= holes) return content
  const fresh = (): QuestionContent => (content.options.length > 0 ? emptyContent(1) : startContent(1))
  return { ...content, children: Array.from({ length: holes }, (_, index) => content.children[index] ?? fresh()) }
}

/** Number for one more hole of a text. */
export const nextHole = (content: Pick<QuestionContent, 'stem'>): number => inlinesOf(content.stem, 'subref').length + 1

/** The question without the places that were opened and left empty: spellings of blanks, steps of answers. */
export function tidy(content: QuestionContent): QuestionContent {
  const { answer } = content
  const says = (doc: { c: Parameters<typeof docOf>[0] }) => docOf(doc.c) !== null
  return {
    ...content,
    answer: answer.k === 'blanks' ? { ...answer, b: answer.b.map((blank) => ({ ...blank, accept: blank.accept.filter(says) })) }
      : answer.k === 'free' ? { ...answer, parts: answer.parts.map((part) => ({ ...part, steps: part.steps.filter((step) => says(step.text)) })) } : answer,
    children: content.children.map(tidy),
  }
}

/** Parts of a question that two people may have changed each on their own. */
export const PARTS = {
  stem: '题干', options: '选项', answer: '答案', children: '小题', solution: '详解', hint: '思路', comment: '点评', pitfall: '易错', type: '题型', score: '分值', option_layout: '选项排列', labels: '标签', chapter_ids: '章节',
  subject_id: '学科', category_id: '题型分类', difficulty: '难度', coef: '难度系数', source: '来源', source_paper: '来源试卷', source_order: '试卷题序', source_years: '年份', exam_region_id: '卷区', exam_year: '高考届', gaokao_type: '高考类型',
  exercise_type: '习题类型', est_seconds: '预计用时', cognitive: '认知层次', competence: '核心素养', tags: '标记', copyright: '版权', products: '调用产品', video: '讲解视频', scans: '原题图片',
} as const
export type PartName = keyof typeof PARTS

const ANALYSIS = ['solution', 'hint', 'comment', 'pitfall'] as const
const CONTENT = ['stem', 'options', 'answer', 'children', 'type', 'score', 'option_layout'] as const
const isAnalysis = (name: PartName): name is (typeof ANALYSIS)[number] => (ANALYSIS as readonly string[]).includes(name)
const isContent = (name: PartName): name is (typeof CONTENT)[number] => (CONTENT as readonly string[]).includes(name)

/** The value of one part. */
export function partOf(written: Written, name: PartName): unknown {
  if (isAnalysis(name)) return written.content.analysis[name]
  if (isContent(name)) return written.content[name]
  if (name === 'labels') return [...written.labels].sort((a, b) => a.id - b.id)
  if (name === 'chapter_ids') return [...written.chapter_ids].sort((a, b) => a - b)
  return written.facts[name]
}

/** A question with one part taken from another. */
export function withPart(written: Written, name: PartName, from: Written): Written {
  if (isAnalysis(name)) return { ...written, content: { ...written.content, analysis: { ...written.content.analysis, [name]: from.content.analysis[name] } } }
  if (isContent(name)) return { ...written, content: { ...written.content, [name]: from.content[name] } }
  if (name === 'labels' || name === 'chapter_ids') return { ...written, [name]: from[name] }
  return { ...written, facts: { ...written.facts, [name]: from.facts[name] } }
}

/** Names of the parts in which two states of a question differ. */
export function changedParts(before: Written, after: Written): PartName[] {
  // A version keeps an empty list as nothing.
  const said = (written: Written, name: PartName) => {
    const part = partOf(written, name)
    return canonical(Array.isArray(part) && part.length === 0 ? null : part)
  }
  return (Object.keys(PARTS) as PartName[]).filter((name) => said(before, name) !== said(after, name))
}

/** A question as the server shows it, in the form in which it is written. */
export function writtenOf(detail: PracticeFacts & { content: QuestionContent; label_paths: readonly { id: number; main: boolean }[]; chapters: readonly { id: number }[] }): Written {
  const facts = Object.fromEntries(['subject_id', ...Object.keys(NO_FACTS)].map((key) => [key, detail[key as keyof PracticeFacts]])) as unknown as PracticeFacts
  return { content: detail.content, facts, labels: detail.label_paths.map(({ id, main }) => ({ id, main })), chapter_ids: detail.chapters.map(({ id }) => id) }
}
