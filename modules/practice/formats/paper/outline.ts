/** What a paper is made of: sections with their questions, and parts with answers. */
import { chain, marksOf, optionGroups, type Mark } from '../text/markers.ts'
import { answerHeadingsIn, BEGINS_LIST, headingsIn, SHARED, type AnswerHeading, type Heading, type SectionName } from './headings.ts'
import { asks, questionMarks, type QuestionMark } from './numbers.ts'

export interface Section {
  /** Null where nothing heads it: a paper without headings, numbers that begin again. */
  heading: Heading | null
  from: number
  to: number
  /** Its questions; a section without numbers has none. */
  marks: QuestionMark[]
  /** Numbers of the holes of its text where nothing else is numbered. */
  holes: QuestionMark[]
}

/** Places of a section that answers may be for. */
export const slotsOf = ({ marks, holes }: Section): QuestionMark[] => (marks.length > 0 ? marks : holes)

/** A part that holds answers. */
export interface AnswerBlock {
  /** Section that it names. */
  target: SectionName | null
  /** Sections that it may be about: those since the part with answers before it. */
  since: number
  until: number
  from: number
  to: number
}

export interface Outline {
  sections: Section[]
  blocks: AnswerBlock[]
}

interface Event {
  at: number
  /** @param next where the next heading stands */
  enter: (next: number) => void
}

/** A table of answers with something in it. */
export interface FilledTable {
  at: number
  end: number
}

/** Sections among some that a name may stand for; the number says more than the words. */
export function sectionsNamed(name: SectionName, sections: readonly Section[]): Section[] {
  const headed = sections.filter((section) => section.heading !== null)
  const inVolume = name.volume === null ? headed : headed.filter((section) => section.heading?.volume === name.volume)
  const among = name.volume !== null && inVolume.length === 0 ? headed : inVolume
  if (name.volume !== null && name.ordinal === null && name.name === '') return inVolume
  const sameName = name.name === '' ? [] : among.filter((section) => section.heading?.name === name.name)
  if (name.ordinal !== null) {
    const sameLevel = among.filter((section) => section.heading?.ordinal === name.ordinal && section.heading.level === name.level)
    const numbered = sameLevel.length > 0 ? sameLevel : among.filter((section) => section.heading?.ordinal === name.ordinal)
    const both = numbered.filter((section) => sameName.includes(section))
    if (both.length > 0) return both
    if (numbered.length > 0) return numbered
  }
  if (sameName.length > 0) return sameName
  // Sections without numbers are counted.
  const counted = name.ordinal !== null && sections.every((section) => (section.heading?.ordinal ?? null) === null) ? sections.filter((section) => section.marks.length > 0)[name.ordinal - 1] : undefined
  if (counted && (name.kind === null || counted.heading?.kind?.type === name.kind.type)) return [counted]
  return name.kind ? among.filter((section) => section.heading?.kind?.type === name.kind?.type) : []
}

/** Sections with the parts of those that have none of their own questions: 第一部分 with its 第一节 and 第二节. */
export function withParts(named: readonly Section[], sections: readonly Section[]): Section[] {
  return named.flatMap((section) => {
    if (slotsOf(section).length > 0) return [section]
    const behind = sections.slice(sections.indexOf(section) + 1)
    const end = behind.findIndex((other) => other.heading?.level === section.heading?.level)
    return [section, ...behind.slice(0, end < 0 ? undefined : end)]
  })
}

/** Numbers with which a list of answers begins, as far as a bare heading needs them. */
const listedNumbers = (text: string) => [...text.matchAll(/(?<=^|[\s\u3000；;。])(\d{1,3})\s*[.．、:：)）]|(\d{1,3})\s*[-–—~～至]\s*(\d{1,3})(?=\s*[.．:：、]?\s*[A-H√×])/g)].flatMap((match) => (match[1] ? [Number(match[1])] : [Number(match[2]), Number(match[3])]))

const HOLE = /[_＿]{1,}\s*[（(]?\s*(\d{1,3})\s*[)）]?\s*[_＿]{1,}|(?<=\s)(\d{1,3})\s?[_＿]{3,}|[_＿]{3,}\s?(\d{1,3})(?=\s)/g

/** Numbered holes of a text, when they follow each other. */
function holesIn(text: string, from: number, to: number): QuestionMark[] {
  const run = chain([...text.slice(from, to).matchAll(HOLE)].map((match): QuestionMark => ({ n: Number(match[1] ?? match[2] ?? match[3]), at: match.index + from, end: match.index + match[0].length + from })))
  return run.length > 1 ? run : []
}

/** An answer among the questions. */
const OWN = /[【[]\s*(?:参考|正确|标准)?答案\s*[】\]]|\n\s*(?:参考|正确|标准)?答案(?:\s*[:：]|[ \t\u3000]+[^\s_＿（(])|\n\s*答\s*[:：][ \t]*[^\s_]/

class Builder {
  readonly sections: Section[] = []
  readonly blocks: AnswerBlock[] = []
  readonly #text: string
  #heading: Heading | null = null
  #from = 0
  #mode: 'body' | 'answers' = 'body'
  /** First section that the next part with answers may be about. */
  #since = 0
  /** First section of the paper that is being read; a file may hold several. */
  #paper = 0
  #target: SectionName | null = null
  /** Sections that have their answers among their questions. */
  readonly #answered = new Set<number>()

  readonly #tables: ReadonlySet<number>

  /** @param tables places of tables of answers */
  constructor(text: string, tables: readonly FilledTable[]) {
    this.#text = text
    this.#tables = new Set(tables.map(({ at }) => at))
  }

  /**
   * Ends what is open at a place.
   * @param isHeaded whether the heading of a section stands there
   */
  close(to: number, isHeaded = false): void {
    const again = this.#mode === 'answers' ? this.#questionsAgain(to) : -1
    if (again >= 0) {
      this.close(again)
      this.#since = this.sections.length
      this.#heading = null
      this.#open('body', again)
    }
    if (this.#mode === 'answers') {
      if (this.#text.slice(this.#from, to).trim() !== '') this.blocks.push({ target: this.#target, since: this.#since, until: this.sections.length, from: this.#from, to })
      return
    }
    const last = this.sections.at(-1)?.marks.at(-1)?.n ?? 0
    const found = questionMarks(this.#text, this.#from, to, this.#heading === null && this.sections.length > 0 ? 0 : last)
    // Numbered lines of a task to write are its points.
    const before = this.sections.flatMap(slotsOf).at(-1)?.n ?? 0
    const isTask = /写作|作文|书面表达|习作/.test(this.#heading?.name ?? '') && before > 1 && found[0]?.[0]?.n !== before + 1
    const groups = isTask ? [] : found
    // What stands before the first heading may be instructions to the candidates.
    const isPreface = this.#heading === null && this.sections.length === 0 && isHeaded && !asks(this.#text.slice(this.#from, to))
    if (isPreface) return
    if (groups.length === 0 && this.#heading === null) return
    for (const [index, marks] of (groups.length > 0 ? groups : [[]]).entries()) {
      this.sections.push({ holes: marks.length > 0 ? [] : holesIn(this.#text, this.#from, to), heading: index === 0 ? this.#heading : null, from: index === 0 ? this.#from : (marks[0]?.at ?? to), to: groups[index + 1]?.[0]?.at ?? to, marks })
    }
  }

  /** Where questions go on among answers without a heading: the number that is due, before something that is asked. */
  #questionsAgain(to: number): number {
    const part = this.#text.slice(this.#from, to)
    const due = (this.sections.flatMap(slotsOf).at(-1)?.n ?? 0) + 1
    const mark = marksOf(part, 'dot').find(({ n, end }) => n === due && optionGroups(part.slice(end)).some((group) => !/\n[^\S\n]*\d{1,3}[^\S\n]*[.．、]/.test(part.slice(end, end + group.at))))
    return mark && mark.at > 0 ? this.#from + mark.at : -1
  }

  #open(mode: 'body' | 'answers', from: number): void {
    this.#mode = mode
    this.#from = from
  }

  /** A table that is filled in among the questions holds the answers of their section. */
  table({ at, end }: FilledTable): void {
    if (this.#mode !== 'body') return
    this.blocks.push({ target: null, since: this.sections.length, until: this.sections.length + 1, from: at, to: end })
    this.#answered.add(this.sections.length)
  }

  answers(heading: AnswerHeading, next: number): void {
    if (this.#mode === 'body' && !this.#isAnswerPart(heading, next)) return
    // Among answers a word for one of them begins no other part.
    if (this.#mode === 'answers' && !heading.sure && heading.section === null && this.#questionsAgain(heading.at) < 0) return
    this.close(heading.at)
    while (this.#answered.has(this.#since) && this.#since < this.sections.length - 1) this.#since++
    this.#target = heading.section
    this.#open('answers', heading.after)
  }

  #isAnswerPart(heading: AnswerHeading, next: number): boolean {
    const { marks } = this.#peek(heading.at)
    const before = [...this.sections.slice(this.#since).flatMap(slotsOf), ...marks]
    if (before.length === 0) return false
    if (heading.sure) return true
    // A bare 答案 begins a list when the list is about several questions before it, none of which has its answer already.
    const content = this.#text.slice(heading.after, next)
    const [first] = headingsIn(this.#text.slice(heading.after).trimStart().split('\n', 1)[0] ?? '')
    const open: Section = { heading: this.#heading, from: this.#from, to: heading.at, marks: [...marks], holes: [] }
    const isOpen = (scope: readonly Mark[]) => !OWN.test(this.#text.slice(scope[0]?.at ?? 0, heading.at))
    if (first && content.trim() === '' && isOpen(before) && sectionsNamed(first, [...this.sections.slice(this.#paper), open]).length > 0) return true
    if (before.length > 1 && content.replace(/[\s,，、;；]+/g, '').length >= before.length && /^[A-H√×\s,，、;；]+$/.test(content)) return isOpen(before)
    if (/^\s*题\s*号/.test(content) || (content.trim() === '' && this.#tables.has(next)) || this.#isAboutFirst(content)) return isOpen(before)
    if (!BEGINS_LIST.test(content)) return false
    const numbers = listedNumbers(content)
    const begins = (scope: readonly Mark[]) => {
      const known = new Set(scope.map((mark) => mark.n))
      const isOne = known.size === 1 && known.has(numbers[0] ?? -1) && /^\s*\d{1,3}\s*(?:[、)）．]|\.(?!\d+\s*(?:\n|$)))/.test(content) && this.#text[heading.after] === '\n'
      return isOpen(scope) && (isOne || (known.size > 1 && new Set(numbers.filter((n) => known.has(n))).size >= Math.max(2, known.size / 3) && known.has(numbers[0] ?? -1)))
    }
    // A tag in brackets is about what stands right before it.
    const isThrough = new Set(before.map((mark) => mark.n)).size === before.length && !/^\s*[【[]/.test(this.#text.slice(heading.at))
    return (marks.length > 0 && begins(marks)) || (isThrough && numbers[0] === before[0]?.n && begins(before))
  }

  /** Whether a list begins with the answers of the first section, when a later one has begun: a letter for each of its questions, or their range. */
  #isAboutFirst(content: string): boolean {
    const first = this.sections.at(this.#since)
    const marks = first ? slotsOf(first) : []
    if (marks.length === 0) return false
    const [, from, to] = /^\s*(\d{1,3})\s*[-–—~～至]\s*(\d{1,3})(?=\s*[.．:：、]?\s*[A-H√×])/.exec(content) ?? []
    const [, letters = ''] = /^\s*([A-H√×]{2,})\s*(?:\n|$)/.exec(content) ?? []
    return (Number(from) === marks[0]?.n && Number(to) <= (marks.at(-1)?.n ?? 0)) || letters.length === marks.length
  }

  /** Questions of the section that is open, up to a place. */
  #peek(to: number): { marks: Mark[] } {
    if (this.#mode === 'answers') return { marks: [] }
    return { marks: questionMarks(this.#text, this.#from, to, this.sections.at(-1)?.marks.at(-1)?.n ?? 0).flat() }
  }

  heading(heading: Heading, next: number): void {
    const content = this.#text.slice(heading.end, next)
    const paper = this.sections.slice(this.#paper)
    if (this.#mode === 'body') {
      if (!heading.sure && !this.#continues(heading, content)) return
      this.close(heading.at, true)
      this.#heading = heading
      this.#open('body', this.#begin(heading))
      return
    }
    const known = sectionsNamed(heading, paper)
    const rooms = content.match(/[（(][\s\u3000]*[)）]|[_＿]{2,}/g)?.length ?? 0
    const numbers = content.match(/(?<=^|\n)\s*(?:[（(][^()（）\n]{0,6}[)）]\s*)?\d{1,3}\s*[.．、)）]/g)?.length ?? 0
    const isAsked = numbers > 0 && rooms * 2 >= numbers && !this.#repeats(content, known)
    const begins = known.length > 0 ? isAsked : heading.sure && !BEGINS_LIST.test(this.#text.slice(heading.after, heading.end))
    if (!begins) {
      if (!heading.sure && known.length === 0) return
      this.close(heading.at)
      this.#target = heading
      this.#open('answers', heading.after)
      return
    }
    this.close(heading.at)
    this.#since = this.sections.length
    // The same section once more: another paper in the same file.
    if (known.length > 0) this.#paper = this.sections.length
    this.#heading = heading
    this.#open('body', this.#begin(heading))
  }

  /** A heading that names the questions of its text is part of the text. */
  #begin = (heading: Heading) => (SHARED.test(this.#text.slice(heading.at, heading.end)) ? heading.at : heading.end)

  /** Whether a line that only begins with 二、 goes on from the heading before it and questions follow it. */
  #continues({ level, ordinal, at, end }: Heading, content: string): boolean {
    const length = end - at
    const before = this.#heading?.level === level ? this.#heading : this.sections.findLast((section) => section.heading?.level === level)?.heading
    const follows = ordinal !== null && (before?.ordinal ?? 0) + 1 === ordinal
    return follows && (level === 'chinese' || level === 'roman') && (/(?<=^|\n)\s*\d{1,3}\s*[.．、]/.test(content) || length <= 24)
  }

  /** Whether answers repeat the questions that they are for. */
  #repeats(content: string, sections: readonly Section[]): boolean {
    const first = /(?<=^|\n)\s*\d{1,3}\s*[.．、)）]\s*([^\n]{6,})/.exec(content)?.[1]?.replace(/\s+/g, '').slice(0, 10)
    return first !== undefined && sections.some((section) => this.#text.slice(section.from, section.to).replace(/\s+/g, '').includes(first))
  }
}

/**
 * Parts of a paper in order.
 * @param text without the words of tables of answers
 */
export function outlineOf(text: string, tables: readonly FilledTable[]): Outline {
  const builder = new Builder(text, tables)
  const answers = answerHeadingsIn(text)
  const lines = new Set(answers.map((one) => one.at))
  const events = [
    ...answers.map((one): Event => ({ at: one.at, enter: (next) => builder.answers(one, next) })),
    ...headingsIn(text).flatMap((one): Event[] => (lines.has(one.at) ? [] : [{ at: one.at, enter: (next) => builder.heading(one, next) }])),
    ...tables.map((one): Event => ({ at: one.at, enter: () => builder.table(one) })),
  ].sort((a, b) => a.at - b.at)
  for (const [index, event] of events.entries()) event.enter(events[index + 1]?.at ?? text.length)
  builder.close(text.length)
  return { sections: builder.sections, blocks: builder.blocks }
}
