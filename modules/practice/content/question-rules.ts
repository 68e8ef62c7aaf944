/** Whether a question makes sense: the rules of domain 3.3 and 1.19, one sentence for each breach. */
import { inlinesOf, plainText, type RichDoc } from '../../../core/rich-text/rich-doc.ts'
import { optionLetter, type Option, type OptionLayout, type QuestionContent, type QuestionType } from './question.ts'

/** Part of a question that a problem belongs to. */
export type Part = 'stem' | 'options' | 'answer' | 'analysis' | 'score' | 'children' | 'facts'

export interface Problem {
  part: Part
  /** Number of the child, from 0; absent for the question itself. */
  child?: number
  message: string
}

/** Most options of a choice question, A-H. */
const MAX_OPTIONS = 8
/** Category whose questions may have a single right option although they are of type 2. */
export const ANY_NUMBER = '不定项选择题'
/** Category of a choice between right and wrong. @public for the formats */
export const TRUE_FALSE = '判断题'

/** What two options are compared by: words, formulas, pictures. */
const optionKey = (doc: RichDoc | null) => JSON.stringify(doc?.c ?? null).replace(/\s+/g, '')
const say = (part: Part) => (message: string): Problem => ({ part, message })
const [inStem, inOptions, inAnswer, inScore, inChildren] = (['stem', 'options', 'answer', 'score', 'children'] as const).map(say) as [ReturnType<typeof say>, ReturnType<typeof say>, ReturnType<typeof say>, ReturnType<typeof say>, ReturnType<typeof say>]

/** Points are halves and tenths: sums are compared without the noise of binary fractions. */
const isSum = (parts: readonly number[], whole: number) => Math.abs(parts.reduce((sum, one) => sum + one, 0) - whole) < 0.001

function optionProblems(options: readonly Option[], least: number, most: number): Problem[] {
  const found: Problem[] = []
  if (options.length < least) found.push(inOptions(`至少需要 ${least} 个选项`))
  if (options.length > most) found.push(inOptions(`选项最多 ${most} 个`))
  const seen = new Map<string, number>()
  for (const [index, option] of options.entries()) {
    if (!option.doc) found.push(inOptions(`选项${optionLetter(index)}没有内容`))
    const earlier = option.doc ? seen.get(optionKey(option.doc)) : undefined
    if (earlier !== undefined) found.push(inOptions(`选项${optionLetter(earlier)}与选项${optionLetter(index)}相同`))
    else seen.set(optionKey(option.doc), index)
  }
  if (new Set(options.map((option) => option.id)).size < options.length) found.push(inOptions('选项编号重复'))
  return found
}

function one(content: QuestionContent, pool: readonly Option[]): Problem[] {
  const options = content.options.length > 0 ? content.options : pool
  const { answer } = content
  return [
    ...(content.options.length > 0 || pool.length === 0 ? optionProblems(content.options, 2, MAX_OPTIONS) : []),
    ...(answer.k !== 'one' || answer.ok === null ? [inAnswer('请选择正确答案')] : options.some((option) => option.id === answer.ok) ? [] : [inAnswer('正确答案不在选项中')]),
  ]
}

function many(content: QuestionContent): Problem[] {
  const { answer, options } = content
  const least = content.category === ANY_NUMBER ? 1 : 2
  if (answer.k !== 'many' || answer.ok.length === 0) return [...optionProblems(options, 2, MAX_OPTIONS), inAnswer('请选择正确答案')]
  return [
    ...optionProblems(options, 2, MAX_OPTIONS),
    ...(answer.ok.length < least ? [inAnswer('多选题至少有 2 个正确答案')] : []),
    ...(answer.ok.every((id) => options.some((option) => option.id === id)) ? [] : [inAnswer('正确答案不在选项中')]),
    ...(new Set(answer.ok).size < answer.ok.length ? [inAnswer('正确答案重复')] : []),
  ]
}

function blanks(content: QuestionContent): Problem[] {
  const holes = inlinesOf(content.stem, 'blank').map((blank) => blank.id)
  const { answer } = content
  if (answer.k !== 'blanks') return [inAnswer('请填写每空的答案')]
  const answered = new Map(answer.b.map((blank) => [blank.id, blank]))
  const scores = answer.b.flatMap((blank) => (blank.score === undefined ? [] : [blank.score]))
  return [
    ...(holes.length === 0 ? [inStem('题干中没有空')] : []),
    ...(new Set(holes).size < holes.length ? [inStem('空的编号重复')] : []),
    ...holes.flatMap((id, index) => ((answered.get(id)?.accept.length ?? 0) === 0 ? [inAnswer(`第 ${index + 1} 空没有答案`)] : [])),
    ...(holes.length > 0 && answer.b.some((blank) => !holes.includes(blank.id)) ? [inAnswer(`答案有 ${answer.b.length} 个，题干有 ${holes.length} 空`)] : []),
    ...(answered.size < answer.b.length ? [inAnswer('同一空有两份答案')] : []),
    ...(content.score !== null && scores.length === answer.b.length && scores.length > 0 && !isSum(scores, content.score) ? [inScore('各空分值之和与题目分值不符')] : []),
  ]
}

function free(content: QuestionContent): Problem[] {
  const { answer } = content
  if (answer.k !== 'free' || answer.parts.every((part) => part.ref === null && part.steps.length === 0)) return [inAnswer('请填写参考答案')]
  const scores = answer.parts.flatMap((part) => (part.score === undefined ? [] : [part.score]))
  const named = (no: number) => (no === 0 ? '' : `第（${no}）问`)
  return [
    ...(new Set(answer.parts.map((part) => part.no)).size < answer.parts.length ? [inAnswer('小问的编号重复')] : []),
    ...answer.parts.flatMap((part) => (part.ref === null && part.steps.length === 0 ? [inAnswer(`${named(part.no)}没有参考答案`)] : [])),
    ...answer.parts.flatMap((part) => (part.score !== undefined && part.steps.length > 0 && !isSum(part.steps.map((step) => step.score), part.score) ? [inScore(`${named(part.no)}步骤分之和与分值不符`)] : [])),
    ...(content.score !== null && scores.length === answer.parts.length && !isSum(scores, content.score) ? [inScore('各问分值之和与题目分值不符')] : []),
  ]
}

function childProblems(content: QuestionContent, allowed: readonly QuestionType[], pool: readonly Option[]): Problem[] {
  const scores = content.children.flatMap((child) => (child.score === null ? [] : [child.score]))
  return [
    ...content.children.flatMap((child, index) => [
      ...(allowed.includes(child.type) ? [] : [{ part: 'children' as const, child: index, message: '小题不能是这种题型' }]),
      // The text of a hole is the passage around it.
      ...problemsOf(child, { needsStem: content.type === 6, pool }).map((problem) => ({ ...problem, child: index })),
    ]),
    ...(content.score !== null && scores.length === content.children.length && scores.length > 0 && !isSum(scores, content.score) ? [inScore('各小题分值之和与题目分值不符')] : []),
  ]
}

function inText(content: QuestionContent): Problem[] {
  const holes = inlinesOf(content.stem, 'subref').map((hole) => hole.n)
  return [
    ...(holes.length === 0 ? [inStem('短文中没有设空')] : []),
    ...(holes.length > 0 && holes.length !== content.children.length ? [inChildren(`短文中有 ${holes.length} 空，小题有 ${content.children.length} 道`)] : []),
    ...(holes.some((n, index) => n !== index + 1) ? [inStem('短文中的空没有按顺序编号')] : []),
    ...(content.options.length > 0 ? optionProblems(content.options, 2, 16) : []),
    ...childProblems(content, [1, 3], content.options),
  ]
}

function afterText(content: QuestionContent): Problem[] {
  return [...(content.children.length === 0 ? [inChildren('至少需要 1 道小题')] : []), ...childProblems(content, [1, 2, 3, 4], [])]
}

const RULES: Readonly<Record<QuestionType, (content: QuestionContent, pool: readonly Option[]) => Problem[]>> = { 1: one, 2: many, 3: blanks, 4: free, 5: inText, 6: afterText }

/**
 * What is wrong with a question, in the order in which it is read. A question without problems can be learnt from and
 * marked; a draft may have some.
 * @param setting a child of type 5 has no stem of its own and may choose from the options that all holes share
 */
export function problemsOf(content: QuestionContent, setting: { needsStem?: boolean; pool?: readonly Option[] } = {}): Problem[] {
  return [
    ...(content.stem === null && setting.needsStem !== false ? [inStem('题干不能为空')] : []),
    ...(content.type === 3 && content.stem === null && setting.needsStem === false ? wordProblems(content) : RULES[content.type](content, setting.pool ?? [])),
  ]
}

/** A hole that is written into (type 5): its one blank is the hole. */
function wordProblems(content: QuestionContent): Problem[] {
  return content.answer.k === 'blanks' && content.answer.b.length === 1 && (content.answer.b[0]?.accept.length ?? 0) > 0 ? [] : [inAnswer('请填写这一空的答案')]
}

/** The one sentence for a question that may not be published, with the number of the child. */
export const problemText = ({ child, message }: Problem) => (child === undefined ? message : `第 ${child + 1} 小题：${message}`)

/** Layout that fits the longest option (domain 3.2): up to 8 characters side by side, up to 16 in two columns. */
export function fittingLayout(options: readonly Option[]): OptionLayout {
  const hasPicture = options.some((option) => (option.doc?.c.length ?? 0) > 1 || option.doc?.c.some((block) => block.t !== 'p'))
  if (hasPicture || options.length === 0) return 1
  const longest = Math.max(...options.map((option) => plainText(option.doc).length))
  return longest <= 8 ? 2 : longest <= 16 ? 3 : 1
}

/** Whether a machine can mark every part of it. */
export function isAutoGradable(content: QuestionContent): boolean {
  return content.children.length > 0 ? content.children.every(isAutoGradable) : content.type <= 3
}

/** spec 9: difficulty 1 hard to 5 easy, from the share of points that is reached (domain 3.2). */
export function difficultyOf(coef: number): number {
  return coef >= 0.85 ? 5 : coef >= 0.7 ? 4 : coef >= 0.5 ? 3 : coef >= 0.3 ? 2 : 1
}
