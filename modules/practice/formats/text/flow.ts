/**
 * Text as files bring it: one run in which line feeds part paragraphs and other blocks stand between them. Patterns are
 * looked for in its flat form, where everything that is not text is one character.
 */
import { docOf, joinInlines, paragraph, type Align, type Block, type Inline, type Paragraph, type RichDoc } from '../../../../core/rich-text/rich-doc.ts'

/** A table, a picture of its own line … */
export interface BlockToken {
  t: 'block'
  block: Block
}

/** How the paragraph that ends here is set; takes no room. */
export interface FormatToken {
  t: 'format'
  align?: Align
  indent?: number
}

export type Token = Inline | BlockToken | FormatToken
export type Flow = readonly Token[]

/** Stands for everything that is no text. */
export const OBJECT = '\uFFFC'

const flatToken = (token: Token) => (typeof token === 'string' ? token : token.t === 'text' ? token.text : token.t === 'br' ? '\n' : token.t === 'format' ? '' : token.t === 'block' ? `\n${OBJECT}\n` : OBJECT)

/** A flow as a string of the same length in which patterns are looked for. */
export const flat = (flow: Flow) => flow.map(flatToken).join('')

/** Part of a flow, by places in its flat form. */
export function cut(flow: Flow, from: number, to = Infinity): Token[] {
  const kept: Token[] = []
  let at = 0
  for (const token of flow) {
    const length = flatToken(token).length
    const [start, end] = [Math.max(from, at) - at, Math.min(to, at + length) - at]
    if (length === 0) {
      // How a paragraph is set belongs to what stands before it.
      if (at > from && at <= to) kept.push(token)
    } else if (start < end) {
      if (typeof token === 'string') kept.push(token.slice(start, end))
      else if (token.t === 'text') kept.push({ ...token, text: token.text.slice(start, end) })
      // A block takes three places; the middle one is it.
      else if (token.t !== 'block' || (start <= 1 && end > 1)) kept.push(token)
    }
    at += length
  }
  return kept
}

/** A flow without spaces and empty lines at its ends. */
export function trim(flow: Flow): Token[] {
  const text = flat(flow)
  const start = text.length - text.trimStart().length
  const end = text.trimEnd().length
  // The pattern of spaces includes the line feeds around a block, which are part of it.
  return cut(flow, start, end === 0 ? 0 : end + 1).filter((token, index, all) => !(index === all.length - 1 && typeof token === 'string' && token.trim() === ''))
}

/** Whether there is nothing to read. */
export const isBlank = (flow: Flow) => flat(flow).trim() === ''

/** Replaces what a pattern finds; the function may keep a match by giving undefined. */
export function replaceFlow(flow: Flow, pattern: RegExp, put: (match: RegExpMatchArray, index: number) => readonly Token[] | undefined): Token[] {
  const done: Token[] = []
  let at = 0
  let index = 0
  for (const match of flat(flow).matchAll(pattern)) {
    const place = match.index ?? 0
    const tokens = put(match, index)
    if (!tokens) continue
    done.push(...cut(flow, at, place), ...tokens)
    at = place + match[0].length
    index++
  }
  return [...done, ...cut(flow, at)]
}

/** Runs of spaces that a file used to place things. */
const squeeze = (text: string) => text.replace(/[ \t\u00A0\u2000-\u200A]{2,}/g, ' ').replace(/\u3000{3,}/g, '\u3000\u3000')

/** Characters by which a line stands in, where spaces were typed for it: two wide ones or four narrow ones at least. */
function indentOf(token: Token | undefined): number {
  const spaces = typeof token === 'string' ? (/^[ \u00A0\u3000]*/.exec(token)?.[0] ?? '') : ''
  const wide = spaces.replace(/[^\u3000]/g, '').length
  const characters = wide + Math.floor((spaces.length - wide) / 2)
  return characters >= 2 ? Math.min(characters, 8) : 0
}

function paragraphOf(tokens: readonly Token[]): Paragraph {
  const format = tokens.findLast((token): token is FormatToken => typeof token !== 'string' && token.t === 'format')
  const inlines = tokens.filter((token): token is Inline => typeof token === 'string' || (token.t !== 'format' && token.t !== 'block'))
  const joined = joinInlines(inlines.map((inline) => (typeof inline === 'string' ? squeeze(inline) : inline.t === 'text' ? { ...inline, text: squeeze(inline.text) } : inline)))
  const first = joined[0]
  const leading = typeof first === 'string' ? indentOf(tokens[0]) : 0
  if (typeof first === 'string') joined[0] = first.trimStart()
  const last = joined.at(-1)
  if (typeof last === 'string') joined[joined.length - 1] = last.trimEnd()
  return paragraph(joined, { ...(format?.align ? { align: format.align } : {}), ...(format?.indent ? { indent: format.indent } : leading > 0 && !format?.align ? { indent: leading } : {}) })
}

/** The rich text of a flow; empty lines are dropped. Null when nothing is left. */
export function flowDoc(flow: Flow): RichDoc | null {
  const blocks: Block[] = []
  let line: Token[] = []
  const end = () => {
    const made = paragraphOf(line)
    if (made.c.length > 0) blocks.push(made)
    line = []
  }
  for (const token of flow) {
    if (typeof token === 'string') {
      const [first = '', ...rest] = token.split('\n')
      line.push(first)
      for (const text of rest) {
        end()
        line.push(text)
      }
    } else if (token.t === 'block') {
      end()
      blocks.push(token.block)
    } else line.push(token)
  }
  end()
  return docOf(blocks)
}
