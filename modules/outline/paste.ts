/** Text that people paste into an outline: lines that are indented, or a column or several of a sheet. Pure. */
import { foldText } from '../../core/field/field.ts'
import { LESSON, MAX_LEVELS, NODE_KINDS } from './node.ts'

/** A line of pasted text as a node. */
export interface PastedNode {
  /** Line, from 1. */
  readonly line: number
  readonly name: string
  /** 0 at the top of what was pasted. */
  readonly depth: number
  readonly kind: number
}

export interface Pasted {
  readonly nodes: readonly PastedNode[]
  readonly problems: readonly { readonly line: number; readonly message: string }[]
}

/** Longest name, and lines that are read. */
const LONGEST = 80
const MOST = 3000

/** What the words of a name say of its kind: 第三章 is a chapter, 3.1 and 第一节 a section, 课时 2 and 第 4 讲 a lesson. */
const WORDS: readonly (readonly [RegExp, number])[] = [
  [/^(第[\d一二三四五六七八九十百零〇]+单元|Unit\s*\d+)/i, 1],
  [/^第\s*[\d一二三四五六七八九十百零〇]+\s*章/, 2],
  [/^(第\s*[\d一二三四五六七八九十百零〇]+\s*节|\d+\.\d+(?!\d))/, 3],
  [/^(课时\s*\d+|第\s*[\d一二三四五六七八九十百零〇]+\s*(课时|课|讲)|Lesson\s*\d+|Part\s*[A-Z]\b)/i, LESSON],
]

/** Level that a name says itself, where it says one. */
export const kindByName = (name: string): number | undefined => WORDS.find(([pattern]) => pattern.test(name))?.[1]

interface Line { readonly line: number; readonly indent: number; readonly name: string }

/** Width of what stands before a name: a tab is as wide as four spaces, a wide space as two. */
const widthOf = (blank: string) => [...blank].reduce((width, one) => width + (one === '\t' ? 4 : one === '\u3000' ? 2 : 1), 0)

function linesOf(text: string): Line[] {
  return text.replaceAll('\r\n', '\n').split('\n').flatMap((raw, index) => {
    const [, blank = '', rest = ''] = /^([\s\u3000]*)(.*?)\s*$/.exec(raw) ?? []
    // Cells of a sheet that lie beside one another: the first that is filled is the name, those before it are its level.
    const cells = rest.split('\t')
    const name = foldText(cells.find((cell) => cell.trim() !== '') ?? '')
    return name === '' ? [] : [{ line: index + 1, indent: widthOf(blank), name }]
  })
}

/** Levels by indentation; where nothing is indented, by what the names say of themselves. */
function depthsOf(lines: readonly Line[]): number[] {
  if (lines.some(({ indent }) => indent !== lines[0]?.indent)) {
    const open: number[] = []
    return lines.map(({ indent }) => {
      while (open.length > 0 && (open.at(-1) ?? 0) >= indent) open.pop()
      open.push(indent)
      return open.length - 1
    })
  }
  const open: number[] = []
  return lines.map(({ name }) => {
    const kind = kindByName(name) ?? LESSON
    // A line that says nothing of itself stands beside the one before it, or below the last heading.
    while (open.length > 0 && (open.at(-1) ?? 0) >= kind) open.pop()
    open.push(kind)
    return open.length - 1
  })
}

/**
 * Reads pasted text.
 * @param below levels above the place where it is put
 */
export function readPasted(text: string, below = 0): Pasted {
  const lines = linesOf(text).slice(0, MOST + 1)
  const problems: { line: number; message: string }[] = []
  if (lines.length > MOST) return { nodes: [], problems: [{ line: MOST + 1, message: `一次最多粘贴 ${MOST} 行` }] }
  const depths = depthsOf(lines)
  const parents = depths.map((depth, index) => (depths[index + 1] ?? 0) > depth)
  const seen = new Set<string>()
  const path: string[] = []
  const nodes = lines.flatMap(({ line, name }, index): PastedNode[] => {
    const depth = depths[index] ?? 0
    path.splice(depth, path.length, name)
    if (name.length > LONGEST) problems.push({ line, message: `「${name.slice(0, 12)}…」超过 ${LONGEST} 个字` })
    else if (depth + below >= MAX_LEVELS) problems.push({ line, message: `「${name.slice(0, 20)}」在第 ${depth + below + 1} 级，最多 ${MAX_LEVELS} 级` })
    else if (seen.has(path.join('\u0001'))) problems.push({ line, message: `「${name.slice(0, 20)}」在同一上级下出现两次` })
    else {
      seen.add(path.join('\u0001'))
      // Something with lines below it is no lesson.
      const kind = kindByName(name) ?? (parents[index] ? Math.min(3, depth + below + 2) : LESSON)
      return [{ line, name, depth, kind: parents[index] && kind === LESSON ? 3 : kind }]
    }
    return []
  })
  return { nodes, problems }
}

/** 课时 */
export const kindLabel = (kind: number): string => NODE_KINDS.find(({ value }) => value === kind)?.label ?? ''
