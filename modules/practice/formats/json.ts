/** Question sets as JSON or JSON lines, whatever their fields are called: a mapping says which field is what. */
import { splitLabels } from './labels.ts'
import { doubtsOf } from './doubts.ts'
import { hint, lost, type Asset, type Parsed, type ParsedItem, type Warning } from './item.ts'
import { at, type JsonMapping, type Target } from './json-mapping.ts'
import { isObject, type JsonFile, type JsonObject } from './json-records.ts'
import { looksLikeHtml, htmlFlow } from './html.ts'
import type { QuestionFacts, QuestionType } from '../content/question.ts'
import { compose } from './text/compose.ts'
import { difficultyIn, kindOf, paperFacts, regionOf, subjectIn, yearsOf } from './text/facts.ts'
import { isBlank, type Flow, type Token } from './text/flow.ts'
import { textFlow } from './text/read-text.ts'
import type { Raw } from './text/raw.ts'

interface Reading {
  likely: QuestionType | null
  mapping: JsonMapping
  warnings: Warning[]
  assets: Map<string, Asset>
  files: ReadonlyMap<string, Asset>
}

/** A text of any shape: a string, a number, a list of lines, an object with its text in it. */
function valueText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return value.map(valueText).filter(Boolean).join('\n')
  if (isObject(value)) return valueText(value['text'] ?? value['content'] ?? value['value'] ?? value['html'] ?? value['name'] ?? Object.values(value).filter((one) => typeof one === 'string'))
  return ''
}

function flowOf(value: unknown, label: string, { warnings, assets, files }: Reading): Token[] {
  const own: Warning[] = []
  const text = valueText(value)
  const flow = looksLikeHtml(text) ? htmlFlow(text, { warnings: own, assets, files }) : textFlow(text, own)
  warnings.push(...own.map((warning) => ({ ...warning, message: `${label}：${warning.message}` })))
  return flow
}

const valuesOf = (record: JsonObject, target: Target, { mapping }: Reading) => (mapping.fields[target] ?? []).map((path) => at(record, path)).filter((value) => value !== undefined && value !== null && value !== '')
const textOf = (record: JsonObject, target: Target, reading: Reading) => valuesOf(record, target, reading).map(valueText).join('\n').trim()

const LETTERED = /^\s*[（(]?\s*([A-Ha-h])\s*[)）.．、:：]\s*/

/** Options of any shape: a list, an object by letter, a text, a field for each. Null when there are none. */
function optionsOf(record: JsonObject, reading: Reading): Token[][] | null {
  const values = valuesOf(record, 'options', reading)
  if (values.length === 0) return null
  const first = values[0]
  const list = values.length > 1 ? values : Array.isArray(first) ? first : isObject(first) ? Object.keys(first).sort().map((key) => first[key]) : null
  if (!list) {
    const text = valueText(first)
    const lines = text.split(/\n|(?<=\S)\s{2,}(?=[B-H]\s*[.．、:：])/).filter((line) => line.trim() !== '')
    return lines.length >= 2 && lines.every((line) => LETTERED.test(line)) ? lines.map((line) => flowOf(line.replace(LETTERED, ''), '选项', reading)) : null
  }
  const kept = list.filter((one) => valueText(one).trim() !== '')
  if (kept.length < 2) return null
  const lettered = kept.every((one, index) => LETTERED.exec(valueText(one))?.[1]?.toUpperCase() === String.fromCodePoint(65 + index))
  return kept.map((one, index) => flowOf(lettered ? valueText(one).replace(LETTERED, '') : valueText(one), `选项${String.fromCodePoint(65 + index)}`, reading))
}

/** Places of the right options when the file counts them. */
function rightPlaces(value: unknown, options: readonly Flow[] | null): number[] | null {
  if (!options) return null
  const list = Array.isArray(value) ? value : [value]
  if (list.length === 0 || !list.every((one) => typeof one === 'number' && Number.isInteger(one))) return null
  const numbers = list as number[]
  // Counted from 1 only when counting from 0 is impossible.
  const first = numbers.some((one) => one >= options.length) && numbers.every((one) => one >= 1) ? 1 : 0
  return numbers.map((one) => one - first)
}

function answerOf(record: JsonObject, reading: Reading): Pick<Raw, 'answer'> {
  const values = valuesOf(record, 'answer', reading)
  const only = values.length === 1 ? values[0] : values
  if (Array.isArray(only) && only.length > 1) return { answer: only.map((one) => flowOf(one, '答案', reading)) }
  return { answer: flowOf(Array.isArray(only) ? only[0] : only, '答案', reading) }
}

function factsOf(record: JsonObject, reading: Reading, subject: string | null): Partial<QuestionFacts> {
  const { mapping, warnings } = reading
  const year = textOf(record, 'year', reading)
  const region = textOf(record, 'region', reading)
  const paper = textOf(record, 'paper', reading)
  const difficulty = textOf(record, 'difficulty', reading)
  const level = difficulty ? difficultyIn(difficulty, mapping.difficulty_rises) : null
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

function rawOf(record: JsonObject, reading: Reading, depth = 0): Raw {
  const { mapping } = reading
  const passage = valuesOf(record, 'passage', reading)
  const children = depth === 0 ? valuesOf(record, 'children', reading).flatMap((value) => (Array.isArray(value) ? value.filter(isObject) : [])) : []
  const stem = valuesOf(record, 'stem', reading)
  const options = optionsOf(record, reading)
  const named = textOf(record, 'type', reading) || mapping.type || ''
  const kind = named ? kindOf(named) : null
  const score = Number.parseFloat(textOf(record, 'score', reading))
  const answer = valuesOf(record, 'answer', reading)
  const right = rightPlaces(answer.length === 1 ? answer[0] : answer, options)
  const part = (target: 'solution' | 'hint' | 'comment', label: string) => {
    const values = valuesOf(record, target, reading)
    return values.length > 0 ? { [target]: flowOf(values, label, reading) } : {}
  }
  const unlettered = valuesOf(record, 'options', reading)
  const text: Token[] = [...flowOf(stem, '题干', reading)]
  // Options as a text of their own are read where they usually stand.
  if (!options && unlettered.length > 0) text.push('\n', ...flowOf(unlettered, '选项', reading))
  const base: Raw = {
    text,
    ...(options ? { options } : {}),
    ...answerOf(record, reading),
    ...(right ? { right } : {}),
    analysis: { ...part('solution', '解析'), ...part('hint', '思路'), ...part('comment', '点评') },
    type: kind?.type ?? null,
    likely: reading.likely,
    category: kind?.category || null,
    score: Number.isFinite(score) && score >= 0 && score <= 300 ? score : null,
    ...(mapping.score_of_each === null ? {} : { scoreOfEach: mapping.score_of_each }),
  }
  if (children.length > 0) return { ...base, text: passage.length > 0 ? [...flowOf(passage, '材料', reading), ...(stem.length > 0 ? ['\n', ...text] : [])] : text, children: children.map((child) => rawOf(child, reading, depth + 1)), type: kind?.type === 5 ? 5 : 6 }
  if (passage.length > 0 && stem.length > 0) {
    const { type: _, ...child } = base
    return { ...base, text: flowOf(passage, '材料', reading), type: 6, children: [child], answer: [], analysis: {} }
  }
  return base
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
  const items = file.records.map(({ value, place }): ParsedItem => {
    const warnings: Warning[] = []
    const reading: Reading = { mapping, warnings, assets, files: file.files ?? new Map<string, Asset>(), likely }
    if (valuesOf(value, 'stem', reading).length === 0 && valuesOf(value, 'passage', reading).length === 0) return lost(place, '没有题干')
    const raw = rawOf(value, reading)
    if (isBlank(raw.text) && !raw.children) return lost(place, '题干是空的')
    const question = compose({ ...raw, facts: factsOf(value, reading, subject) }, warnings)
    const named = textOf(value, 'type', reading) || mapping.type || ''
    return { place, question, warnings: [...warnings, ...doubtsOf(question, { raw, score: raw.score ?? null, scoreOfEach: raw.scoreOfEach ?? false, kind: named ? kindOf(named) : null })] }
  })
  return { items: [...items, ...file.broken], warnings: [], assets }
}
