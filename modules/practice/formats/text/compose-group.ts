/** Questions about one text: holes in it (type 5), or sub-questions after it (type 6). */
import { emptyContent, type Option, type QuestionContent } from '../../content/question.ts'
import { hint, problem, type Warning } from '../item.ts'
import { lettersOf, plainAnswer } from './answers.ts'
import { composeSingle } from './compose-single.ts'
import { optionId } from './compose-choice.ts'
import { blankAnswer, partsIn } from './compose-written.ts'
import { pointsIn } from './facts.ts'
import { cut, flat, flowDoc, isBlank, trim, type Flow, type Token } from './flow.ts'
import { holeNumbers, numberedHoles, putHoles, type Hole } from './holes.ts'
import { chain, marksAnywhere, marksAround, marksOf, optionGroups, type Mark, type OptionGroup } from './markers.ts'
import { analysisOf, isList, wholeAnswer, type Raw } from './raw.ts'

/** Answers for k sub-questions: a list, a row of letters, numbered parts, lines. */
export function answersFor(answer: Flow | readonly Flow[] | undefined, marks: readonly { n: number }[]): Flow[] | null {
  const count = marks.length
  if (isList(answer)) return answer.length === count ? [...answer] : null
  const whole = trim(wholeAnswer(answer))
  if (isBlank(whole)) return null
  const text = flat(whole)
  for (const style of ['dot', 'paren', 'tag', 'title'] as const) {
    const found = chain(marksOf(text, style), marks[0]?.n)
    if (found.length === count) return found.map((mark, index) => trim(cut(whole, mark.end, found[index + 1]?.at ?? Infinity)))
  }
  const inline = numbersInline(text, marks.map((mark) => mark.n)) ?? numbersInline(text, marks.map((_, index) => index + 1))
  if (inline) return inline.map((mark, index) => trim(cut(whole, mark.end, inline[index + 1]?.at ?? Infinity)))
  const { head, parts } = partsIn(whole)
  if (parts.length === count && isBlank(head)) return parts.map((part) => part.flow)
  // 1-5 ABCDA 6-10 BBCDA, or only letters.
  const letters = plainAnswer(whole).replace(/\d+\s*[-–—~～至]\s*\d+\s*[.．、:：]?|\d+\s*[.．、:：]?/g, ' ').replace(/[\s,，、;；.。]+/g, '')
  if (/^[A-H]+$/.test(letters) && letters.length === count) return [...letters].map((letter) => [letter])
  const lines = text.split('\n').filter((line) => line.trim() !== '').length
  if (lines === count) return cutLines(whole)
  return null
}

/** The given numbers in their order, wherever they stand: "14.C15.…". The first begins the text. */
function numbersInline(text: string, numbers: readonly number[]): Mark[] | null {
  const found: Mark[] = []
  let from = 0
  for (const n of numbers) {
    const match = new RegExp(`(?<![\\d.．])(?:[（(]\\s*${n}\\s*[)）]\\s*[.．]?|${n}\\s*[.．、:：])\\s*`, 'g')
    match.lastIndex = from
    const hit = match.exec(text)
    if (!hit || (found.length === 0 && text.slice(0, hit.index).trim() !== '')) return null
    found.push({ n, at: hit.index, end: hit.index + hit[0].length })
    from = hit.index + hit[0].length
  }
  return found.length > 1 ? found : null
}

function cutLines(flow: Flow): Flow[] {
  const text = flat(flow)
  const lines: Flow[] = []
  let at = 0
  for (const line of text.split('\n')) {
    if (line.trim() !== '') lines.push(trim(cut(flow, at, at + line.length)))
    at += line.length + 1
  }
  return lines
}

/** Explanations for each sub-question, and what stands before the first of them. */
export function explanations(solution: Flow | undefined, marks: readonly { n: number }[]): { head: Flow; each: Flow[] } | null {
  if (!solution || marks.length < 2) return null
  const text = flat(solution)
  for (const style of ['dot', 'paren', 'tag', 'title'] as const) {
    const all = marksOf(text, style)
    for (const first of new Set([marks[0]?.n, 1])) {
      const found = chain(all, first)
      if (found.length >= marks.length) {
        const used = found.slice(0, marks.length)
        return { head: trim(cut(solution, 0, used[0]?.at ?? 0)), each: used.map((mark, index) => trim(cut(solution, mark.end, used[index + 1]?.at ?? Infinity))) }
      }
    }
  }
  // One paragraph each, all of them begun alike: 解：… 解：…
  const begins = [...text.matchAll(/(?<=^|\n)\s*(?:解[:：]|【(?:解答|解析|详解)】)/g)]
  if (begins.length === marks.length) return { head: [], each: begins.map((match, index) => trim(cut(solution, match.index + match[0].length, begins[index + 1]?.index ?? Infinity))) }
  return null
}

interface Shared {
  raw: Raw
  warnings: Warning[]
  base: QuestionContent
}

/** Points of one sub-question when the file gives one number. */
function eachScore(raw: Raw, count: number): { each: number | null; whole: number | null } {
  if (raw.score === null || raw.score === undefined) return { each: null, whole: null }
  // Nothing is worth less than half a point, so such a number is that of one of them.
  return raw.scoreOfEach || raw.score / count < 0.5 || (isList(raw.answer) && raw.score / count < 1) ? { each: raw.score, whole: raw.score * count } : { each: null, whole: raw.score }
}

function withExplanations(content: QuestionContent, raw: Raw, marks: readonly { n: number }[]): QuestionContent {
  const split = explanations(raw.analysis?.solution, marks)
  if (!split) return content
  return {
    ...content,
    analysis: { ...content.analysis, solution: flowDoc(split.head) },
    children: content.children.map((child, index) => ({ ...child, analysis: { ...child.analysis, solution: child.analysis.solution ?? flowDoc(split.each[index] ?? []) } })),
  }
}

/** Cloze with options for each hole: "36. A. … B. …" after the text. */
function clozeOptions({ raw, warnings, base }: Shared, text: Flow, groups: readonly OptionGroup[]): QuestionContent | null {
  const plain = flat(text)
  const marks: Mark[] = []
  for (const group of groups) {
    const before = plain.slice(0, group.at)
    const match = /(?:^|\n|\s)[（(]?\s*(\d{1,3})\s*[)）]?\s*[.．、]?\s*$/.exec(before)
    if (!match) return null
    marks.push({ n: Number(match[1]), at: match.index, end: group.at })
  }
  if (marks.length < 3 || chain(marks).length !== marks.length) return null
  const end = marks[0]?.at ?? 0
  const passage = trim(cut(text, 0, end))
  const first = marks[0]?.n ?? 1
  const holes = numberedHoles(flat(passage), marks.map((mark) => mark.n), Math.floor(marks.length / 3))
  if (!holes) return null
  const gone = marks.filter((mark) => !holes.some((hole) => hole.n === mark.n))
  if (gone.length > 0) warnings.push(problem(`短文中没有找到第 ${gone.map((mark) => mark.n).join('、')} 空`))
  const answers = answersFor(raw.answer, marks)
  if (!answers) warnings.push(problem(`小题有 ${marks.length} 道，答案对不上`))
  const { each, whole } = eachScore(raw, marks.length)
  const children = groups.map((group, index): QuestionContent => {
    const end = marks[index + 1]?.at ?? Infinity
    const options = group.marks.map((mark, place) => trim(cut(text, mark.end, group.marks[place + 1]?.at ?? end)))
    const child: Raw = { text: [], options, answer: answers?.[index] ?? [], type: 1, score: each }
    return { ...composeSingle(child, []), category: null }
  })
  if (answers && children.some(isUnanswered)) warnings.push(NOT_AN_OPTION)
  return withExplanations({ ...base, type: 5, category: base.category || '完形填空', score: whole, stem: flowDoc(putHoles(passage, holes, first)), answer: { k: 'sub' }, children }, raw, marks)
}

/** Holes that the file itself marks, in their order; none where it only writes numbers or lines. */
const markedHoles = (text: Flow) => text.filter((token) => typeof token !== 'string' && token.t === 'subref').length

/** Holes as lines without numbers. */
const unnumberedHoles = (plain: string): Hole[] => [...plain.matchAll(/[_＿]{2,}/g)].map((match, index) => ({ n: index + 1, at: match.index, length: match[0].length }))

/** A hole whose answer is one of the options of all holes; what is none of them is right nowhere. */
function pooledChild(letter: string | undefined, options: readonly Option[], score: number | null): QuestionContent {
  const place = (letter?.codePointAt(0) ?? 0) - 65
  return { ...emptyContent(1), answer: { k: 'one', ok: place >= 0 && place < options.length ? optionId(place) : null }, score }
}

const NOT_AN_OPTION = problem('有小题的答案不在选项中')
const isUnanswered = ({ answer }: QuestionContent) => answer.k === 'one' && answer.ok === null

/** Sentences or words that are put into the holes: options for all of them. */
function sharedPool({ raw, warnings, base }: Shared, passage: Flow, pool: readonly Flow[]): QuestionContent | null {
  const plain = flat(passage)
  const row = isList(raw.answer) ? raw.answer.map((one) => lettersOf(plainAnswer(one))?.[0]) : lettersRow(raw.answer)
  const letters = row?.length ?? 0
  if (letters < 2 || pool.length < letters) return null
  const isMarked = markedHoles(passage) === letters
  const numbers = isMarked ? null : (explainedNumbers(raw, letters) ?? holeNumbers(plain, letters))
  const lines = unnumberedHoles(plain)
  const places = (numbers && numberedHoles(plain, numbers)) ?? (lines.length === letters ? lines : null)
  if (!places && !isMarked) return null
  const options: Option[] = pool.map((flow, index) => ({ id: optionId(index), doc: flowDoc(flow) }))
  const { each, whole } = eachScore(raw, letters)
  const children = Array.from({ length: letters }, (_, index) => pooledChild(row?.[index], options, each))
  if (children.some(isUnanswered)) warnings.push(NOT_AN_OPTION)
  return withExplanations({ ...base, type: 5, category: base.category || '七选五', score: whole, stem: flowDoc(places ? putHoles(passage, places) : passage), options, answer: { k: 'sub' }, children }, raw, places ?? children.map((_, index) => ({ n: index + 1 })))
}

/** The options of a pool that stand behind the text. */
const pooledBehind = (shared: Shared, text: Flow, group: OptionGroup): QuestionContent | null =>
  sharedPool(shared, trim(cut(text, 0, group.at)), group.marks.map((mark, index) => trim(cut(text, mark.end, group.marks[index + 1]?.at ?? Infinity))))

/** The letters of a row of answers for holes: FACDG, or 1. F 2. A. */
function lettersRow(answer: Flow | readonly Flow[] | undefined): string[] | null {
  const text = plainAnswer(wholeAnswer(answer)).replace(/\d+\s*[-–—~～]\s*\d+|\d+\s*[.．、:：)）]?|[（(]/g, ' ').replace(/[\s,，、;；.。]+/g, '')
  return /^[A-O]{2,}$/.test(text) ? [...text] : null
}

/** Numbers that the explanation names: 36．C … 37．D …. */
function explainedNumbers(raw: Raw, count: number): number[] | null {
  const found = raw.analysis?.solution ? chain(marksOf(flat(raw.analysis.solution), 'dot')) : []
  return found.length === count ? found.map((mark) => mark.n) : null
}

/** Words that begin an answer which goes on to explain itself: "and 考查并列连词…". */
function leadingWords(flow: Flow): Flow {
  const match = /^\s*[A-Za-z][A-Za-z'’ /-]*?(?=\s*(?:[\u4e00-\u9fff]|[.．,，。:：]\s*[\u4e00-\u9fff]))/.exec(flat(flow))
  return match && flat(flow).length > 40 ? trim(cut(flow, 0, match[0].length)) : flow
}

/** Numbers under which the answers of a passage may stand. */
function answerNumbers(raw: Raw, plain: string): number[][] {
  const answer = flat(trim(wholeAnswer(raw.answer)))
  const inAnswer = chain(marksAnywhere(answer).dot).map((mark) => mark.n)
  const solution = raw.analysis?.solution ? flat(raw.analysis.solution) : ''
  const explained = (['dot', 'tag'] as const).map((style) => chain(marksOf(solution, style)).map((mark) => mark.n))
  const lines = isList(raw.answer) ? raw.answer.length : answer.split('\n').filter((line) => line.trim() !== '').length
  const written = lines > 1 ? (holeNumbers(plain, lines) ?? []) : []
  return [inAnswer, ...explained, written]
}

/** A text whose holes are written into: grammar in context. */
function writtenHoles({ raw, base, warnings }: Shared, text: Flow): QuestionContent | null {
  const plain = flat(text)
  const least = raw.type === 5 ? 2 : 5
  for (const numbers of answerNumbers(raw, plain)) {
    if (numbers.length < least) continue
    const holes = numberedHoles(plain, numbers)
    const lines = [...plain.matchAll(/[_＿]{2,}/g)].map((match, index) => ({ n: index + 1, at: match.index, length: match[0].length }))
    const places = holes ?? (lines.length === numbers.length ? lines : null)
    const given = places && answersFor(raw.answer, places)
    if (!places || !given) continue
    const answers = given.map(leadingWords)
    // Letters are the answers of options that could not be found.
    if (answers.some((one) => flat(one).length > 40 || isBlank(one)) || answers.every((one) => lettersOf(plainAnswer(one)))) continue
    if (answers.some((one, index) => one !== given[index])) warnings.push(hint('答案后面带有说明，已只取答案'))
    const { each, whole } = eachScore(raw, places.length)
    const children = answers.map((answer): QuestionContent => ({ ...emptyContent(3), answer: { k: 'blanks', b: [blankAnswer('b1', answer)] }, score: each }))
    return withExplanations({ ...base, type: 5, category: base.category || '语法填空', score: whole, stem: flowDoc(putHoles(text, places)), answer: { k: 'sub' }, children }, raw, places)
  }
  return null
}

/** Where sub-questions begin: the numbering under which every group of options has a number of its own. */
function subMarks(text: string, groups: readonly OptionGroup[], count: number): Mark[] | null {
  let best: { marks: Mark[]; fit: number } | null = null
  for (const style of ['dot', 'paren', 'title', 'loose'] as const) {
    const all = marksOf(text, style)
    const runs = style === 'paren' ? [chain(all, 1)] : [chain(all), chain(all, 1)]
    for (const run of runs) {
      // Numbered lines of the passage come before the sub-questions: those that hold no options at the beginning are dropped.
      for (let from = 0; from < run.length; from++) {
        const marks = run.slice(from)
        if (from > 0 && style === 'paren') break
        const owned = marks.filter((mark, index) => groups.some((group) => group.at >= mark.end && group.at < (marks[index + 1]?.at ?? Infinity)))
        const each = groups.every((group) => marks.filter((mark) => mark.end <= group.at).length > 0) && marks.every((mark, index) => groups.filter((group) => group.at >= mark.end && group.at < (marks[index + 1]?.at ?? Infinity)).length <= 1)
        if (!each || owned.length === 0) continue
        const fit = owned.length * 2 + (count === marks.length ? 20 : 0) + (marks.length > 1 ? 5 : 0) - (style === 'loose' ? 3 : 0) - 0.1 * (marks.length - owned.length)
        if (!best || fit > best.fit) best = { marks, fit }
      }
    }
  }
  return best?.marks ?? null
}

/** A passage with sub-questions in its text, some of them choices. */
function subQuestions({ raw, warnings, base }: Shared, text: Flow, groups: readonly OptionGroup[]): QuestionContent | null {
  const plain = flat(text)
  const count = isList(raw.answer) ? raw.answer.length : 0
  const leading = subMarks(plain, groups, count)
  const fits = (one: readonly Mark[]) => one.length > 1 && answersFor(raw.answer, one) !== null
  const marks = leading && fits(leading) ? leading : (marksAround(plain, groups).find(fits) ?? leading)
  // A single mark is the number of a question that is no group.
  if (!marks || (marks.length < 2 && raw.type !== 6)) return null
  const answers = answersFor(raw.answer, marks)
  if (!answers && groups.length < 2 && raw.type !== 6) return null
  if (!answers) warnings.push(problem(`小题有 ${marks.length} 道，答案对不上`))
  const passage = trim(cut(text, 0, marks[0]?.at ?? 0))
  const { each, whole } = eachScore(raw, marks.length)
  const pieces = marks.map((mark, index) => trim(cut(text, mark.end, marks[index + 1]?.at ?? Infinity)))
  const stated = pieces.map((piece) => pointsIn(flat(piece))?.points ?? null)
  const scores = stated.every((one) => one !== null) ? stated : pieces.map(() => each)
  const children = pieces.map((piece, index) => composeSingle({ text: piece, answer: answers?.[index] ?? [], score: scores[index] ?? null, ...(optionGroups(flat(piece)).length > 0 ? {} : { type: 4 as const }) }, answers ? warnings : []))
  const total = scores.every((one): one is number => one !== null) ? scores.reduce((sum, one) => sum + one, 0) : whole
  return withExplanations({ ...base, type: 6, category: base.category, score: total, stem: flowDoc(passage), answer: { k: 'sub' }, children }, raw, marks)
}

/** Sub-questions that the file keeps apart. */
function givenChildren({ raw, warnings, base }: Shared, text: Flow, children: readonly Raw[]): QuestionContent {
  const { each, whole } = eachScore(raw, children.length)
  const isCloze = raw.type === 5 || (raw.type !== 6 && children.every((child) => isBlank(child.text) || /^\s*[（(]?\d{0,3}[)）]?[.．、]?\s*$/.test(flat(child.text))))
  const pool = isCloze && raw.options && children.every((child) => !child.options) ? raw.options : []
  const options: Option[] = pool.map((flow, index) => ({ id: optionId(index), doc: flowDoc(flow) }))
  const made = children.map((child, index) => {
    if (options.length > 0) return pooledChild(lettersOf(plainAnswer(wholeAnswer(child.answer)))?.[0], options, child.score ?? each)
    const own: Warning[] = []
    const content = composeSingle({ ...child, score: child.score ?? each }, own)
    warnings.push(...own.map((warning) => ({ ...warning, message: `第 ${index + 1} 小题：${warning.message}` })))
    return content
  })
  if (options.length > 0 && made.some(isUnanswered)) warnings.push(NOT_AN_OPTION)
  const isMarked = markedHoles(text) === made.length
  const numbers = isCloze && !isMarked ? holeNumbers(flat(text), made.length) : null
  const lines = isCloze && !isMarked ? unnumberedHoles(flat(text)) : []
  const places = (numbers && numberedHoles(flat(text), numbers)) ?? (lines.length === made.length ? lines : null)
  const isInText = isCloze && (places !== null || markedHoles(text) > 0)
  if (isCloze && !isInText) warnings.push(hint('短文中没有找到设空，已按设问在题末导入'))
  return {
    ...base, type: isInText ? 5 : 6, score: made.every((child) => child.score !== null) ? null : whole, options,
    stem: flowDoc(places ? putHoles(text, places) : text), answer: { k: 'sub' }, children: isInText ? made.map((child) => ({ ...child, stem: null, category: null })) : made,
  }
}

const withoutNumber = (flow: Flow): Token[] => {
  const text = trim(flow)
  const points = pointsIn(flat(text).slice(0, 16))
  return points?.at === 0 ? trim(cut(text, points.length)) : text
}

/** A question with sub-questions, or null when it is a single one. */
export function composeGroup(raw: Raw, warnings: Warning[]): QuestionContent | null {
  const base: QuestionContent = { ...emptyContent(6), analysis: analysisOf(raw), score: raw.score ?? null, category: raw.category || null }
  const shared: Shared = { raw, warnings, base }
  const text = withoutNumber(raw.text)
  if (raw.children && raw.children.length > 0) return givenChildren(shared, text, raw.children)
  if (raw.options && raw.type === 5) return sharedPool(shared, text, raw.options)
  if (raw.options || raw.right) return null
  const plain = flat(text)
  const groups = optionGroups(plain)
  // A part of the work that fails leaves its words to the next.
  const attempt = (make: (one: Shared) => QuestionContent | null): QuestionContent | null => {
    const own: Warning[] = []
    const made = make({ ...shared, warnings: own })
    if (made) warnings.push(...own)
    return made
  }
  if (groups.length >= 3) {
    const cloze = attempt((one) => clozeOptions(one, text, groups))
    if (cloze) return cloze
  }
  const last = groups.at(-1)
  if (groups.length === 1 && last && (last.marks.length >= 5 || raw.type === 5)) {
    const pool = attempt((one) => pooledBehind(one, text, last))
    if (pool) return pool
  }
  if (groups.length > 0) {
    const grouped = attempt((one) => subQuestions(one, text, groups))
    if (grouped) return grouped
  }
  if (groups.length === 0 && raw.type !== 3 && raw.type !== 4 && (raw.type === 5 || /[A-Za-z]{3,}\s+[A-Za-z]{2,}\s+[A-Za-z]{2,}/.test(plain))) return attempt((one) => writtenHoles(one, text))
  return null
}
