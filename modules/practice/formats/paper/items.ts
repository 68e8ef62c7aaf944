/** A whole paper as text: sections, questions by their numbers, answers wherever a paper may have them. */
import { TRUE_FALSE } from '../../content/question-rules.ts'
import { hint, lost, uncertain, type ParsedItem, type Warning } from '../item.ts'
import { compose } from '../text/compose.ts'
import { answersFor, explanations } from '../text/compose-group.ts'
import { plainAnswer, truthOf } from '../text/answers.ts'
import { kindOf, kindTag, pointsIn } from '../text/facts.ts'
import { cut, flat, isBlank, trim, type Flow, type Token } from '../text/flow.ts'
import { optionGroups } from '../text/markers.ts'
import type { Raw } from '../text/raw.ts'
import { answerTables, blanked, cutAround } from './answer-table.ts'
import { sectionTold } from './head.ts'
import { contradict, matchAnswers, NOTHING, type Matched } from './match.ts'
import type { Heading } from './headings.ts'
import { endOf, piecesOf } from './passages.ts'
import { blankCount, suspicions } from './suspect.ts'
import { outlineOf, type Outline, type Section } from './outline.ts'
import { analysisIn, factsIn, tagsIn, type AnalysisFlows } from './tags.ts'


/** A key that was written into the brackets of the stem: （ C ）, （√）. */
const KEY = /[（(【][^\S\n]*([A-HＡ-Ｈ]{1,6}|[√×✓✗✔✘对错])[^\S\n]*[)）】]/g
const TRUTH = /^[√×✓✗✔✘对错]$/

/**
 * Takes the key out of the brackets of a stem. At its end it is the key; elsewhere a letter in brackets may be one of a
 * figure, which is said.
 */
function keyInStem(flow: Flow, isChosen: boolean, warnings: Warning[]): { text: Token[]; key: string } | null {
  const text = flat(flow)
  const stem = text.slice(0, optionGroups(text).at(-1)?.at ?? text.length)
  if (/[（(【][\s\u3000]*[)）】]/.test(stem)) return null
  const found = [...stem.matchAll(KEY)].filter((match) => isChosen || TRUTH.test(match[1] ?? ''))
  const [match] = found
  if (!match || found.length > 1) return null
  const isEnd = /^[\s。．.？?；;]*$/.test(stem.slice(match.index + match[0].length))
  if (!isEnd && !isChosen) return null
  const key = (match[1] ?? '').normalize('NFKC')
  if (!isEnd && /[图点区组甲乙丙丁线处]\s*$/.test(stem.slice(0, match.index))) return null
  if (!isEnd) warnings.push(uncertain('answer', `题干中的「${key}」当作答案`, key))
  return { text: [...cut(flow, 0, match.index), '（　　）', ...cut(flow, match.index + match[0].length)], key }
}

/** Points in the first line of a question, which is not a part of it. */
const FIRST_POINTS = /^(?!\s*[（(]\d{1,2}[)）]|\s*[①-⑳])[^\n]*?[（(]\s*(?:本题\s*)?(?:满分|共)?\s*\d{1,3}(?:\.\d)?\s*分\s*[)）]/

interface Single {
  flow: Flow
  place: string
  section: Section | undefined
  n: number
  /** What stood in brackets in front of the number. */
  key?: string | undefined
}

/** One question of a paper. */
function item({ flow, place, section, n, key }: Single, { answer: end, analysis, doubts }: Matched): ParsedItem {
  const warnings: Warning[] = [...doubts]
  const heading = section?.heading ?? null
  const isGrouped = heading?.kind?.type === 5 || heading?.kind?.type === 6
  const { text: whole, tags, answered } = tagsIn(flow, true)
  const named = kindTag(flat(whole))
  const untitled = named ? trim(cut(whole, named.length)) : whole
  const kind = named ? named.kind : tags['题型'] ? kindOf(flat(tags['题型']).trim()) : null
  const type = kind?.type ?? heading?.kind?.type
  const isChosen = optionGroups(flat(untitled)).length > 0
  const given = key?.replace(/^T$/, '√').replace(/^F$/, isChosen ? 'F' : '×')
  const keyed = keyInStem(untitled, isChosen, warnings)
  const isJudged = (kind?.category ?? heading?.kind?.category) === TRUE_FALSE || (!isChosen && TRUTH.test(keyed?.key ?? given ?? ''))
  const points = tags['分数'] ?? tags['分值']
  const stated = points ? Number.parseFloat(flat(points)) : Number.NaN
  const own = analysisIn(tags)
  if (answered > 1) warnings.push(uncertain('stem', `题后有 ${answered} 处答案，后面的题可能并入了这道题`))
  if (isBlank(whole)) return lost(place, '题干是空的')
  const text = keyed?.text ?? untitled
  // Answers of one question from several places: the nearest counts, and those that differ are said.
  const [answer = [], ...others] = [tags['答案'] ?? [], keyed ? [keyed.key] : [], given ? [given] : [], end].filter((one) => !isBlank(one))
  for (const other of others) if (contradict(answer, other)) warnings.push(uncertain('answer', `题中的答案「${flat(answer).trim().slice(0, 20)}」与另一处的「${flat(other).trim().slice(0, 20)}」不同`, flat(answer).slice(0, 20)))
  // A number in front of an answer may be its question's: 答案：1、100 米.
  const tagged = flat(tags['答案'] ?? [])
  const isNumbered = n > 0 && (new RegExp(`^\\s*${n}\\s*(?:[、)）]|[.．](?!\\d))`).test(tagged) || new RegExp(`答案\\s*[】\\]]?\\s*[:：]?[ \\t]*\\n\\s*${n}[.．]\\d`).test(flat(flow)))
  if (isNumbered) warnings.push(uncertain('answer', `答案「${tagged.slice(0, 20)}」可能带着题号`, tagged.slice(0, 20)))
  const ofSection = heading?.kind && !isGrouped && (heading.kind.type !== 1 || isJudged) ? heading.kind.type : null
  const raw: Raw = {
    text, answer,
    analysis: Object.keys(own).length > 0 ? own : analysis,
    type: kind ? (type ?? null) : ofSection && (ofSection !== 2 || isChosen) ? ofSection : null,
    category: kind?.category || (isGrouped ? null : heading?.kind?.category) || (isJudged ? TRUE_FALSE : null),
    score: Number.isFinite(stated) ? stated : FIRST_POINTS.test(flat(text)) || heading?.perBlank ? null : (heading?.points ?? null),
    facts: factsIn(tags),
  }
  const question = compose(raw, warnings)
  const blanks = heading?.perBlank && heading.points !== null && question.score === null ? blankCount(question) : 0
  const scored = blanks > 0 ? { ...question, score: blanks * (heading?.points ?? 0) } : question
  return { place, question: scored, warnings: [...warnings, ...suspicions(scored, n, kind ? null : heading)] }
}

interface Grouped {
  /** What all of them are about. */
  lead: Flow
  parts: { n: number; flow: Flow; key?: string | undefined }[]
  place: string
  heading: Heading | null
}

/** One of the questions about a text. */
function childOf(flow: Flow, answer: Flow, heading: Heading | null, isJudged: boolean, analysis: AnalysisFlows): Raw {
  const isChosen = optionGroups(flat(flow)).length > 0
  const isTruth = isJudged && !isChosen && truthOf(plainAnswer(answer), true) !== null
  const points = pointsIn(flat(flow)) ? null : (heading?.points ?? null)
  return { text: flow, answer, analysis, score: points, ...(isTruth ? { type: 1 as const, category: TRUE_FALSE } : isChosen || hasRoom(flow) ? {} : { type: 4 as const }) }
}

/** Whether there is room to write in a text. */
const hasRoom = (flow: Flow) => /[_＿]{2,}|[（(][\s\u3000]{2,}[)）]/.test(flat(flow))

/** Questions about one text, which are one question of several parts. */
function passageItem({ lead, parts, place, heading }: Grouped, given: readonly Matched[]): ParsedItem {
  const warnings: Warning[] = given.flatMap((one) => one.doubts)
  const read = parts.map((part) => {
    const tagged = tagsIn(part.flow, parts.length > 1)
    const keyed = keyInStem(tagged.text, optionGroups(flat(tagged.text)).length > 0, warnings)
    return { ...tagged, text: keyed?.text ?? tagged.text, key: keyed?.key ?? part.key }
  })
  const own = read.map((one, index): Flow => one.tags['答案'] ?? (one.key ? [one.key] : (given[index]?.answer ?? [])))
  const last = read.at(-1)
  // Behind the last of them may stand the answers of all.
  const isWhole = parts.length > 1 && last?.tags['答案'] !== undefined && own.slice(0, -1).every(isBlank)
  for (const [index, part] of parts.entries()) if (!isWhole && [given[index]?.answer ?? [], read[index]?.key ? [read[index]?.key ?? ''] : []].some((other) => contradict(own[index] ?? [], other))) warnings.push(uncertain('answer', `第 ${part.n} 题有两个答案`))
  const explained = parts.flatMap((part, index): Token[] => {
    const solution = read[index]?.tags && analysisIn(read[index]?.tags ?? {}).solution
    const known = solution && !isBlank(solution) ? solution : given[index]?.analysis.solution
    return known && !isBlank(known) ? ['\n', `${part.n}. `, ...known] : []
  })
  const analysis = isWhole ? analysisIn(last.tags) : explained.length > 0 ? { solution: trim(explained) } : {}
  const isCloze = heading?.kind?.type === 5 || parts.every((_, index) => optionGroups(flat(read[index]?.text ?? []))[0]?.at === 0)
  const listed = isWhole ? answersFor(last.tags['答案'], parts) : own
  if (!listed) warnings.push(uncertain('answer', `小题有 ${parts.length} 道，答案对不上`, flat(last?.tags['答案'] ?? []).slice(0, 40)))
  const later = isWhole ? analysis.solution : (last && analysisIn(last.tags).solution) ?? given.at(-1)?.analysis.solution
  // Behind the last of them may stand the explanations of all: 【1题详解】.
  const split = isWhole || (later && /【\s*\d{1,3}\s*(?:小?题)/.test(flat(later))) ? explanations(later, parts) : null
  const facts = last ? factsIn(last.tags) : {}
  const isJudged = /判断|正误|True|\bT\b.{0,12}\bF\b/.test(flat(lead))
  const raw: Raw = isCloze
    ? { text: [...lead, ...parts.flatMap((part, index): Token[] => ['\n', `${part.n}. `, ...(read[index]?.text ?? [])])], answer: listed ?? [], analysis, type: 5, category: heading?.kind?.type === 5 ? heading.kind.category || null : null, facts, ...(heading?.points ? { score: heading.points, scoreOfEach: true } : {}) }
    : { text: lead, type: 6, category: null, facts, analysis: isWhole ? (split ? { ...analysis, solution: split.head } : analysis) : {}, children: parts.map((_, index): Raw => childOf(read[index]?.text ?? [], listed?.[index] ?? [], heading, isJudged, split ? { solution: split.each[index] ?? [] } : isWhole ? {} : { ...given[index]?.analysis, ...analysisIn(read[index]?.tags ?? {}) })) }
  const question = compose(raw, warnings)
  if (question.children.length !== parts.length) warnings.push(uncertain('children', `共 ${parts.length} 道小题，读出 ${question.children.length} 道`))
  return { place, question, warnings: [...warnings, ...suspicions(question, 0, null)] }
}

/** A text with numbered holes and nothing else that is numbered. */
function holesItem(flow: Flow, place: string, section: Section, given: readonly Matched[]): ParsedItem {
  const { heading } = section
  const warnings: Warning[] = given.flatMap((one) => one.doubts)
  const { text, tags } = tagsIn(flow, true)
  const answers = given.map((one) => one.answer)
  const raw: Raw = {
    text, answer: tags['答案'] ?? (answers.some((one) => !isBlank(one)) ? answers : []), analysis: analysisIn(tags), type: 5, category: heading?.kind?.type === 5 ? heading.kind.category || null : null,
    ...(heading?.points ? { score: heading.points, scoreOfEach: true } : {}),
  }
  const question = compose(raw, warnings)
  if (question.children.length !== section.holes.length) warnings.push(uncertain('children', `短文中有 ${section.holes.length} 空，读出 ${question.children.length} 空`))
  return { place, question, warnings: [...warnings, ...suspicions(question, 0, null)] }
}

/** Names questions so that numbers that come again are told apart. */
function placeNamer({ sections }: Outline): (section: Section, numbers: string) => string {
  const all = sections.flatMap((section) => section.marks.map((mark) => mark.n))
  const isUnique = new Set(all).size === all.length
  return (section, numbers) => (isUnique || !section.heading ? `第 ${numbers} 题` : `${section.heading.name || section.heading.kind?.category || '大题'} 第 ${numbers} 题`)
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
  const pieces = piecesOf(text, section)
  return pieces.flatMap((one, index): ParsedItem[] => {
    const end = endOf(pieces, index, section)
    const own = marks.slice(one.first, one.first + one.count)
    const [mark] = own
    if (!mark) return []
    const numbers = own.length > 1 ? `${mark.n}-${own.at(-1)?.n ?? 0}` : String(mark.n)
    const parts = own.map((part, place) => ({ n: part.n, key: part.key, flow: piece(part.end, own[place + 1]?.at ?? end) }))
    const matched = own.map((part, place): Matched => {
      const found = answersOf(at, one.first + place)
      const guessed = place === 0 && one.guessed ? [uncertain('children', `没有写明这段文字有哪些题，暂把第 ${numbers} 题归入`)] : []
      const stray = place === 0 && one.stray ? [uncertain('stem', `题前的文字「${one.stray.slice(0, 24)}」没有归到题中`, one.stray.slice(0, 200))] : []
      return { ...found, doubts: [...found.doubts, ...stray, ...guessed, ...(part.doubt ? [uncertain('stem', part.doubt)] : [])] }
    })
    const lead = piece(one.lead, mark.at)
    if (one.shared) return [passageItem({ lead, parts, place: named(section, numbers), heading: section.heading }, matched)]
    const [part] = parts
    return [item({ flow: [...lead, ...(isBlank(lead) ? [] : ['\n' as const]), ...(part?.flow ?? [])], place: named(section, numbers), section, n: mark.n, key: mark.key }, matched[0] ?? NOTHING)]
  })
}

/** Tasks that are one question without a number. */
const ONE_TASK = /写作|作文|书面表达|改错|习作/

/** A section without numbers that says something is one question. */
function wholeItem({ piece, answersOf }: Paper, section: Section, at: number, next: Section | undefined): ParsedItem[] {
  const content = trim(piece(section.from, section.to))
  const name = section.heading?.name || section.heading?.kind?.category || '大题'
  if (section.holes.length > 0) return [holesItem(content, section.heading ? `${name} 第 ${section.holes[0]?.n}-${section.holes.at(-1)?.n} 题` : '第 1 题', section, section.holes.map((_, place) => answersOf(at, place)))]
  const isOuter = next?.heading && next.heading.level !== section.heading?.level && section.to === next.heading.at
  if (!section.heading || (section.heading.ordinal === null && section.heading.volume === null) || flat(content).length < 8 || /^注意事项|^说明/.test(flat(content)) || (isOuter && flat(content).length < 120)) return []
  const matched = answersOf(at, 0)
  const doubts = ONE_TASK.test(name) ? [hint(`「${name}」整个大题作为一道题`)] : [uncertain('stem', `「${name}」中没有读出题号，整个大题作为一道题`)]
  return [item({ flow: content, place: name, section, n: 0 }, { ...matched, doubts: [...matched.doubts, ...doubts] })]
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
  if (sections.length === 0) return isBlank(flow) ? [lost('文件', '文件中没有文字')] : [item({ flow, place: '第 1 题', section: undefined, n: 0 }, NOTHING)]
  const matched = matchAnswers(outline, flow)
  const paper: Paper = { text, piece: (from, to) => cutAround(flow, tables, from, to), answersOf: (at, place) => matched.get(at, place), named: placeNamer(outline) }
  const read = sections.flatMap((section, index) => (section.marks.length > 0 ? sectionItems(paper, section, index) : wholeItem(paper, section, index, sections[index + 1])).map((one) => ({ one, index })))
  const items = read.map(({ one, index }): ParsedItem => ({ ...one, section: sectionTold(text, sections, index) }))
  if (items.length === 0) return [lost('文件', '文件中没有读出试题')]
  const isUnread = sections.every((section, at) => section.marks.every((_, place) => isBlank(matched.get(at, place).answer)))
  if (outline.blocks.length > 0 && isUnread) items[0]?.warnings.push(hint('文末有参考答案，但没有读出题号'))
  return items
}
