/** Question sets as JSON or JSON lines, whatever their fields are called: a mapping says which field is what. */
import { splitLabels } from './labels.ts'
import { ruled } from './answer-rules.ts'
import { doubtsOf } from './doubts.ts'
import { countingsOf, givenOptions, rightPlaces, valueText, type Counting, type GivenOption } from './json-options.ts'
import { hint, lost, uncertain, type Asset, type Parsed, type ParsedItem, type Warning } from './item.ts'
import { at, levelOf, type JsonMapping, type Scale, type Target } from './json-mapping.ts'
import { isObject, type JsonFile, type JsonObject } from './json-records.ts'
import { looksLikeHtml, htmlFlow } from './html.ts'
import { splitMath } from '../../../core/rich-text/tex.ts'
import { optionLetter, type Answer, type Question, type QuestionFacts, type QuestionType } from '../content/question.ts'
import { compose } from './text/compose.ts'
import { difficultyIn, kindOf, paperFacts, regionOf, subjectIn, yearsOf } from './text/facts.ts'
import { isBlank, type Token } from './text/flow.ts'
import { textFlow } from './text/read-text.ts'
import type { Raw } from './text/raw.ts'

interface Reading {
  likely: QuestionType | null
  /** What numbers as answers may stand for in this file. */
  countings: readonly Counting[]
  mapping: JsonMapping
  warnings: Warning[]
  assets: Map<string, Asset>
  files: ReadonlyMap<string, Asset>
}

/** What a set notes for calculators inside its sentences: <<48/2=24>>. */
const CALCULATED = /<<[\d\s.,()+\-*/=%^]{1,80}>>/g

/** An answer or option that is a formula without its dollars. */
const bareTex = (text: string, label: string) => (/答案|选项/.test(label) && /\\[a-zA-Z]{2,}/.test(text) && !/\$|\\[([]|[\u4e00-\u9fff\n]/.test(text.replace(/\\left[([]/g, '')) && splitMath(text).pieces.every((piece) => !('tex' in piece)) ? `$${text.trim()}$` : text)

function flowOf(value: unknown, label: string, { warnings, assets, files }: Reading): Token[] {
  const own: Warning[] = []
  const text = bareTex(valueText(value).replace(CALCULATED, ''), label)
  const flow = looksLikeHtml(text) ? htmlFlow(text, { warnings: own, assets, files }) : textFlow(text, own)
  warnings.push(...own.map((warning) => ({ ...warning, message: `${label}：${warning.message}` })))
  return flow
}

const valuesOf = (record: JsonObject, target: Target, { mapping }: Reading) => (mapping.fields[target] ?? []).map((path) => at(record, path)).filter((value) => value !== undefined && value !== null && value !== '')
const textOf = (record: JsonObject, target: Target, reading: Reading) => valuesOf(record, target, reading).map(valueText).join('\n').trim()

/** Texts of the options; null when there are none. */
const optionFlows = (options: readonly GivenOption[], reading: Reading) => options.map((one, index) => flowOf(one.value, `选项${String.fromCodePoint(65 + index)}`, reading))

/** Fields of an answer stand for each other: the first that a record fills. Its parts in fields of their own are one list. */
function answersOf(record: JsonObject, reading: Reading): unknown[] {
  const values = valuesOf(record, 'answer', reading)
  const paths = reading.mapping.fields.answer ?? []
  return paths.length > 1 && paths.every((path) => NUMBERED.test(path)) ? values : values.slice(0, 1)
}

const NUMBERED = /(?:[_\-. ]?\d{1,2}|[一二三四五六七八九十])$/

function answerOf(record: JsonObject, reading: Reading, isFillIn: boolean): Pick<Raw, 'answer'> {
  const own = answersOf(record, reading)
  // Sheets write the one answer of a fill-in where choices have their first option.
  const values = isFillIn && own.length === 0 ? valuesOf(record, 'options', reading) : own
  const only = values.length === 1 ? values[0] : values
  if (Array.isArray(only) && only.length > 1) return { answer: only.map((one) => flowOf(one, '答案', reading)) }
  return { answer: flowOf(Array.isArray(only) ? only[0] : only, '答案', reading) }
}

/** Difficulty on the scale of the file, as one of our five levels; in words or as a share of points when there is none. */
function difficultyBy(source: string, scale: Scale | null): { difficulty: number; coef: number | null } | null {
  const level = scale && levelOf(source)
  if (!scale || typeof level !== 'number') return difficultyIn(source)
  if (level < scale.low || level > scale.high || scale.high <= scale.low) return null
  const hard = (level - scale.low) / (scale.high - scale.low)
  return { difficulty: 1 + Math.round((scale.rises ? 1 - hard : hard) * 4), coef: null }
}

function factsOf(record: JsonObject, reading: Reading, subject: string | null): Partial<QuestionFacts> {
  const { mapping, warnings } = reading
  const year = textOf(record, 'year', reading)
  const region = textOf(record, 'region', reading)
  const paper = textOf(record, 'paper', reading)
  const difficulty = textOf(record, 'difficulty', reading)
  const level = difficulty ? difficultyBy(difficulty, mapping.scale ?? null) : null
  const found = region ? regionOf(region) : null
  const years = yearsOf(year)
  if (region && !found) warnings.push(hint(`卷区「${region.slice(0, 20)}」无法识别`))
  if (year && years.length === 0) warnings.push(hint(`年份「${year.slice(0, 20)}」无法识别`))
  if (difficulty && !level) warnings.push(hint(`难度「${difficulty.slice(0, 20)}」无法识别`))
  // Where a paper is named, the number in front of a question is its place there.
  const place = paper || region ? /^\s*(\d{1,3})\s*[.．、](?!\d)/.exec(textOf(record, 'stem', reading))?.[1] : undefined
  const fromPaper: Partial<QuestionFacts> = { ...(place && { source_order: Number(place) }), ...(paper ? paperFacts(paper) : {}) }
  const own = subjectIn(textOf(record, 'subject', reading))
  return {
    ...fromPaper,
    ...(years.length > 0 ? { source_years: years } : {}),
    ...(found ? { exam_region: found } : {}),
    ...(!paper && region && years.length > 0 ? { source_paper: `${years.join('、')}年${region.replace(/^[（(]|[)）]$/g, '')}`.slice(0, 100) } : {}),
    ...(level ? { difficulty: level.difficulty, coef: level.coef } : {}),
    no: textOf(record, 'no', reading).slice(0, 100) || null,
    subject: own ?? mapping.subject ?? subject,
    labels: splitLabels(valuesOf(record, 'labels', reading)),
    chapters: splitLabels(valuesOf(record, 'chapters', reading)),
    tags: [...new Set(valuesOf(record, 'tags', reading).flatMap((value) => (Array.isArray(value) ? value.map(valueText) : valueText(value).split(/[,，;；|、]/))).map((tag) => tag.trim()).filter((tag) => tag !== '' && tag.length <= 100))].slice(0, 20),
  }
}

/** Sub-questions: records of their own, or lists of stems, options and answers beside each other. */
function childrenOf(record: JsonObject, reading: Reading): JsonObject[] {
  const { fields } = reading.mapping
  return valuesOf(record, 'children', reading).flatMap((value): JsonObject[] => {
    if (!Array.isArray(value)) return []
    if (value.every((one) => typeof one === 'string')) {
      const beside = (target: Target) => (fields[target] ?? []).flatMap((path) => {
        const list = at(record, path)
        return Array.isArray(list) && list.length === value.length && !path.includes('.') ? [[path, list] as const] : []
      })
      const lists = (['options', 'answer', 'solution'] as const).flatMap(beside)
      const stem = (fields.stem ?? ['question']).find((path) => !path.includes('.')) ?? 'question'
      return lists.length > 0 ? value.map((text: string, index) => ({ [stem]: text, ...Object.fromEntries(lists.map(([path, list]) => [path, list[index] as unknown])) })) : []
    }
    return value.filter(isObject)
  })
}

function rawOf(record: JsonObject, reading: Reading, depth = 0): Raw {
  const { mapping } = reading
  const passage = valuesOf(record, 'passage', reading)
  const children = depth === 0 ? childrenOf(record, reading) : []
  const parallel = children.length > 0 && valuesOf(record, 'children', reading).every((value) => Array.isArray(value) && !value.some(isObject))
  const stem = valuesOf(record, 'stem', reading)
  const given = parallel ? null : givenOptions(valuesOf(record, 'options', reading))
  const options = given ? optionFlows(given, reading) : null
  const named = textOf(record, 'type', reading) || mapping.type || ''
  const kind = named ? kindOf(named) : null
  const score = Number.parseFloat(textOf(record, 'score', reading))
  const answer = answersOf(record, reading)
  const right = rightPlaces(answer.length > 1 ? answer : answer[0], given, reading.countings)
  if (right?.doubtful) reading.warnings.push(uncertain('answer', `答案「${answer.map(valueText).join('、').slice(0, 20)}」可能是选项的序号（从 0 或从 1 数起）或内容`, right.places.map(optionLetter).join('')))
  const part = (target: 'solution' | 'hint' | 'comment', label: string) => {
    const values = valuesOf(record, target, reading)
    return values.length > 0 ? { [target]: flowOf(values, label, reading) } : {}
  }
  const unlettered = valuesOf(record, 'options', reading)
  const text: Token[] = [...flowOf(stem, '题干', reading)]
  // Options as a text of their own are read where they usually stand.
  if (!options && unlettered.length > 0 && !(kind?.type === 3 && unlettered.length === 1 && answersOf(record, reading).length === 0)) text.push('\n', ...flowOf(unlettered, '选项', reading))
  // Sheets write the answers of a fill-in where choices have their options.
  const isFilled = kind?.type === 3 && options !== null && answer.length === 0
  const base: Raw = {
    text,
    ...(options && !isFilled ? { options } : {}),
    ...(isFilled ? { answer: options } : answerOf(record, reading, kind?.type === 3)),
    ...(right ? { right: right.places } : {}),
    analysis: { ...part('solution', '解析'), ...part('hint', '思路'), ...part('comment', '点评') },
    type: kind?.type ?? null,
    likely: reading.likely,
    category: kind?.category || null,
    score: Number.isFinite(score) && score >= 0 && score <= 300 ? score : null,
    ...(mapping.score_of_each === null ? {} : { scoreOfEach: mapping.score_of_each }),
  }
  if (children.length > 0) return { ...base, ...(parallel ? { answer: [], analysis: {} } : {}), text: passage.length > 0 ? [...flowOf(passage, '材料', reading), ...(stem.length > 0 ? ['\n', ...text] : [])] : text, children: children.map((child) => rawOf(child, reading, depth + 1)), type: kind?.type === 5 ? 5 : 6 }
  if (passage.length > 0 && stem.length > 0) {
    const { type: _, ...child } = base
    const { options: _options, right: _right, ...whole } = base
    return { ...whole, text: flowOf(passage, '材料', reading), type: 6, children: [child], answer: [], analysis: {} }
  }
  return base
}

/** How answers are compared, of the question and of its sub-questions, where the record says it. */
function withRules(question: Question, record: JsonObject, reading: Reading): Question {
  const inner = valuesOf(record, 'children', reading).flatMap((value) => (Array.isArray(value) ? value.filter(isObject) : []))
  const rule = (one: Answer, of: JsonObject) => ruled(one, textOf(of, 'match', reading), textOf(of, 'tolerance', reading))
  return { ...question, answer: rule(question.answer, record), children: question.children.map((child, index) => ({ ...child, answer: rule(child.answer, inner[index] ?? {}) })) }
}

/**
 * Makes questions of records.
 * @param fileName names the subject when nothing else does
 */
export function mapRecords(file: JsonFile, mapping: JsonMapping, fileName: string): Parsed {
  const assets = new Map<string, Asset>()
  const about = [fileName, ...Object.values(file.about)].join(' ')
  const subject = subjectIn(about)
  const likely = kindOf(about)?.type ?? null
  const bare = { mapping, warnings: [], assets, files: new Map<string, Asset>(), likely, countings: [] }
  const countings = countingsOf(file.records.flatMap(({ value }) => {
    const options = givenOptions(valuesOf(value, 'options', bare))
    const [answer] = answersOf(value, bare)
    return options && answer !== undefined ? [{ answer, options }] : []
  }))
  const items = file.records.map(({ value, place }): ParsedItem => {
    const warnings: Warning[] = []
    const reading: Reading = { mapping, warnings, assets, files: file.files ?? new Map<string, Asset>(), likely, countings }
    if (valuesOf(value, 'stem', reading).length === 0 && valuesOf(value, 'passage', reading).length === 0) return lost(place, '没有题干')
    const raw = rawOf(value, reading)
    if (isBlank(raw.text) && !raw.children) return lost(place, '题干是空的')
    const question = compose({ ...raw, facts: factsOf(value, reading, subject) }, warnings)
    const named = textOf(value, 'type', reading) || mapping.type || ''
    return { place, question: withRules(question, value, reading), warnings: [...warnings, ...doubtsOf(question, { raw, score: raw.score ?? null, scoreOfEach: raw.scoreOfEach ?? false, kind: named ? kindOf(named) : null })] }
  })
  return { items: [...items, ...file.broken], warnings: [], assets }
}
