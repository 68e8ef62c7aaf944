import type { PublicAnswers, PublicPage, PublicQuestion } from './page.ts'
import { asks, surveyProblems, type SurveyItem } from './survey.ts'

/** The questions of a page. */
export function questionsOf(page: PublicPage): PublicQuestion[] {
  return page.blocks.filter((block) => block.kind === 'ask' || block.kind === 'choose')
}

/** The questions that depend on one another. */
const surveyOf = (page: PublicPage): readonly SurveyItem[] => page.blocks.flatMap((block) => (block.kind === 'survey' ? block.items : []))

/** Keys under which answers are taken. */
export const answerKeys = (page: PublicPage): ReadonlySet<string> => new Set([...questionsOf(page).map(({ key }) => key), ...surveyOf(page).filter(asks).map(({ id }) => id)])

/** Why an answer cannot be taken; undefined when it can. */
function problemOf(question: PublicQuestion, answer: PublicAnswers[string] | undefined): string | undefined {
  const given = [answer ?? []].flat().map((one) => one.trim()).filter(Boolean)
  if (given.length === 0) return question.required ? `请填写「${question.label}」` : undefined
  if (question.kind === 'ask') return typeof answer === 'string' && answer.trim().length <= question.max ? undefined : `「${question.label}」最多 ${question.max} 个字`
  if (given.length > 1 && !question.several) return `「${question.label}」只能选一项`
  return given.every((one) => question.options.includes(one)) ? undefined : `「${question.label}」的选项已变化，请刷新页面`
}

/** What is wrong with answers, one sentence for each question, by its key; the same in the browser and on the server. */
export function answerProblems(page: PublicPage, answers: PublicAnswers): Record<string, string> {
  return { ...Object.fromEntries(questionsOf(page).flatMap((question) => {
    const problem = problemOf(question, answers[question.key])
    return problem === undefined ? [] : [[question.key, problem]]
  })), ...surveyProblems(surveyOf(page), answers) }
}
