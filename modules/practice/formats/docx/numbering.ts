/** Automatic numbers of Word: what stands in front of a paragraph although it is not in its text. */
import type { ListStyle } from '../../../../core/rich-text/rich-doc.ts'
import { attr, child, elements, type XmlElement } from '../xml.ts'

interface Level {
  format: string
  text: string
  start: number
}

interface List {
  /** Lists of one abstract number count together. */
  counter: string
  levels: ReadonlyMap<number, Level>
}

/** The number of one paragraph. */
export interface Numbered {
  list: string
  level: number
  /** As it is shown: 1． A． （1）; nothing for a bullet. */
  text: string
  style: ListStyle
  /** Its count. */
  n: number
}

const HAN = '零一二三四五六七八九十'
const han = (n: number): string => (n <= 10 ? (HAN[n] ?? '') : n < 20 ? `十${HAN[n - 10] ?? ''}` : n < 100 ? `${HAN[Math.floor(n / 10)] ?? ''}十${n % 10 ? (HAN[n % 10] ?? '') : ''}` : String(n))
const letter = (n: number, first: number) => String.fromCodePoint(first + ((n - 1) % 26)).repeat(Math.floor((n - 1) / 26) + 1)
const ROMAN: readonly (readonly [number, string])[] = [[100, 'C'], [90, 'XC'], [50, 'L'], [40, 'XL'], [10, 'X'], [9, 'IX'], [5, 'V'], [4, 'IV'], [1, 'I']]
const roman = (n: number): string => ROMAN.reduce(({ rest, text }, [value, sign]) => ({ rest: rest % value, text: text + sign.repeat(Math.floor(rest / value)) }), { rest: n, text: '' }).text
const circled = (n: number) => (n >= 1 && n <= 20 ? String.fromCodePoint(0x245f + n) : `(${n})`)

const FORMATS: Readonly<Record<string, (n: number) => string>> = {
  upperLetter: (n) => letter(n, 65), lowerLetter: (n) => letter(n, 97), upperRoman: roman, lowerRoman: (n) => roman(n).toLowerCase(), decimalEnclosedCircle: circled, decimalEnclosedCircleChinese: circled,
  chineseCounting: han, chineseCountingThousand: han, chineseLegalSimplified: han, japaneseCounting: han, ideographDigital: han, taiwaneseCountingThousand: han, ideographTraditional: (n) => '甲乙丙丁戊己庚辛壬癸'[(n - 1) % 10] ?? '',
}

const styleOf = ({ format, text }: Level): ListStyle =>
  format === 'bullet' ? 'bullet' : format.startsWith('decimalEnclosedCircle') ? 'circle' : format === 'upperLetter' || format === 'lowerLetter' ? 'letter' : /[（(].*[)）]/.test(text) ? 'paren' : 'decimal'

/** Counts the numbered paragraphs of a document in their order. */
export class Numbering {
  readonly #lists = new Map<string, List>()
  readonly #counts = new Map<string, number[]>()

  /** @param root of word/numbering.xml, if there is one */
  constructor(root: XmlElement | undefined) {
    const levelsOf = (parent: XmlElement | undefined) => new Map(elements(parent, 'lvl').map((one): [number, Level] => [Number(attr(one, 'ilvl') ?? 0), {
      format: attr(child(one, 'numFmt'), 'val') ?? 'decimal', text: attr(child(one, 'lvlText'), 'val') ?? '', start: Number(attr(child(one, 'start'), 'val') ?? 1),
    }]))
    const abstracts = new Map(elements(root, 'abstractNum').map((one) => [attr(one, 'abstractNumId') ?? '', levelsOf(one)]))
    for (const num of elements(root, 'num')) {
      const id = attr(num, 'numId') ?? ''
      const abstract = attr(child(num, 'abstractNumId'), 'val') ?? ''
      const levels = new Map(abstracts.get(abstract) ?? [])
      const overrides = elements(num, 'lvlOverride')
      for (const override of overrides) {
        const at = Number(attr(override, 'ilvl') ?? 0)
        const own = levelsOf(override).get(at)
        const start = attr(child(override, 'startOverride'), 'val')
        const old = own ?? levels.get(at)
        if (old) levels.set(at, { ...old, ...(start === undefined ? {} : { start: Number(start) }) })
      }
      this.#lists.set(id, { counter: overrides.some((one) => child(one, 'startOverride')) ? `n${id}` : `a${abstract}`, levels })
    }
  }

  /** The number of the next paragraph of a list; null when there is no such list. */
  next(id: string, level: number): Numbered | null {
    const list = this.#lists.get(id)
    const own = list?.levels.get(level)
    if (!list || !own) return null
    const counts = this.#counts.get(list.counter) ?? []
    counts.length = Math.max(counts.length, level + 1)
    counts[level] = (counts[level] ?? own.start - 1) + 1
    // Deeper levels begin again.
    counts.length = level + 1
    this.#counts.set(list.counter, counts)
    const n = counts[level] ?? own.start
    const shown = own.text.replace(/%(\d)/g, (_, digit: string) => {
      const at = Number(digit) - 1
      const of = list.levels.get(at)
      const value = counts[at] ?? of?.start ?? 1
      return (FORMATS[of?.format ?? 'decimal'] ?? String)(value)
    })
    const text = own.format === 'bullet' || own.format === 'none' ? '' : /^[\dA-Za-z]+$/.test(shown) ? `${shown}．` : shown
    return { list: `${id}/${level}`, level, text, style: styleOf(own), n }
  }
}
