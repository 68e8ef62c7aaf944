/** Where the questions of a section begin. */
import { chain, marksOf, optionGroups, type Mark } from '../text/markers.ts'

export interface QuestionMark extends Mark {
  /** The number is followed by one of the text, "1．19世纪": it is taken off with it. */
  glued?: true
  /** What stands in brackets in front of the number: ( B )3. */
  key?: string
  /** Why it is not certain that the question begins, ends or counts here. */
  doubt?: string
}

const EMPTY = /[（(【][\s\u3000\u00A0]*[)）】]|[_＿﹍]{2,}|【\s*(?:答案|解析|解答|详解)\s*】|(?<=\n)\s*(?:(?:参考|正确|标准)?答案|解析)\s*[:：]|\[\[[^\]]+\]\]|[（(]\s*(?:[A-H]{1,4}|[√×✓✗])\s*[)）]\s*[。．.]?\s*(?:\n|$)/
/** Whether a text asks for something that is chosen, filled in or answered right there. */
export const asks = (text: string) => EMPTY.test(text) || optionGroups(text).length > 0

const GLUED = /(?<=^|\n)[ \t\u3000\u00A0]*(\d{1,3})\s*[.．、](?=\d)/g
/** Numbers that count or date something: "5．1688年" is no decimal. */
const COUNTS = /^\d{1,4}\s*(?:[年月日世名个位人只条次种岁天元级届第～~、—时分秒-]|多|余|万|亿|%|％)/

/**
 * Numbers in front of a text that begins with a number. One is taken where no other mark has it and a neighbour or the
 * section's beginning says that it is due; where it might be a decimal, that is said.
 * @param last number of the question before this part
 */
function gluedMarks(part: string, marks: readonly Mark[], last: number): QuestionMark[] {
  const glued = [...part.matchAll(GLUED)].map((match): QuestionMark => ({ n: Number(match[1]), at: match.index, end: match.index + match[0].length, glued: true }))
    .filter((mark, index, all) => !marks.some((other) => other.n === mark.n) && all.findIndex((other) => other.n === mark.n) === index)
  const all = [...marks, ...glued]
  // What counts something, has another sign than a point, or stands between its neighbours is no decimal.
  const isPlain = ({ n, at, end }: QuestionMark) => COUNTS.test(part.slice(end)) || part[end - 1] === '、' || (all.some((other) => other.n === n + 1 && other.at > at) && (n === 1 || n === last + 1 || all.some((other) => other.n === n - 1 && other.at < at)))
  return glued.filter(({ n, at }) => n === 1 || n === last + 1 || [...marks, ...glued].some((other) => (other.at < at ? other.n === n - 1 : other.n === n + 1)))
    .map((mark) => (isPlain(mark) ? mark : { ...mark, doubt: `题号 ${mark.n} 后面是数字，可能是小数` }))
}

/** Brackets for the answer in front of the number, empty or filled. */
const BRACKETED = /(?<=^|\n)[ \t\u3000\u00A0]*[（([]\s*(?:[)）\]][ \t\u3000]*(\d{1,3})(?:[ \t]*[.．、)）]|(?![\d.．]))|([A-HT√×✓✗✔✘对错]{1,5})\s*[)）\]][ \t\u3000]*(\d{1,3})[ \t]*[.．、)）](?=[ \t\u3000]*(?:[^\d\s]|\d{4}\s*年|\d{1,2}\s*[世月])))[ \t\u3000]*/g
const bracketedMarks = (part: string): QuestionMark[] => [...part.matchAll(BRACKETED)].map((match) => ({ n: Number(match[1] ?? match[3]), at: match.index, end: match.index + match[0].length, ...(match[2] ? { key: match[2] } : {}) }))

/** Numbers that lost their points: from 1 on, each before something that is asked. */
function looseMarks(part: string): QuestionMark[] {
  const run = chain(marksOf(part, 'loose'), 1)
  return run.length > 1 && run.every((mark, index) => asks(part.slice(mark.end, run[index + 1]?.at))) ? run : []
}

/** A number that is missing is looked for so far on. */
const MOST_GAP = 9

/**
 * Numbers of the questions in part of a text, each one more than the one before. A number that is left out, comes
 * twice or begins again is followed when what stands behind it is a question, and said.
 * @param last number of the question before this part; sections go on from there or begin at 1
 * @returns groups: numbers that begin again without a heading are another group
 */
export function questionMarks(text: string, from: number, to: number, last: number): QuestionMark[][] {
  const part = text.slice(from, to)
  const shift = (mark: QuestionMark): QuestionMark => ({ ...mark, at: mark.at + from, end: mark.end + from })
  const dotted = [...bracketedMarks(part), ...marksOf(part, 'dot'), ...marksOf(part, 'title')]
  const written = dotted.length > 0 ? dotted : looseMarks(part)
  const marks = [...written, ...gluedMarks(part, written, last)].sort((a, b) => a.at - b.at).filter((mark, index, all) => mark.at !== all[index - 1]?.at).map(shift)
  const body = (index: number) => text.slice(marks[index]?.end ?? to, marks[index + 1]?.at ?? to)
  let first = marks.findIndex((mark, index) => mark.n === 1 || mark.n === last + 1 || (asks(body(index)) && mark.n > last))
  if (first < 0) {
    const bracketed = marksOf(part, 'paren').map(shift)
    const run = bracketed.filter((mark, index) => mark.n === index + 1)
    if (run.length >= 2 && run.length === bracketed.length && run.every((mark, index) => asks(text.slice(mark.end, run[index + 1]?.at ?? to)))) return [run]
    first = marks.findIndex((mark, index) => asks(body(index)) || (mark.n > last && marks.slice(index + 1).some((other) => other.n === mark.n + 1)))
    if (first < 0) return []
  }
  const begin = marks[first]
  if (!begin) return []
  const groups: QuestionMark[][] = [[begin]]
  for (let index = first + 1; index < marks.length; index++) {
    const mark = marks[index]
    const group = groups.at(-1)
    const open = group?.at(-1)
    if (!mark || !group || !open) continue
    if (mark.n === open.n + 1) {
      group.push(mark)
      continue
    }
    // What comes in order later is what follows; this one stands inside the question.
    if (marks.slice(index + 1).some((other) => other.n === open.n + 1)) {
      if (mark.n !== open.n || !asks(body(index)) || !asks(text.slice(open.end, mark.at))) continue
      open.doubt ??= `题号 ${open.n} 出现了两次`
      group.push({ ...mark, doubt: `题号 ${open.n} 出现了两次` })
      continue
    }
    const isFollowed = marks[index + 1]?.n === mark.n + 1
    if (mark.n > open.n && mark.n <= open.n + MOST_GAP && (asks(body(index)) || isFollowed)) {
      open.doubt ??= `没有找到第 ${open.n + 1} 题，可能并入了这道题`
      group.push(mark)
    } else if (mark.n <= open.n && asks(body(index))) {
      const doubt = mark.n === 1 ? '题号从 1 重新开始，但没有大题标题' : `题号从 ${open.n} 回到 ${mark.n}`
      open.doubt ??= doubt
      if (mark.n === open.n) group.push({ ...mark, doubt: `题号 ${mark.n} 出现了两次` })
      else groups.push([{ ...mark, doubt }])
    }
  }
  return groups
}
