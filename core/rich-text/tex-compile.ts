/** Formulas drawn, and looked at for mistakes, by KaTeX. Heavy: the console loads it with the first formula. */
import katex, { type KatexOptions } from 'katex'
import 'katex/contrib/mhchem'
import { normaliseTex } from './tex.ts'

/** Most steps that macros of one formula may take. */
const MAX_EXPAND = 1000
/** Largest size of anything drawn, in em. */
const MAX_SIZE = 40

/** What schools write and TeX has no name for (domain 3.1). */
const MACROS: Readonly<Record<string, string>> = {
  '\\wideparen': '\\overset{\\frown}{#1}',
  '\\arc': '\\overset{\\frown}{#1}',
  '\\parallelogram': '\\text{▱}',
  '\\celsius': '{}^{\\circ}\\mathrm{C}',
  '\\unit': '\\,\\mathrm{#1}',
  '\\si': '\\mathrm{#1}',
  '\\permil': '\\text{‰}',
  '\\bm': '\\boldsymbol{#1}',
  '\\backcong': '\\mathrel{\\cong}',
  '\\varparallel': '\\mathrel{/\\!/}',
  '\\sslash': '\\mathrel{/\\!/}',
  '\\ding': '\\text{#1}',
  '\\textcircled': '\\enclose{#1}',
  '\\enclose': '\\raisebox{0.07em}{\\text{◯}}\\kern-0.78em\\text{\\scriptsize #1}\\kern0.25em',
  '\\uppercase': '#1',
  '\\qed': '\\blacksquare',
}

const options = (output: KatexOptions['output'], display: boolean): KatexOptions => ({
  output, displayMode: display, throwOnError: true, strict: 'ignore', trust: false, maxExpand: MAX_EXPAND, maxSize: MAX_SIZE, macros: { ...MACROS },
})

export interface TexError {
  /** One Chinese sentence, without the place. */
  message: string
  /** Place in the formula, counted from 0. */
  at: number
  /** What stands there. */
  near: string
}

/** KaTeX's reasons in our words. */
const REASONS: readonly (readonly [RegExp, (match: RegExpMatchArray) => string])[] = [
  [/Undefined control sequence: (\S+)/, (match) => `没有「${match[1]}」这个命令`],
  [/Expected '(.+?)', got 'EOF'/, (match) => `缺少「${match[1]}」`],
  [/Expected '(.+?)', got '(.+?)'/, (match) => (match[1] === 'EOF' ? `多余的「${match[2]}」` : `这里应为「${match[1]}」，却是「${match[2]}」`)],
  [/Expected group after '(.+?)'/, (match) => `「${match[1]}」后面缺少内容`],
  [/Expected group as (?:argument|function) to '(.+?)'|got no argument for '(.+?)'|Missing argument/i, (match) => `「${match[1] ?? match[2] ?? '命令'}」缺少参数`],
  [/Unexpected end of input in a macro argument|Unexpected end of input/, () => '公式没有写完，可能缺少「}」'],
  [/Double (superscript|subscript)/, (match) => (match[1] === 'superscript' ? '连续写了两个上标' : '连续写了两个下标')],
  [/Extra \}/, () => '多余的「}」'],
  [/No such environment: (\S+)/, (match) => `没有「${match[1]}」这种环境`],
  [/Mismatch: .*?\\begin\{(.+?)\}.*?\\end\{(.+?)\}/, (match) => `环境「${match[1]}」与「${match[2]}」不配对`],
  [/Too many expansions|exceeded/i, () => '公式展开过多'],
  [/Invalid delimiter/, () => '括号命令后面不是括号'],
  [/Can't use function '(.+?)' in (math|text) mode/, (match) => `「${match[1]}」不能用在这里`],
  [/Invalid (size|color)/, () => '尺寸或颜色写法有误'],
  [/Multiple \\/, () => '命令重复'],
]

const reasonOf = (raw: string) => {
  for (const [pattern, words] of REASONS) {
    const match = raw.match(pattern)
    if (match) return words(match)
  }
  return '公式写法有误'
}

/** Commands that load something or carry markup: KaTeX would print them in red instead of failing. */
const UNTRUSTED = /\\(?:href|url|includegraphics|htmlClass|htmlId|htmlStyle|htmlData)(?![a-zA-Z])/

function errorOf(tex: string, error: unknown): TexError {
  if (!(error instanceof katex.ParseError)) return { message: '公式写法有误', at: 0, near: tex.slice(0, 12) }
  const at = Math.min(Math.max(0, error.position ?? 0), tex.length)
  return { message: reasonOf(error.rawMessage), at, near: tex.slice(Math.max(0, at - 6), at + 6) }
}

/** @returns what is wrong with a formula and where; null when it compiles */
export function compileTex(tex: string): TexError | null {
  const untrusted = UNTRUSTED.exec(tex)
  if (untrusted) return { message: `不支持「${untrusted[0]}」`, at: untrusted.index, near: untrusted[0] }
  try {
    katex.renderToString(tex, options('mathml', true))
    return null
  } catch (error) {
    return errorOf(tex, error)
  }
}

/** The sentence for a person: what is wrong, and the text at the place. */
export const texErrorText = ({ message, at, near }: TexError) => `${message}（第 ${at + 1} 个字符「${near}」处）`

/** Presentation MathML, with the TeX as its annotation; null when the formula does not compile. */
export function texToMathml(tex: string, display = false): string | null {
  if (UNTRUSTED.test(tex)) return null
  try {
    return /<math[\s\S]*<\/math>/.exec(katex.renderToString(tex, options('mathml', display)))?.[0] ?? null
  } catch {
    return null
  }
}

/** HTML of a drawn formula; safe to put into a page, because KaTeX escapes all text and `trust` is off. Throws when it does not compile. */
export function texToHtml(tex: string, display: boolean): string {
  if (UNTRUSTED.test(tex)) throw new Error(texErrorText(compileTex(tex) ?? errorOf(tex, null)))
  try {
    return katex.renderToString(tex, options('htmlAndMathml', display))
  } catch (error) {
    throw new Error(texErrorText(errorOf(tex, error)), { cause: error })
  }
}

/** Ways in which files break a formula, and what puts each right. */
const REPAIRS: readonly ((tex: string) => string)[] = [
  // Brackets that lost their partner stay brackets without growing.
  (tex) => tex.replace(/\\(?:left|right)(?![a-zA-Z])\s*\.?/g, ''),
  (tex) => tex + '}'.repeat(Math.max(0, count(tex, '{') - count(tex, '}'))),
  (tex) => tex.replace(/(\^\{[^{}]*\}|\^\w|')\s*(?=\^)/g, '$1{}').replace(/(_\{[^{}]*\}|_\w)\s*(?=_)/g, '$1{}').replace(/(\^\{[^{}]*\}|\^\w)\s*(?=')/g, '$1{}'),
]

const count = (tex: string, brace: string) => tex.split(brace).length - 1 - (tex.split(`\\${brace}`).length - 1)

/**
 * A formula of a file in our spelling. One that does not compile is mended when there is exactly one thing to mend.
 * @returns the formula, whether it had to be mended, and what is wrong with it when it could not be
 */
export function readTex(source: string): { tex: string; mended: boolean; error: TexError | null } {
  const tex = normaliseTex(source)
  const error = compileTex(tex)
  if (!error) return { tex, mended: false, error: null }
  for (const repair of REPAIRS) {
    const mended = normaliseTex(repair(source))
    if (mended !== tex && mended !== '' && !compileTex(mended)) return { tex: mended, mended: true, error: null }
  }
  return { tex, mended: false, error }
}
