/** A whole paper as text: sections, questions by their numbers, answers wherever a paper may have them. */
import { TRUE_FALSE } from '../../content/question-rules.ts'
import { hint, lost, uncertain, type ParsedItem, type Warning } from '../item.ts'
import { compose } from '../text/compose.ts'
import { kindOf, pointsIn } from '../text/facts.ts'
import { cut, flat, isBlank, trim, type Flow, type Token } from '../text/flow.ts'
import { optionGroups } from '../text/markers.ts'
import type { Raw } from '../text/raw.ts'
import { answerTables, blanked, cutAround } from './answer-table.ts'
import { contradict, matchAnswers, type Matched } from './match.ts'
import { outlineOf, type Outline, type Section } from './outline.ts'
import { analysisIn, factsIn, tagsIn } from './tags.ts'

const KIND_TAG = /^\s*【\s*([^【】]{2,10}题)\s*】\s*/

/** A passage that several numbered questions share: 阅读短文，完成 21～23 题. */
const SHARED = /(?:完成|回答|做)\s*(?:第|下面|下列)?\s*(\d{1,3})\s*[~～\-–—至、和]\s*(\d{1,3})\s*(?:小?题|各题)/

/** A key that was written into the brackets of the stem: （ C ）, （√）. */
const KEY = /[（(]\s*([A-HＡ-Ｈ]{1,6}|[√×✓✗✔✘])\s*[)）](?=\s*[。．.？?；;]?\s*$)/

/** Takes the key out of the brackets at the end of a stem. */
function keyInStem(flow: Flow): { text: Token[]; key: string } | null {
  const text = flat(flow)
  const stem = text.slice(0, optionGroups(text).at(-1)?.at ?? text.length)
  const match = KEY.exec(stem)
  if (!match || /[（(][\s\u3000]*[)）]/.test(stem)) return null
  return { text: [...cut(flow, 0, match.index), '（　　）', ...cut(flow, match.index + match[0].length)], key: (match[1] ?? '').normalize('NFKC') }
}

/** One question of a paper. */
function item(flow: Flow, place: string, section: Section | undefined, { answer: end, analysis, doubts }: Matched): ParsedItem {
  const warnings: Warning[] = [...doubts]
  const heading = section?.heading
  const { text: whole, tags, answered } = tagsIn(flow)
  const named = KIND_TAG.exec(flat(whole).replace(/^\s*\d{1,3}\s*[.．、]\s*/, ''))?.[1]
  const untitled = named ? trim(cut(whole, (flat(whole).indexOf('】') || 0) + 1)) : whole
  const kind = named ? kindOf(named) : tags['题型'] ? kindOf(flat(tags['题型']).trim()) : null
  const type = kind?.type ?? heading?.kind?.type
  const isJudged = (kind?.category ?? heading?.kind?.category) === TRUE_FALSE
  const isChosen = optionGroups(flat(untitled)).length > 0
  const keyed = isChosen || isJudged ? keyInStem(untitled) : null
  const points = tags['分数'] ?? tags['分值']
  const stated = points ? Number.parseFloat(flat(points)) : Number.NaN
  const own = analysisIn(tags)
  if (answered > 1) warnings.push(uncertain('stem', `题后有 ${answered} 处答案，后面的题可能并入了这道题`))
  if (isBlank(whole)) return lost(place, '题干是空的')
  const text = keyed?.text ?? untitled
  // Answers of one question from several places: the nearest counts, and those that differ are said.
  const [answer = [], ...others] = [tags['答案'] ?? [], keyed ? [keyed.key] : [], end].filter((one) => !isBlank(one))
  for (const other of others) if (contradict(answer, other)) warnings.push(uncertain('answer', `题中的答案「${flat(answer).slice(0, 20)}」与另一处的「${flat(other).slice(0, 20)}」不同`, flat(answer).slice(0, 20)))
  // A number in front of an answer may be its question's: 答案：1、100 米.
  const number = /^\s*(\d{1,3})\s*[.．、)）]/.exec(flat(whole))?.[1]
  const tagged = flat(tags['答案'] ?? [])
  const isNumbered = number && (new RegExp(`^\\s*${number}\\s*(?:[、)）]|[.．](?!\\d))`).test(tagged) || new RegExp(`答案\\s*[】\\]]?\\s*[:：]?[ \\t]*\\n\\s*${number}[.．]\\d`).test(flat(flow)))
  if (isNumbered) warnings.push(uncertain('answer', `答案「${tagged.slice(0, 20)}」可能带着题号`, tagged.slice(0, 20)))
  const ofSection = heading?.kind && (heading.kind.type !== 1 || isJudged) ? heading.kind.type : null
  const raw: Raw = {
    text, answer,
    analysis: Object.keys(own).length > 0 ? own : analysis,
    type: kind ? (type ?? null) : ofSection && (ofSection !== 2 || isChosen) ? ofSection : null,
    category: kind?.category || heading?.kind?.category || null,
    score: Number.isFinite(stated) ? stated : pointsIn(flat(text).slice(0, 24)) ? null : (heading?.points ?? null),
    facts: factsIn(tags),
  }
  return { place, question: compose(raw, warnings), warnings }
}

/** Questions about one text, which are one question of several parts. */
function passageItem(flow: Flow, place: string, given: readonly Matched[]): ParsedItem {
  const warnings: Warning[] = given.flatMap((one) => one.doubts)
  const own = tagsIn(flow)
  const answers = given.map((one) => one.answer)
  const answer = own.tags['答案'] ?? (answers.every((one) => !isBlank(one)) ? answers : [])
  return { place, question: compose({ text: own.text, answer, analysis: analysisIn(own.tags), type: 6, category: null, facts: factsIn(own.tags) }, warnings), warnings }
}

/** Names questions so that numbers that come again are told apart. */
function placeNamer({ sections }: Outline): (section: Section, numbers: string) => string {
  const all = sections.flatMap((section) => section.marks.map((mark) => mark.n))
  const isUnique = new Set(all).size === all.length
  return (section, numbers) => (isUnique || !section.heading ? `第 ${numbers} 题` : `${section.heading.name || '大题'} 第 ${numbers} 题`)
}

/** What all sections of a paper are read with. */
interface Paper {
  text: string
  /** Part of the text without tables of answers. */
  piece: (from: number, to: number) => Token[]
  answersOf: (section: number, place: number) => Matched
  named: (section: Section, numbers: string) => string
}

/** Questions of one section. */
function sectionItems({ text, piece, answersOf, named }: Paper, section: Section, at: number): ParsedItem[] {
  const { marks } = section
  const items: ParsedItem[] = []
  for (let index = 0; index < marks.length; index++) {
    const mark = marks[index]
    if (!mark) continue
    const from = Math.max(section.from, marks[index - 1]?.end ?? 0)
    const before = text.slice(from, mark.at)
    const shared = SHARED.exec(before)
    const border = (place: number) => marks[place]?.at ?? section.to
    const doubts = (place: number): Matched => {
      const { doubt } = marks[place] ?? {}
      const matched = answersOf(at, place)
      return doubt ? { ...matched, doubts: [...matched.doubts, uncertain('stem', doubt)] } : matched
    }
    // The passage stands behind the options of the question before it: it begins with the line that names the numbers.
    if (shared && Number(shared[1]) === mark.n) {
      const count = Math.min(Number(shared[2]) - Number(shared[1]) + 1, marks.length - index)
      const start = from + before.lastIndexOf('\n', shared.index) + 1
      items.push(passageItem(piece(start, border(index + count)), named(section, `${mark.n}-${mark.n + count - 1}`), Array.from({ length: count }, (_, place) => doubts(index + place))))
      index += count - 1
      continue
    }
    let end = border(index + 1)
    const inside = text.slice(mark.end, end)
    const passage = SHARED.exec(inside)
    if (passage && Number(passage[1]) === mark.n + 1) end = mark.end + inside.lastIndexOf('\n', passage.index) + 1
    items.push(item(piece(mark.glued ? mark.end : mark.at, end), named(section, String(mark.n)), section, doubts(index)))
  }
  return items
}

/** A section without numbers that says something is one question. */
function wholeItem({ piece }: Paper, section: Section, next: Section | undefined, matched: Matched): ParsedItem[] {
  const content = trim(piece(section.from, section.to))
  const isOuter = next?.heading && next.heading.level !== section.heading?.level && section.to === next.heading.at
  if (!section.heading || section.heading.ordinal === null || isOuter || flat(content).length < 8 || /^注意事项|^说明/.test(flat(content))) return []
  const name = section.heading.name || '大题'
  return [item(content, name, section, { ...matched, doubts: [...matched.doubts, uncertain('stem', `「${name}」中没有读出题号，整个大题作为一道题`)] })]
}

/**
 * Splits a paper into its questions.
 * @returns the items; a text without any number is one question
 */
export function paperItems(flow: Flow): ParsedItem[] {
  // Tables for the answers of a section: filled in they are its answers, empty they are nothing.
  const tables = answerTables(flow, false)
  const text = blanked(flat(flow), tables)
  const outline = outlineOf(text, tables.filter((table) => table.answers.length > 0 || table.uneven.length > 0))
  const { sections } = outline
  if (sections.length === 0) return isBlank(flow) ? [lost('文件', '文件中没有文字')] : [item(flow, '第 1 题', undefined, { answer: [], analysis: {}, doubts: [] })]
  const matched = matchAnswers(outline, flow)
  const paper: Paper = { text, piece: (from, to) => cutAround(flow, tables, from, to), answersOf: (at, place) => matched.get(at, place), named: placeNamer(outline) }
  const items = sections.flatMap((section, index) => (section.marks.length > 0 ? sectionItems(paper, section, index) : wholeItem(paper, section, sections[index + 1], matched.get(index, 0))))
  if (items.length === 0) return [lost('文件', '文件中没有读出试题')]
  const isUnread = sections.every((section, at) => section.marks.every((_, place) => isBlank(matched.get(at, place).answer)))
  if (outline.blocks.length > 0 && isUnread) items[0]?.warnings.push(hint('文末有参考答案，但没有读出题号'))
  return items
}
