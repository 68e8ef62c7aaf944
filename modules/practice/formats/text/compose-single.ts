/** One question that is no group, from its text. */
import { emptyContent, type QuestionContent, type QuestionFacts } from '../../content/question.ts'
import { uncertain, type Warning } from '../item.ts'
import { plainAnswer, truthOf } from './answers.ts'
import { choice, trueFalse } from './compose-choice.ts'
import { composeWritten, partsIn } from './compose-written.ts'
import { kindOf, pointsIn, sourceTag } from './facts.ts'
import { cut, flat, trim, type Flow, type Token } from './flow.ts'
import { marksOf, optionGroups } from './markers.ts'
import { analysisOf, rightLetters, wholeAnswer, type Raw } from './raw.ts'

/** A heading on a line of its own: 一、选择题（满分9分）. */
const SECTION_LINE = /^\s*[一二三四五六七八九十]{1,3}\s*[、.．]\s*([\u4e00-\u9fff]{2,8}题)(?:\s*[:：]?\s*[（(][^（）()\n]{2,60}[)）]|\s*[:：])?\s*\n(?=\s*\S)/

/** Takes the number, the paper and the points off the beginning of a question. */
export function strip(raw: Raw): { text: Token[]; score: number | null; facts: Partial<QuestionFacts> } {
  let text = trim(raw.text)
  let score: number | null = null
  let facts: Partial<QuestionFacts> = {}
  const begin = () => flat(text)
  // The heading of the section that the question was copied with.
  const heading = SECTION_LINE.exec(begin())
  if (heading && kindOf(heading[1] ?? '')) text = trim(cut(text, heading[0].length))
  const number = [...marksOf(begin(), 'dot'), ...marksOf(begin(), 'title')].find((mark) => mark.at === 0)
  // A number that is followed by the next one belongs to a sub-question.
  if (number && !marksOf(begin(), 'dot').some((mark) => mark.at > 0 && mark.n === number.n + 1 && optionGroups(begin().slice(number.end, mark.at)).length > 0)) text = trim(cut(text, number.end))
  for (let round = 0; round < 3; round++) {
    const tag = sourceTag(begin())
    if (tag) {
      facts = { ...tag.facts, ...facts }
      text = trim(cut(text, tag.length))
    }
    const points = pointsIn(begin().slice(0, 16))
    if (points?.at === 0) {
      score ??= points.points
      text = trim(cut(text, points.length))
    }
    // The number that it had in another paper: （3分）12．下列….
    const old = tag || points?.at === 0 ? marksOf(begin(), 'dot').find((mark) => mark.at === 0) : undefined
    if (old && !marksOf(begin(), 'dot').some((mark) => mark.at > 0 && mark.n === old.n + 1)) text = trim(cut(text, old.end))
  }
  return { text, score, facts }
}

/** Points at the end of a stem of one question. */
function endPoints(text: Token[], isParted: boolean): { text: Token[]; score: number | null } {
  const match = /[（(〔[]\s*(?:满分\s*|共\s*)?(\d{1,3}(?:\.\d)?)\s*分\s*[)）〕\]]\s*$/.exec(flat(text))
  if (match && !isParted) return { text: trim(cut(text, 0, match.index)), score: Number(match[1]) }
  // In front of the brackets for the letter, or at the end of the first line: 默写。（8分）
  const inside = /[（(]\s*(?:满分\s*|共\s*)?(\d{1,3}(?:\.\d)?)\s*分\s*[)）][ \t\u3000]*(?=[（(【][\s\u3000]*[)）】][\s。．.]*$)/.exec(flat(text)) ?? /(?<=^(?!\s*[（(]\d{1,2}[)）]|\s*[①-⑳])[^\n]*?)[（(]\s*(?:本题\s*)?(?:满分\s*|共\s*)?(\d{1,3}(?:\.\d)?)\s*分\s*[)）](?=[ \t]*\n)/.exec(flat(text))
  return inside ? { text: [...cut(text, 0, inside.index), ...cut(text, inside.index + inside[0].length)], score: Number(inside[1]) } : { text, score: null }
}

/** The answer's own letter that was typed behind the stem: "不正确的一项是（3分）C". */
function withoutLeak(text: Token[], letters: readonly string[] | null): Token[] {
  const match = /(?<=[)）〕项是])\s*([A-H]{1,5})\s*$/.exec(flat(text))
  return match && letters && match[1] === letters.join('') ? trim(cut(text, 0, match.index)) : text
}

/** One question that is no group, from its text. */
export function composeSingle(raw: Raw, warnings: Warning[]): QuestionContent {
  const stripped = strip(raw)
  const groups = raw.options ? [] : optionGroups(flat(stripped.text))
  const group = groups.at(-1)
  if (groups.length > 1) warnings.push(uncertain('options', '题中有两组选项，可能是两道题'))
  const body = group ? trim(cut(stripped.text, 0, group.at)) : stripped.text
  // Behind a part they are its own.
  const isParted = partsIn(body).parts.length > 0
  const ended = isParted && !/[（(]\s*\d{1,3}(?:\.\d)?\s*分\s*[)）][ \t]*\n/.test(flat(body).slice(0, 200)) ? { text: body, score: null } : endPoints(body, isParted)
  const score = raw.score ?? stripped.score ?? ended.score
  const base = { ...emptyContent(4), analysis: analysisOf(raw), score, category: raw.category || null }
  const options = raw.options ?? (group ? optionFlows(stripped.text, group.marks.map((mark) => [mark.at, mark.end] as const)) : [])
  if (raw.type === 1 || raw.type === 2 || raw.type === undefined || raw.type === null || options.length >= 2) {
    const isJudged = /判断/.test(raw.category ?? '')
    const truth = truthOf(plainAnswer(wholeAnswer(raw.answer)), isJudged)
    if (options.length === 0 && (isJudged || (truth !== null && raw.type !== 3 && raw.type !== 4))) return trueFalse(base, ended.text, truth)
    // A written question may come with letters as its answer although the file calls it something else.
    const letters = raw.right ? null : rightLetters(raw, warnings)
    if (options.length >= 2 && !(raw.type === 3 || raw.type === 4) || (options.length >= 2 && letters)) return choice(base, withoutLeak(ended.text, letters), options, letters, raw, warnings)
  }
  return composeWritten(base, ended.text, raw, warnings)
}

/** Text of every option; figures behind the last one that no other has belong to the stem. */
function optionFlows(text: Flow, marks: readonly (readonly [number, number])[]): Token[][] {
  return marks.map(([, end], index) => trim(cut(text, end, marks[index + 1]?.[0] ?? Infinity)))
}

