/** Question sets as JSON or JSON lines, whatever their fields are called: a mapping says which field is what. */
import { splitLabels } from './labels.ts'
import { ruled, splitAccepted } from './answer-rules.ts'
import { doubtsOf } from './doubts.ts'
import { countingsOf, givenOptions, rightPlaces, valueText, type Counting, type GivenOption } from './json-options.ts'
import { hint, lost, uncertain, type Asset, type Parsed, type ParsedItem, type Warning } from './item.ts'
import { at, fieldsOf, isEmpty, levelOf, mayBelong, unusedFields, type JsonMapping, type Scale, type Target } from './json-mapping.ts'
import { isObject, type JsonFile, type JsonObject } from './json-records.ts'
import { looksLikeHtml, htmlFlow } from './html.ts'
import { splitMath } from '../../../core/rich-text/tex.ts'
import { optionLetter, type Answer, type Question, type QuestionFacts, type QuestionType } from '../content/question.ts'
import { compose } from './text/compose.ts'
import { difficultyIn, kindOf, kindTag, paperFacts, regionOf, subjectIn, yearsOf } from './text/facts.ts'
import { flowDoc, isBlank, type Token } from './text/flow.ts'
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

/** Options of a record. A field of its own that is empty keeps its letter while others follow it. */
function optionValues(record: JsonObject, reading: Reading): unknown[] {
  const paths = reading.mapping.fields.options ?? []
  if (paths.length < 2) return valuesOf(record, 'options', reading)
  const values = paths.flatMap((path) => (/(?:[a-h]|\d)$/i.test(path) || !isEmpty(at(record, path)) ? [at(record, path) ?? ''] : []))
  return values.slice(0, values.findLastIndex((value) => valueText(value).trim() !== '') + 1)
}

/** The right answer among the wrong ones that a record lists; in the order of their texts, since the file has none. */
function withDistractors(answer: readonly unknown[], distractors: readonly unknown[]): { given: GivenOption[]; right: number[] } {
  const right = answer.flatMap((one) => (Array.isArray(one) ? one : [one])).map((value: unknown) => ({ value, isRight: true }))
  const wrong = distractors.flatMap((one) => (Array.isArray(one) ? one : [one])).map((value: unknown) => ({ value, isRight: false }))
  const all = [...right, ...wrong].sort((a, b) => valueText(a.value).localeCompare(valueText(b.value), 'zh', { numeric: true }))
  return { given: all.map(({ value }) => ({ label: null, value, right: null })), right: all.flatMap(({ isRight }, index) => (isRight ? [index] : [])) }
}

/** A request for the answer at the end of a prompt. */
const ASKED = /\n\s*(?:the )?(?:answer|答案|答|正确答案)(?: is)?\s*[:：]?\s*$/i

/** What stands behind "####" is the answer, what is before it the way to it. */
const FINAL = /^([\s\S]*?)\n?\s*####\s*([^\n]+?)\s*$/
/** The last result in a box. */
const BOXED = /\\(?:boxed|fbox)\s*\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}(?![\s\S]*\\(?:boxed|fbox))/

/** Fields of an answer stand for each other: the first that a record fills. Its parts in fields of their own are one list. */
function answersOf(record: JsonObject, reading: Reading): unknown[] {
  const values = valuesOf(record, 'answer', reading)
  const paths = reading.mapping.fields.answer ?? []
  return paths.length > 1 && paths.every((path) => NUMBERED.test(path)) ? values : values.slice(0, 1)
}

const NUMBERED = /(?:[_\-. ]?\d{1,2}|[一二三四五六七八九十])$/

/** Accepted answers of the blanks of a sheet of ours, which parts them by signs of its own; null for any other record. */
function ownAccepted(record: JsonObject, { mapping }: Reading): string[][] | null {
  const [path] = mapping.fields.answer ?? []
  const text = path === undefined ? undefined : at(record, path)
  return mapping.fields.match?.[0] === OWN_MATCH && typeof text === 'string' && valueText(at(record, OWN_MATCH)) !== '' ? splitAccepted(text) : null
}

const OWN_MATCH = '匹配方式'

function answerOf(record: JsonObject, reading: Reading, isFillIn: boolean): Pick<Raw, 'answer'> {
  const accepted = isFillIn ? ownAccepted(record, reading) : null
  if (accepted) return { answer: accepted.map(([first]) => flowOf(first, '答案', reading)) }
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

/** The option that an answer names by its field: option_b. */
function namedOption(answer: readonly unknown[], { mapping }: Reading): number | null {
  const paths = mapping.fields.options ?? []
  const name = answer.length === 1 ? valueText(answer[0]).trim() : ''
  const place = paths.length < 2 || name.length < 2 ? -1 : paths.indexOf(name)
  return place < 0 ? null : place
}

/** A letter as the answer while another option consists of this letter. */
function letterOrText(answer: readonly unknown[], given: readonly GivenOption[] | null): string | null {
  const letter = answer.length === 1 ? valueText(answer[0]).trim() : ''
  if (!given || !/^[A-H]$/.test(letter) || given.some(({ label }) => label !== null)) return null
  const place = given.findIndex(({ value }) => valueText(value).trim() === letter)
  return place >= 0 && place !== letter.charCodeAt(0) - 65 ? letter : null
}

function rawOf(record: JsonObject, reading: Reading, depth = 0): Raw {
  const { mapping } = reading
  const passage = valuesOf(record, 'passage', reading)
  const children = depth === 0 ? childrenOf(record, reading) : []
  const parallel = children.length > 0 && valuesOf(record, 'children', reading).every((value) => Array.isArray(value) && !value.some(isObject))
  const stem = valuesOf(record, 'stem', reading)
  const distractors = parallel ? [] : valuesOf(record, 'distractors', reading)
  const listed = parallel ? null : givenOptions(optionValues(record, reading))
  const answer = answersOf(record, reading)
  const made = listed === null && distractors.length > 0 && answer.length > 0 ? withDistractors(answer, distractors) : null
  if (made) reading.warnings.push(hint('选项由正确答案和干扰项组成，顺序由导入时排定'))
  else if (distractors.some((one) => !JSON.stringify(listed?.map(({ value }) => valueText(value)) ?? []).includes(JSON.stringify(valueText(one))))) reading.warnings.push(uncertain('options', '干扰项没有放进选项', valueText(distractors).slice(0, 40)))
  const given = listed ?? made?.given ?? null
  const options = given ? optionFlows(given, reading) : null
  const named = textOf(record, 'type', reading) || mapping.type || ''
  const tag = stem.length === 1 && typeof stem[0] === 'string' ? kindTag(stem[0]) : null
  const kind = (named ? kindOf(named) : null) ?? tag?.kind ?? null
  const score = Number.parseFloat(textOf(record, 'score', reading))
  const byName = namedOption(answer, reading)
  const right = made ? { places: made.right, doubtful: false } : byName === null ? rightPlaces(answer.length > 1 ? answer : answer[0], given, reading.countings) : { places: [byName], doubtful: false }
  const twofold = right ? null : letterOrText(answer, given)
  if (twofold) reading.warnings.push(uncertain('answer', `答案「${twofold}」可能是选项的字母，也可能是另一个选项的内容`, twofold))
  if (right?.doubtful) reading.warnings.push(uncertain('answer', `答案「${answer.map(valueText).join('、').slice(0, 20)}」可能是选项的序号（从 0 或从 1 数起）或内容`, right.places.map(optionLetter).join('')))
  const part = (target: 'solution' | 'hint' | 'comment', label: string) => {
    const values = valuesOf(record, target, reading)
    return values.length > 0 ? { [target]: flowOf(values, label, reading) } : {}
  }
  const unlettered = optionValues(record, reading)
  const text: Token[] = [...flowOf(stem.map((one) => (typeof one === 'string' ? one.slice(tag?.length ?? 0).replace(ASKED, '') : one)), '题干', reading)]
  // Options as a text of their own are read where they usually stand.
  if (!options && unlettered.length > 0 && !(kind?.type === 3 && unlettered.length === 1 && answersOf(record, reading).length === 0)) text.push('\n', ...flowOf(unlettered, '选项', reading))
  // Sheets write the answers of a fill-in where choices have their options.
  const isFilled = kind?.type === 3 && options !== null && answer.length === 0
  const final = options === null && answer.length === 1 ? FINAL.exec(valueText(answer[0])) : null
  const boxed = options === null && answer.length === 0 ? BOXED.exec(textOf(record, 'solution', reading))?.[1] : undefined
  if (boxed !== undefined) reading.warnings.push(hint('没有单独的答案，已取解析中方框内的结果'))
  const written = final ? { answer: flowOf(final[2], '答案', reading) } : boxed === undefined ? answerOf(record, reading, kind?.type === 3) : { answer: flowOf(`$${boxed}$`, '答案', reading) }
  const base: Raw = {
    text,
    ...(options && !isFilled ? { options } : {}),
    ...(isFilled ? { answer: options } : byName === null ? written : { answer: [] }),
    ...(right ? { right: right.places } : {}),
    analysis: { ...(final?.[1] ? { solution: flowOf(final[1], '解析', reading) } : {}), ...part('solution', '解析'), ...part('hint', '思路'), ...part('comment', '点评') },
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
  const rule = (one: Answer, of: JsonObject) => {
    const accepted = one.k === 'blanks' ? ownAccepted(of, reading) : null
    const docs = accepted?.map((blank) => blank.flatMap((text) => flowDoc(flowOf(text, '答案', reading)) ?? []))
    const own = one.k === 'blanks' && docs?.length === one.b.length ? { ...one, b: one.b.map((blank, index) => ({ ...blank, accept: docs[index] ?? blank.accept })) } : one
    return ruled(own, textOf(of, 'match', reading), textOf(of, 'tolerance', reading))
  }
  return { ...question, answer: rule(question.answer, record), children: question.children.map((child, index) => ({ ...child, answer: rule(child.answer, inner[index] ?? {}) })) }
}

/**
 * Makes questions of records.
 * @param fileName names the subject when nothing else does
 * @param chosen whether a person has said which field is what; then what is not mapped is left out on purpose
 */
export function mapRecords(file: JsonFile, mapping: JsonMapping, fileName: string, chosen = false): Parsed {
  const assets = new Map<string, Asset>()
  const about = [fileName, ...Object.values(file.about)].join(' ')
  const subject = subjectIn(about)
  const likely = kindOf(about)?.type ?? null
  const bare = { mapping, warnings: [], assets, files: new Map<string, Asset>(), likely, countings: [] }
  const countings = countingsOf(file.records.flatMap(({ value }) => {
    const options = givenOptions(optionValues(value, bare))
    const [answer] = answersOf(value, bare)
    return options && answer !== undefined ? [{ answer, options }] : []
  }))
  const unused = unusedFields(fieldsOf(file.records.map(({ value }) => value)), mapping)
  const missed = chosen ? [] : unused.filter(mayBelong)
  const items = file.records.map(({ value, place }): ParsedItem => {
    const warnings: Warning[] = []
    const reading: Reading = { mapping, warnings, assets, files: file.files ?? new Map<string, Asset>(), likely, countings }
    if (valuesOf(value, 'stem', reading).length === 0 && valuesOf(value, 'passage', reading).length === 0) return lost(place, '没有题干')
    const raw = rawOf(value, reading)
    if (isBlank(raw.text) && !raw.children) return lost(place, '题干是空的')
    const question = compose({ ...raw, facts: factsOf(value, reading, subject) }, warnings)
    const named = textOf(value, 'type', reading) || mapping.type || ''
    if (named && !kindOf(named)) warnings.push(hint(`题型「${named.slice(0, 20)}」无法识别，按内容判断`))
    const left = missed.filter(({ path }) => !isEmpty(at(value, path)))
    if (left.length > 0) warnings.push(uncertain('stem', `有 ${left.length} 列没有读入，可能是题目的一部分：${left.slice(0, 4).map(({ path }) => path).join('、')}`, left.slice(0, 2).map(({ path }) => `${path}：${valueText(at(value, path)).slice(0, 30)}`).join('；')))
    return { place, question: withRules(question, value, reading), warnings: [...warnings, ...doubtsOf(question, { raw, score: raw.score ?? null, scoreOfEach: raw.scoreOfEach ?? false, kind: named ? kindOf(named) : null })] }
  })
  const said = unused.length > 0 ? [hint(`没有用到的列：${unused.slice(0, 20).map(({ path, sample }) => `${path}（${sample.slice(0, 16)}）`).join('、')}${unused.length > 20 ? ` 等 ${unused.length} 列` : ''}；需要时在“字段对应”中指定`)] : []
  return { items: [...items, ...file.broken], warnings: said, assets }
}
