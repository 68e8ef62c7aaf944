/** Options of a question side by side where there is room: a printed paper saves lines. */
import type { PracticeCard } from '../../practice/module.ts'

type Content = PracticeCard['content']
type Options = Content['options']
type Doc = Options[number]['doc']

/** Room for the words of an option where four stand in a line, and where two do; in characters of Chinese, of which a line of A4 has 43. */
const ROOM = { four: 7.5, two: 17 } as const

/** Width of words in characters of Chinese: a letter is half of one. */
const widthOf = (text: string) => [...text].reduce((sum, char) => sum + (/[\u2E80-\uFFFF]/.test(char) ? 1 : 0.55), 0)

const FRACTION = /\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}/g
/** What is seen of a formula, roughly: the longer part of a fraction, one sign for a command. */
function seen(tex: string): string {
  let text = tex
  for (let again = 0; again < 4 && FRACTION.test(text); again++) text = text.replace(FRACTION, (_, above: string, below: string) => (above.length > below.length ? above : below))
  return text.replace(/\\(?:left|right|mathrm|text|mathbf|displaystyle|overrightarrow|vec)(?![a-zA-Z])/g, '').replace(/\\(?:[a-zA-Z]+|.)/g, 'm').replace(/[{}\s^_]/g, '')
}

/** Width of an option; null where it is more than one line. */
function optionWidth(doc: Doc): number | null {
  const [block] = doc?.c ?? []
  if (doc && (doc.c.length !== 1 || block?.t !== 'p' || block.align || block.indent)) return null
  const inlines = block?.t === 'p' ? block.c : []
  if (inlines.some((inline) => typeof inline !== 'string' && !['text', 'tex'].includes(inline.t))) return null
  return inlines.reduce((sum, inline) => sum + widthOf(typeof inline === 'string' ? inline : inline.t === 'tex' ? seen(inline.tex) : inline.t === 'text' ? inline.text : ''), 0)
}

function layoutOf(options: Options, given: Content['option_layout']): Content['option_layout'] {
  const widths = options.map(({ doc }) => optionWidth(doc))
  if (given === 2 || options.length === 0 || widths.some((width) => width === null)) return given
  const widest = Math.max(...widths.map((width) => width ?? 0))
  // Of five or more that are all offered for several places, people want to see a list.
  if (options.length > 4) return given
  return widest <= ROOM.four ? 2 : given === 3 || widest <= ROOM.two ? 3 : 1
}

/** A question as it is printed: options stand side by side where all of them are short. */
export function fitted(content: Content): Content {
  return { ...content, option_layout: layoutOf(content.options, content.option_layout), children: content.children.map(fitted) }
}
