/** Numbers and letters with which questions, sub-questions and options begin. */

export interface Mark {
  /** 3 for 3., （3）; 0 for A. */
  n: number
  /** Where the mark begins, and where what follows it begins. */
  at: number
  end: number
}

export type NumberStyle = 'dot' | 'paren' | 'title' | 'tag' | 'loose'

const NUMBERS: Readonly<Record<NumberStyle, RegExp>> = {
  // A decimal number is no mark; a year after the point is text: "5.2022年".
  dot: /(?<=^|\n)[ \t\u3000\u00A0]*(?:【?\s*(?:例|变式|练习|题)\s*)?(\d{1,3})\s*】?\s*(?:[.．、](?!\d)|[.．、](?=(?:19|20)\d\d\s*[年～~—–-])|[)）](?!\s*[.．]))[ \t\u3000]*/g,
  paren: /(?<=^|\n)[ \t\u3000\u00A0]*(?:[（(]\s*(\d{1,2})\s*[)）]|([⑴-⒇]))[ \t\u3000]*[.．、]?/g,
  /** Also numbers that lost their point: "25 What does …". */
  loose: /(?<=^|\n)[ \t\u3000\u00A0]*(\d{1,3})(?:\s*[.．、](?!\d)|[ \t]*(?=[A-Z“"《\u4e00-\u9fff]))[ \t\u3000]*/g,
  tag: /【\s*(?:第\s*)?(\d{1,3})\s*(?:小?题)?\s*(?:的?(?:详解|解析|解答|答案|分析))?\s*】[ \t]*/g,
  title: /(?<=^|\n)[ \t\u3000\u00A0]*(?:第\s*(\d{1,3})\s*题|题目?\s*(\d{1,3})\s*[:：.．、]|Question\s+(\d{1,3})\s*[:：.)]?|Q\s*(\d{1,3})\s*[:：.)])[ \t\u3000]*[:：.．、]?/gi,
}

/** All marks of a style at the beginnings of lines. */
export function marksOf(text: string, style: NumberStyle): Mark[] {
  return [...text.matchAll(NUMBERS[style])].map((match) => ({
    n: match[2] && style === 'paren' ? (match[2].codePointAt(0) ?? 0) - 0x2473 : Number(match.slice(1).find(Boolean)),
    at: match.index,
    end: match.index + match[0].length,
  }))
}

/**
 * The longest chain of marks whose numbers follow each other.
 * @param from the first number must be this one
 */
export function chain(marks: readonly Mark[], from?: number): Mark[] {
  let best: Mark[] = []
  for (const [index, first] of marks.entries()) {
    if (from !== undefined && first.n !== from) continue
    const found = [first]
    for (const mark of marks.slice(index + 1)) if (mark.n === (found.at(-1)?.n ?? 0) + 1) found.push(mark)
    if (found.length > best.length) best = found
  }
  return best
}

export interface OptionMark {
  letter: string
  at: number
  end: number
  style: 'dot' | 'comma' | 'paren' | 'bare'
  /** First on its line. */
  leads: boolean
  /** Right behind a word of what stands before it. */
  glued: boolean
}

export interface OptionGroup {
  /** Where the first option begins, mark included. */
  at: number
  marks: OptionMark[]
}

const OPTION = /(?<![A-Za-z_\\])(?:([A-HＡ-Ｈ])\s*(?:([.．:：])|([、]))|[（(【[〔]\s*([A-HＡ-Ｈ])\s*[)）】\]〕]\s*[.．、]?|([A-HＡ-Ｈ])\s*[)）])[ \t\u3000\u00A0]*/g
/** An A behind the brackets of its stem that lost its point: "（ ） A 一脉相承 B. 互为一体". */
const PLAIN_A = /(?<=(?:[)）][ \t\u3000]{0,3}(?=A[ \t\u3000]+[\u4e00-\u9fff])|\d[.．、][ \t\u3000]{0,3}))A(?=[ \t\u3000]+\S)[ \t\u3000]+/g
/** A letter that begins a line without any mark after it: "A  静息电位". */
const BARE = /(?<=\n|^)[ \t\u3000\u00A0]*([A-H])(?:(?=[A-Z][a-z])|[ \t\u3000\u00A0]*[，,](?=[\u4e00-\u9fff])|[ \t\u3000\u00A0]*(?![组点处地图表区项是与和、型类市县国村])(?=[\u4e00-\u9fff\uFFFC①-⑳《“]))/g

const half = (letter: string) => letter.normalize('NFKC')

function optionMarks(text: string): OptionMark[] {
  const marks: OptionMark[] = []
  for (const match of text.matchAll(OPTION)) {
    const letter = half(match[1] ?? match[4] ?? match[5] ?? '')
    const before = text.slice(0, match.index)
    const leads = /(?:^|\n)[ \t\u3000\u00A0]*$/.test(before)
    const style = match[2] ? 'dot' : match[3] ? 'comma' : 'paren'
    // Within a line a mark stands apart: after a space, a bracket, an object or the end of a sentence.
    const glued = !leads && !/[\s\u3000)）\]】〕_＿\uFFFC。；;，,.．：:？?！!、]$/.test(before)
    if (glued && (style !== 'dot' || !/[\u4e00-\u9fff”’》\d①-⑳\uFFFC/]$/.test(before))) continue
    // On a line that begins with an option one space parts the next from it.
    const inRow = /(?:^|\n)[ \t\u3000\u00A0]*[A-HＡ-Ｈ]\s*、[^\n]*\s$/.test(before)
    if (!leads && style === 'comma' && !inRow && !/(?:[ \u3000\t]{2,}|[)）])$/.test(before)) continue
    marks.push({ letter, at: leads ? before.length - (/[ \t\u3000\u00A0]*$/.exec(before)?.[0].length ?? 0) : match.index, end: match.index + match[0].length, style, leads, glued })
  }
  for (const match of text.matchAll(PLAIN_A)) marks.push({ letter: 'A', at: match.index, end: match.index + match[0].length, style: 'dot', leads: false, glued: false })
  for (const match of text.matchAll(BARE)) {
    const end = match.index + match[0].length
    if (!marks.some((mark) => mark.at <= end && mark.end >= match.index)) marks.push({ letter: match[1] ?? '', at: match.index, end, style: 'bare', leads: true, glued: false })
  }
  const plain = marks.some((mark) => mark.letter === 'B' && mark.style !== 'bare') ? [] : plainMarks(text)
  const others = marks.filter((mark) => !plain.some((other) => other.at <= mark.end && other.end >= mark.at))
  return [...others, ...plain].sort((a, b) => a.at - b.at)
}

/** Letters without any sign, three or more that follow each other: each leads a line, or stands apart on the line of an A. */
function plainMarks(text: string): OptionMark[] {
  const found: OptionMark[] = []
  const all = [...text.matchAll(/(?<=^|\n|[ \t\u3000]{2})([A-H])[ \t\u3000]+(?=\S)|(?<=^|\n)[ \t\u3000]*([A-H])[ \t\u3000]+(?=\S)/g)]
  for (let index = 0; index < all.length; index++) {
    const run = [all[index]]
    if ((all[index]?.[1] ?? all[index]?.[2]) !== 'A' || !/(?:^|\n)[ \t\u3000]*$/.test(text.slice(0, all[index]?.index))) continue
    for (const next of all.slice(index + 1)) if ((next[1] ?? next[2]) === letterAt(run.length)) run.push(next)
      else break
    if (run.length < 3) continue
    for (const match of run) if (match) found.push({ letter: match[1] ?? match[2] ?? '', at: match.index, end: match.index + match[0].length, style: 'dot', leads: /(?:^|\n)[ \t\u3000]*$/.test(text.slice(0, match.index)), glued: false })
    index += run.length - 1
  }
  return found
}

const letterAt = (index: number) => String.fromCodePoint(65 + index)

/**
 * Follows the letters from an A on. A mark of another kind is taken only when it begins a line; one that is glued to
 * the option before it only when the letter stands nowhere else.
 */
function follow(marks: readonly OptionMark[], start: number): OptionMark[] {
  const first = marks[start]
  if (!first) return []
  const found = [first]
  let at = start
  for (;;) {
    const wanted = letterAt(found.length)
    const after = marks.slice(at + 1)
    // The next A begins another group when its B comes before the letter that is wanted; else it is a word: "vitamin A."
    const isNext = (mark: OptionMark, place: number) => mark.letter === 'A' && mark.style === first.style && !mark.glued && after.slice(place + 1).find((other) => !other.glued && (other.letter === 'B' || other.letter === wanted || other.letter === 'A'))?.letter !== (wanted === 'B' ? '' : wanted)
    const border = after.findIndex(isNext)
    const near = border < 0 ? after : after.slice(0, border)
    const fits = (mark: OptionMark) => mark.letter === wanted && (mark.style === first.style || (mark.leads && (mark.style !== 'bare' || first.leads)))
    const next = near.find((mark) => fits(mark) && !mark.glued) ?? near.find(fits)
    if (!next) return found
    found.push(next)
    at = marks.indexOf(next)
  }
}

/**
 * Groups of options A, B, C … of a text, in order. The letters of a group follow each other; two make a group.
 * Points of a figure ("点 A、B、C") are no options: their letters are parted by nothing but a comma.
 */
export function optionGroups(text: string): OptionGroup[] {
  const marks = optionMarks(text)
  const groups: OptionGroup[] = []
  let from = 0
  for (let index = 0; index < marks.length; index++) {
    const mark = marks[index]
    if (mark?.letter !== 'A' || mark.at < from) continue
    // The last A before B begins the group: an earlier one stands in the text.
    const nextB = marks.findIndex((other, place) => place > index && other.letter === 'B' && (!other.glued || other.style === mark.style) && (other.style === mark.style || other.leads))
    const again = marks.findIndex((other, place) => place > index && other.letter === 'A' && !other.glued && (other.style === mark.style ? !mark.leads || other.leads : mark.style === 'bare' || mark.glued))
    if (nextB < 0) continue
    if (again > 0 && again < nextB) continue
    const found = follow(marks, index)
    if (found.length < 2 || (found.length === 2 && found.every((one) => one.style === 'bare'))) continue
    if (mark.glued && found.length < 4) continue
    // Letters without words between them are points of a figure, unless each leads a line or stands apart: then pictures were lost.
    const empty = found.slice(0, -1).filter((one, place) => text.slice(one.end, found[place + 1]?.at).trim() === '').length
    if (empty > found.length / 2 && (found.length < 4 || found.some((one) => one.style === 'comma') || !mark.leads)) continue
    if (mark.style === 'bare' && found.filter((one) => one.style === 'bare').length > 1 && found.length < 3) continue
    groups.push({ at: mark.at, marks: found })
    from = found.at(-1)?.end ?? from
  }
  return groups
}

/** Numbers anywhere in a text: its line feeds were lost. */
const ANYWHERE = /(?<![\d.．])(?:[（(]\s*(\d{1,2})\s*[)）]|(\d{1,3})\s*[.．、](?:(?!\d)|(?=(?:19|20)\d\d\s*[年～~—–-])))[ \t\u3000]*/g

/** Numbers of one style wherever they stand, brackets apart from points. */
export function marksAnywhere(text: string): { paren: Mark[]; dot: Mark[] } {
  const all = [...text.matchAll(ANYWHERE)].map((match) => ({ isParen: match[1] !== undefined, n: Number(match[1] ?? match[2]), at: match.index, end: match.index + match[0].length }))
  return { paren: all.filter((mark) => mark.isParen), dot: all.filter((mark) => !mark.isParen) }
}

/**
 * Where the sub-questions of groups of options begin when they do not begin lines: a number before each group, each
 * one more than the one before; then the numbers that go on from there.
 */
export function marksAround(text: string, groups: readonly OptionGroup[]): Mark[][] {
  const found: Mark[][] = []
  for (const all of Object.values(marksAnywhere(text))) {
    const before = groups.map((group, index) => all.filter((mark) => mark.end <= group.at && mark.at >= (groups[index - 1]?.marks.at(-1)?.end ?? 0)))
    for (const first of (before[0] ?? []).toReversed()) {
      const chosen = before.map((marks, index) => (index === 0 ? first : marks.find((mark) => mark.n === first.n + index)))
      if (groups.length > 1 && chosen.every((mark): mark is Mark => mark !== undefined)) found.push(chosen)
      // Questions without options stand among them: every number that follows the one before.
      const run = [first]
      for (const mark of all) if (mark.at > (run.at(-1)?.at ?? 0) && mark.n === (run.at(-1)?.n ?? 0) + 1) run.push(mark)
      if (run.length > 1 && run.length !== chosen.length) found.push(run)
    }
  }
  return found
}
