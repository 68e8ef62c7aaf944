/** A question from the text of one: what is the stem, what are options, sub-questions, holes, answers. */
import { fittingLayout } from '../../content/question-rules.ts'
import { NO_FACTS, type Question, type QuestionContent, type QuestionFacts } from '../../content/question.ts'
import { hint, type Warning } from '../item.ts'
import { composeGroup } from './compose-group.ts'
import { composeSingle, strip } from './compose-single.ts'
import { flat, type Flow } from './flow.ts'
import type { Raw } from './raw.ts'

/** Where nothing else is known, a fact is what the question itself says. */
function mergeFacts(...all: readonly (Partial<QuestionFacts> | undefined)[]): QuestionFacts {
  const merged: Record<string, unknown> = { ...NO_FACTS }
  for (const facts of all) {
    for (const [key, value] of Object.entries(facts ?? {})) {
      const old = merged[key]
      if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) continue
      if (old === null || (Array.isArray(old) && old.length === 0)) merged[key] = value
    }
  }
  return merged as unknown as QuestionFacts
}

/** Words that speak of a picture. */
const FIGURE = /如图|下图|右图|左图|上图|图示|见图|(?<![地企意])图\s*\d|图[甲乙丙丁]|图中|示意图/

/**
 * Makes a question.
 * @param warnings takes what a person should look at
 */
export function compose(raw: Raw, warnings: Warning[]): Question {
  const { facts } = strip(raw)
  const content = finish(composeGroup(raw, warnings) ?? composeSingle(raw, warnings))
  const text = flat(raw.text)
  if (FIGURE.test(text) && !text.includes('\uFFFC\n') && ![raw.text, ...(raw.options ?? [])].some(hasPicture)) warnings.push(hint('题中提到图，但没有图片'))
  return { ...content, ...mergeFacts(raw.facts, facts) }
}

const hasPicture = (flow: Flow) => flow.some((token) => typeof token !== 'string' && (token.t === 'img' || token.t === 'block'))

/** Layouts that fit, and points of a group from its children. */
function finish(content: QuestionContent): QuestionContent {
  const children = content.children.map(finish)
  const points = children.map((child) => child.score)
  const sum = points.every((one): one is number => one !== null) ? points.reduce((all, one) => all + one, 0) : null
  return { ...content, option_layout: fittingLayout(content.options), children, score: content.score ?? (children.length > 0 ? sum : null) }
}

