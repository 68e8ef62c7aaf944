/** Which questions of a section share a text, and which words between the questions belong to none of them. */
import { optionGroups } from '../text/markers.ts'
import { SHARED } from './headings.ts'
import { asks, type QuestionMark } from './numbers.ts'
import type { Section } from './outline.ts'

/** Questions that are read together. */
export interface Piece {
  /** Where the text that stands before the first of them begins; its own place when there is none. */
  lead: number
  first: number
  count: number
  /** Whether they are one question with sub-questions. */
  shared: boolean
  /** Words that could not be given to a question. */
  stray?: string
  /** Whether nothing says that these are the questions about the text. */
  guessed?: true
}

/** 完成下面小题: which ones is only said by where their answers stand. */
const OPEN = /(?:完成|回答|做)(?:下面|下列|后面|以下)的?(?:各|两|三|四)?(?:小题|各题|题目)/
const ANSWERED = /(?<=^|\n)\s*[【[]?(?:参考|正确)?答案[】\]:：]/
/** Lines that say how to answer. */
const INSTRUCTION = /^[\s\u3000（(【]*(?:注意|说明|温馨提示|本(?:大|小|节|部分)?题|本(?:卷|部分|节|试题|试卷)共?|每(?:小?题|空|个)|共\s*\d|满分|在(?:每|下列|给出|括号|答题)|从(?:每|[A-DＡ-Ｄ下所给])|请?(?:将|把|从|在|选|按|根据|听|考生|同学|用)|下列(?:各题|每)|以下|听下|听[第录短对]|阅读下[面列].{0,30}(?:选出|填|回答|完成)|根据.{0,20}(?:选|填|完成|回答|写)|选(?:出|择)|判断|解答|要求|正确的|对的|试题|题\s*号|得\s*分|评卷人)|^[^。？！?!]{0,50}(?:最佳选项|正确选项|正确答案|写在.{0,10}(?:上|里|内)|适当形式|答题卡.{0,10})[^。？！?!]{0,20}[。．.：:]?[)）】]?\s*$/
/** A worked example of listening papers. */
const EXAMPLE = /(?<=^|\n)\s*例\s*[:：][\s\S]*?答案是[^\n]*/g

/** What remains of the text before the first question when what only tells how to answer is left out; where it begins. */
function substance(text: string): { at: number; words: string } | null {
  const plain = text.replace(EXAMPLE, (match) => match.replace(/[^\n]/g, ' '))
  let at = 0
  for (const line of plain.split('\n')) {
    if (line.trim() !== '' && !/^[\s\d\u0000（()）.．分]*$/.test(line) && !(INSTRUCTION.test(line) && line.length <= 160)) return { at, words: plain.slice(at).trim() }
    at += line.length + 1
  }
  return null
}

const LABEL = /(?<=\n)[ \t\u3000]*(?:(?:Passage|Text)\s*\d{0,2}|[（(]?[A-EＡ-Ｅ][)）]?|[（(][一二三四五][)）]|材料[一二三四五\d])[ \t]*[.．:：]?[ \t]*(?=\n)/gi

/** Where a text begins behind the words of a question; -1 when there is none. */
function passageBehind(text: string, from: number, to: number, next: number | undefined, isRead: boolean): number {
  const inside = text.slice(from, to)
  const shared = [...inside.matchAll(new RegExp(SHARED, 'g'))].find((match) => Number(match[1]) === next)
  if (shared) return from + inside.lastIndexOf('\n', shared.index) + 1
  const open = OPEN.exec(inside)
  if (open && next !== undefined && (optionGroups(inside.slice(0, open.index)).length > 0 || ANSWERED.test(inside.slice(0, open.index)))) return from + inside.lastIndexOf('\n', open.index) + 1
  if (!isRead || next === undefined) return -1
  const options = optionGroups(inside).at(-1)?.marks.at(-1)
  const label = [...inside.matchAll(LABEL)].find((match) => match.index > (options?.end ?? 0))
  if (label) return from + label.index
  const end = options ? inside.indexOf('\n', options.end) : -1
  if (end < 0) return -1
  const tail = inside.slice(end)
  return /[^\s\u0000\uFFFC]{2}/.test(tail) && !/^\s*(?:[【[]|(?:正确|参考|标准|我的)?答案|解析|答[:：])/.test(tail) ? from + end + 1 : -1
}

/** Questions of a section in their order, those with a common text together. */
export function piecesOf(text: string, section: Section): Piece[] {
  const { marks, heading } = section
  const kind = heading?.kind?.type
  const isRead = kind === 5 || kind === 6
  const border = (index: number) => marks[index]?.at ?? section.to
  /** Where the text before a question begins, by its place. */
  const leads = new Map<number, { at: number; stray?: string; guessed?: true }>()
  const [first] = marks
  if (!first) return []
  const before = text.slice(section.from, first.at)
  const named = SHARED.exec(before)
  const words = substance(before)
  if (named && Number(named[1]) === first.n) leads.set(0, { at: section.from + before.lastIndexOf('\n', named.index) + 1 })
  else if (OPEN.test(before) && words) leads.set(0, { at: section.from + before.lastIndexOf('\n', OPEN.exec(before)?.index) + 1 })
  else if (words && heading && (isRead || (marks.length === 1 && !asks(words.words)))) leads.set(0, { at: section.from + words.at })
  // A long text that nothing says the questions of is guessed to be that of all.
  else if (words && LONG_LINE.test(words.words) && /阅读|短文|文章|材料|根据|读图/.test(before)) leads.set(0, { at: section.from + words.at, guessed: true })
  else if (words && (heading ? words.words.length > 12 : LONG_LINE.test(words.words) && !/注意事项|考生|试卷|满分/.test(words.words))) leads.set(0, { at: first.at, stray: words.words })
  for (const [index, mark] of marks.slice(0, -1).entries()) {
    const at = passageBehind(text, mark.end, border(index + 1), marks[index + 1]?.n, isRead)
    if (at >= 0) leads.set(index + 1, { at })
  }
  const pieces: Piece[] = []
  for (let index = 0; index < marks.length;) {
    const mark = marks[index] as QuestionMark
    const lead = leads.get(index)
    const range = lead && !lead.stray ? SHARED.exec(text.slice(lead.at, mark.at)) : null
    const isRange = range !== null && Number(range[1]) === mark.n
    const nextLead = [...leads.keys()].find((place) => place > index) ?? marks.length
    const isOpen = lead !== undefined && OPEN.test(text.slice(lead.at, mark.at))
    const isShared = lead !== undefined && lead.stray === undefined && (isRange || isOpen || isRead || lead.guessed === true)
    // Cloze has its numbers in the text, so that its questions need no lead.
    const last = isOpen ? marks.slice(index, nextLead).findIndex((one, place) => ANSWERED.test(text.slice(one.end, border(index + place + 1)))) : -1
    const count = isOpen && !isRange && last >= 0 ? last + 1 : isRange ? Math.min(Number(range[2]) - mark.n + 1, marks.length - index) : isShared ? nextLead - index : 1
    pieces.push({ lead: lead && !lead.stray ? lead.at : mark.at, first: index, count: Math.max(1, count), shared: isShared, ...(lead?.stray ? { stray: lead.stray } : {}), ...(lead?.guessed ? { guessed: true } : {}) })
    index += Math.max(1, count)
  }
  return pieces
}

/** A paragraph rather than a title. */
const LONG_LINE = /[^\n]{60,}/

/** Where a question ends: before the text of the questions behind it. */
export const endOf = (pieces: readonly Piece[], index: number, section: Section): number => {
  const next = pieces[index + 1]
  return next ? Math.min(next.lead, section.marks[next.first]?.at ?? section.to) : section.to
}
