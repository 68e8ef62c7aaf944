/** A whole paper as text: sections, questions by their numbers, answers inline or at its end. */
import type { Analysis } from '../content/question.ts'
import { hint, lost, type ParsedItem, type Warning } from './item.ts'
import { compose } from './text/compose.ts'
import { difficultyIn, kindOf, paperFacts, pointsIn } from './text/facts.ts'
import { cut, flat, isBlank, trim, type Flow, type Token } from './text/flow.ts'
import { marksOf, optionGroups, type Mark } from './text/markers.ts'
import type { Raw } from './text/raw.ts'
import { splitLabels } from './labels.ts'

/** 一、选择题（本题共8小题，每小题5分） */
const SECTION = /(?<=^|\n)[ \t\u3000]*(?:第[ⅠⅡⅢI一二三]+卷|[一二三四五六七八九十]{1,3}\s*[、.．])[^\n]*(?:题|卷|阅读|听力|写作|作文|默写|表达|填空|选择|解答|计算|判断)[^\n]*/g
/** Where the answers of the whole paper begin. */
const ANSWERS = /(?<=^|\n)[ \t\u3000]*(?:【\s*)?(?:[^\n]{0,30}?)(?:参考答案|试题答案|答案与解析|答案及解析|答案和解析|标准答案)(?:与试题解析|与解析|及解析|及评分标准|和评分标准)?(?:\s*】)?[ \t\u3000:：]*(?=\n|$)/g
const TAG = /【\s*(答案|解析|解答|详解|分析|思路|点评|点睛|易错|难度|难度系数|分数|分值|知识点|考点|标签|题型|来源|出处|年份)\s*】\s*[:：]?|(?<=^|\n)[ \t\u3000]*(答案|解析|详解|难度|知识点|分值|题型)\s*[:：]/g
const KIND_TAG = /^\s*【\s*([^【】]{2,10}题)\s*】\s*/

interface Section {
  at: number
  end: number
  category: string | null
  type: Raw['type']
  points: number | null
}

function sectionsIn(text: string): Section[] {
  return [...text.matchAll(SECTION)].map((match) => {
    const kind = kindOf(match[0].replace(/[（(].*$/, '').replace(/^.*?[、.．]/, '')) ?? kindOf(match[0])
    const each = /每(?:小?题|空)\s*(\d+(?:\.\d)?)\s*分/.exec(match[0])?.[1]
    return { at: match.index, end: match.index + match[0].length, category: kind?.category || null, type: kind && kind.type !== 1 ? kind.type : null, points: each ? Number(each) : null }
  })
}

/** Numbers of questions: each one more than the one before; a section may begin anew. */
function questionMarks(text: string, sections: readonly Section[]): Mark[] {
  const marks = [...marksOf(text, 'dot'), ...marksOf(text, 'title')].sort((a, b) => a.at - b.at)
  const found: Mark[] = []
  let section = -1
  for (const mark of marks) {
    const inside = sections.findLastIndex((one) => one.at <= mark.at)
    const last = found.at(-1)?.n
    if (last === undefined || mark.n === last + 1 || (mark.n === 1 && inside > section)) {
      found.push(mark)
      section = inside
    }
  }
  return found
}

type Tagged = { [name: string]: Token[] }

/** What tags say, and the text before the first of them. */
function tagsIn(flow: Flow): { text: Token[]; tags: Tagged } {
  const text = flat(flow)
  const found = [...text.matchAll(TAG)]
  const tags: Tagged = {}
  for (const [index, match] of found.entries()) {
    const name = match[1] ?? match[2] ?? ''
    const content = trim(cut(flow, match.index + match[0].length, found[index + 1]?.index ?? Infinity))
    tags[name] = tags[name] ? [...tags[name], '\n', ...content] : content
  }
  return { text: trim(cut(flow, 0, found[0]?.index ?? Infinity)), tags }
}

const PARTS: Readonly<Record<string, keyof Analysis>> = { 解析: 'solution', 解答: 'solution', 详解: 'solution', 分析: 'hint', 思路: 'hint', 点评: 'comment', 点睛: 'comment', 易错: 'pitfall' }

function analysisIn(tags: Tagged): Raw['analysis'] {
  const parts: { [Part in keyof Analysis]?: Token[] } = {}
  for (const [name, content] of Object.entries(tags)) {
    const key = PARTS[name]
    if (key && !isBlank(content)) parts[key] = [...(parts[key] ? [...parts[key], '\n' as const] : []), ...content]
  }
  if (!parts.solution && parts.hint) {
    parts.solution = parts.hint
    delete parts.hint
  }
  return parts
}

/** Answers at the end of a paper, by the number of the question. */
function endAnswers(flow: Flow): Map<number, { answer: Flow; analysis: Raw['analysis'] }> {
  const text = flat(flow)
  const found = new Map<number, { answer: Flow; analysis: Raw['analysis'] }>()
  // 1-5 ABCDA
  for (const match of text.matchAll(/(\d{1,3})\s*[-–—~～至]\s*(\d{1,3})\s*[.．:：、]?\s*([A-H](?:\s*[A-H])*)(?![a-z])/g)) {
    const letters = (match[3] ?? '').replace(/\s/g, '')
    const [from, to] = [Number(match[1]), Number(match[2])]
    if (letters.length === to - from + 1) for (const [index, letter] of [...letters].entries()) found.set(from + index, { answer: [letter], analysis: {} })
  }
  // 1. A  2. B  3. C on one line, or a paragraph for each.
  const marks = [...text.matchAll(/(?<![\d.．\-–~～])(\d{1,3})\s*[.．、]\s*/g)].map((match): Mark => ({ n: Number(match[1]), at: match.index, end: match.index + match[0].length }))
  // "4.14" is the number 4.14 rather than the answer 14 of question 4, unless question 4 has no other answer.
  const isDecimal = (mark: Mark) => /\d/.test(text[mark.end] ?? '') && /[.．]$/.test(text.slice(mark.at, mark.end))
  const run: Mark[] = []
  let next = marks.find((mark) => !isDecimal(mark))
  while (next) {
    const last: Mark = next
    run.push(last)
    const behind = marks.filter((mark) => mark.at > last.at && mark.n === last.n + 1)
    next = behind.find((mark) => !isDecimal(mark)) ?? behind[0]
  }
  for (const [index, mark] of run.entries()) {
    if (found.has(mark.n)) continue
    const { text: answer, tags } = tagsIn(trim(cut(flow, mark.end, run[index + 1]?.at ?? Infinity)))
    found.set(mark.n, { answer: tags['答案'] ?? answer, analysis: analysisIn(tags) })
  }
  return found
}

/** Points, paper, labels and difficulty that tags state. */
function factsIn(tags: Tagged): Raw['facts'] {
  const words = (name: string) => (tags[name] ? flat(tags[name]).trim() : '')
  const level = difficultyIn(words('难度') || words('难度系数'))
  const paper = words('来源') || words('出处')
  return {
    ...(paper ? paperFacts(paper) : {}),
    ...(level ? { difficulty: level.difficulty, coef: level.coef } : {}),
    labels: splitLabels([words('知识点') || words('考点') || words('标签')].filter(Boolean)),
  }
}

/** A passage that several numbered questions share: 阅读短文，完成 21～23 题. */
const SHARED = /(?:完成|回答|做)\s*(?:第|下面|下列)?\s*(\d{1,3})\s*[~～\-–—至、和]\s*(\d{1,3})\s*(?:小?题|各题)/

/** One question of a paper, or several about one text. */
function item(flow: Flow, place: string, section: Section | undefined, answers: Map<number, { answer: Flow; analysis: Raw['analysis'] }>, n: number): ParsedItem {
  const warnings: Warning[] = []
  const { text, tags } = tagsIn(flow)
  const named = KIND_TAG.exec(flat(text).replace(/^\s*\d{1,3}\s*[.．、]\s*/, ''))?.[1]
  const kind = named ? kindOf(named) : tags['题型'] ? kindOf(flat(tags['题型']).trim()) : null
  const end = answers.get(n)
  const points = tags['分数'] ?? tags['分值']
  const stated = points ? Number.parseFloat(flat(points)) : Number.NaN
  const own = analysisIn(tags)
  if (isBlank(text)) return lost(place, '题干是空的')
  const raw: Raw = {
    text: named ? trim(cut(text, (flat(text).indexOf('】') || 0) + 1)) : text,
    answer: tags['答案'] ?? end?.answer ?? [],
    analysis: Object.keys(own ?? {}).length > 0 ? own : (end?.analysis ?? {}),
    type: kind?.type ?? (section?.type && (section.type !== 2 || optionGroups(flat(text)).length > 0) ? section.type : null),
    category: kind?.category || section?.category || null,
    score: Number.isFinite(stated) ? stated : pointsIn(flat(text).slice(0, 24)) ? null : (section?.points ?? null),
    facts: factsIn(tags) ?? {},
  }
  return { place, question: compose(raw, warnings), warnings }
}

/**
 * Splits a paper into its questions.
 * @returns the items; a text without any number is one question
 */
export function paperItems(flow: Flow): ParsedItem[] {
  const whole = flat(flow)
  const turn = [...whole.matchAll(ANSWERS)].find((match) => questionMarks(whole.slice(0, match.index), []).length > 0)
  const body = turn ? cut(flow, 0, turn.index) : flow
  const answers = turn ? endAnswers(cut(flow, turn.index + turn[0].length)) : new Map<number, { answer: Flow; analysis: Raw['analysis'] }>()
  const text = flat(body)
  const sections = sectionsIn(text)
  const marks = questionMarks(text, sections)
  if (marks.length === 0) return isBlank(body) ? [lost('文件', '文件中没有文字')] : [item(body, '第 1 题', sections[0], answers, 1)]
  const items: ParsedItem[] = []
  for (let index = 0; index < marks.length; index++) {
    const mark = marks[index]
    if (!mark) continue
    const section = sections.findLast((one) => one.at <= mark.at)
    const before = text.slice(Math.max(section?.end ?? 0, marks[index - 1]?.end ?? 0), mark.at)
    const shared = SHARED.exec(before)
    const next = (at: number) => marks[at]?.at ?? Infinity
    const border = (at: number) => Math.min(next(at), ...sections.filter((one) => one.at > mark.at).map((one) => one.at))
    // The passage stands behind the options of the question before it: it begins with the line that names the numbers.
    if (shared && Number(shared[1]) === mark.n) {
      const count = Number(shared[2]) - Number(shared[1]) + 1
      const start = mark.at - before.length + (before.lastIndexOf('\n', shared.index) + 1)
      const warnings: Warning[] = []
      const flows = cut(body, start, border(index + count))
      const own = tagsIn(flows)
      const numbers = Array.from({ length: count }, (_, place) => mark.n + place)
      const given = numbers.map((n) => answers.get(n)?.answer)
      const answer = own.tags['答案'] ?? (given.every((one): one is Flow => one !== undefined) ? given : [])
      items.push({ place: `第 ${mark.n}-${mark.n + count - 1} 题`, question: compose({ text: own.text, answer, analysis: analysisIn(own.tags), type: 6, category: null, facts: factsIn(own.tags) }, warnings), warnings })
      index += count - 1
      continue
    }
    let end = border(index + 1)
    const inside = text.slice(mark.end, Number.isFinite(end) ? end : undefined)
    const passage = SHARED.exec(inside)
    if (passage && Number(passage[1]) === mark.n + 1) end = mark.end + inside.lastIndexOf('\n', passage.index) + 1
    items.push(item(cut(body, mark.at, end), `第 ${mark.n} 题`, section, answers, mark.n))
  }
  if (turn && answers.size === 0) items[0]?.warnings.push(hint('文末有参考答案，但没有读出题号'))
  return items
}
