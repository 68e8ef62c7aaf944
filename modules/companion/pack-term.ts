import * as z from 'zod/mini'
import { foldText } from '../../core/field/field.ts'
import { withWords, type WordedDoc } from '../../core/field/rich-text.ts'
import { plainDoc } from '../../core/rich-text/rich-doc.ts'
import { richDoc } from '../../core/rich-text/rich-schema.ts'
import type { PackItem } from './pack-item.ts'

/** What a term of a pack is (operations 1.2). */
export const TERM_KINDS = [{ value: 'word', label: '字词' }, { value: 'point', label: '知识点' }, { value: 'recite', label: '背诵' }] as const

export type TermKind = (typeof TERM_KINDS)[number]['value']

/** Terms of one pack. */
export const MOST_TERMS = 500

const LONGEST = { word: 60, example: 300, explain: 2000 } as const

const id = (words: string) => z.optional(z.nullable(z.int(words).check(z.positive(words))))

const termSchema = z.object({
  /** Names the term in every version of its pack. */
  key: z.string('词条编号有误').check(z.regex(/^[\w-]{6,40}$/, '词条编号有误')),
  kind: z.enum(TERM_KINDS.map(({ value }) => value) as [TermKind, ...TermKind[]], '请选择词条类型'),
  word: z.string('请填写词条').check(z.trim(), z.minLength(1, '请填写词条'), z.maxLength(LONGEST.word, `词条最多 ${LONGEST.word} 个字`)),
  explain: z.optional(z.pipe(richDoc, z.transform((doc): WordedDoc | null => doc && withWords(doc))).check(z.refine((doc) => (doc?.words.length ?? 0) <= LONGEST.explain, `释义最多 ${LONGEST.explain} 个字`))),
  example: z.optional(z.string('例句应为文字').check(z.trim(), z.maxLength(LONGEST.example, `例句最多 ${LONGEST.example} 个字`))),
  sound_id: id('声音素材编号有误'),
  picture_id: id('图片素材编号有误'),
})

/** A word, a point of knowledge or something to say by heart, with what it means. */
export interface PackTerm { key: string; kind: TermKind; word: string; explain?: WordedDoc | null; example?: string; sound_id?: number | null; picture_id?: number | null }

/** How two terms are told to be the same: width, blanks and case make no other term. */
export const termWord = (word: string): string => foldText(word).replace(/\s+/g, ' ').toLowerCase()

const twice = (terms: readonly PackTerm[]): PackTerm | undefined => terms.find((term, at) => terms.findIndex(({ word }) => termWord(word) === termWord(term.word)) !== at)

export const termsSchema = z.array(termSchema, '词条应为列表').check(
  z.maxLength(MOST_TERMS, `一个资料包最多 ${MOST_TERMS} 个词条`),
  z.refine((terms) => new Set(terms.map(({ key }) => key)).size === terms.length, '词条编号重复，请刷新后重试'),
  z.check((context) => {
    const again = twice(context.value as PackTerm[])
    if (again) context.issues.push({ code: 'custom', message: `词条「${again.word}」出现了两次`, input: context.value })
  }),
)

/** Items that use a term because somebody said so. */
export const usersOf = (term: Pick<PackTerm, 'key'>, items: readonly PackItem[]): PackItem[] => items.filter(({ terms }) => terms?.includes(term.key))

/** Items that speak of a term in their words and do not use it yet. */
export const speakersOf = (term: Pick<PackTerm, 'key' | 'word'>, items: readonly PackItem[]): PackItem[] =>
  (termWord(term.word).length < 2 ? [] : items.filter(({ terms, title, body }) => !terms?.includes(term.key) && termWord(`${title} ${body}`).includes(termWord(term.word))))

/** A line that was pasted, and what becomes of it. */
export interface PastedTerm { line: number; word: string; explain: string; example: string; becomes: 'new' | 'changed' | 'same' | 'wrong'; problem?: string }

/** A first line that names columns is no term. */
const HEADING = /^(词条|单词|词语|知识点|术语|word|term)$/i

/**
 * Reads terms from columns of a sheet: the term, what it means, an example. Lines of one column may part them by a dash or a colon.
 * @param known terms that the pack has; a line with one of them changes it
 */
export function readTerms(text: string, known: readonly PackTerm[]): PastedTerm[] {
  const own = new Map(known.map((term) => [termWord(term.word), term]))
  const met = new Map<string, number>()
  return text.split(/\r\n?|\n/).flatMap((raw, at): PastedTerm[] => {
    if (raw.trim() === '') return []
    const cells = raw.includes('\t') ? raw.split('\t') : /^(.{1,60}?)\s*(?:——|—|：|: | - )\s*(.+)$/.exec(raw)?.slice(1) ?? [raw]
    const [word = '', explain = '', example = ''] = cells.map((cell) => cell.trim().replace(/^"(.*)"$/s, '$1'))
    if (at === 0 && HEADING.test(word)) return []
    const line = { line: at + 1, word, explain, example }
    const wrong = (problem: string): PastedTerm[] => [{ ...line, becomes: 'wrong', problem }]
    if (word === '') return wrong('没有词条')
    if (word.length > LONGEST.word) return wrong(`词条最多 ${LONGEST.word} 个字`)
    if (explain.length > LONGEST.explain) return wrong(`释义最多 ${LONGEST.explain} 个字`)
    if (example.length > LONGEST.example) return wrong(`例句最多 ${LONGEST.example} 个字`)
    const before = met.get(termWord(word))
    if (before !== undefined) return wrong(`与第 ${before} 行相同`)
    met.set(termWord(word), line.line)
    const term = own.get(termWord(word))
    if (!term) return [{ ...line, becomes: 'new' }]
    return [{ ...line, becomes: (explain === '' || explain === term.explain?.words) && (example === '' || example === term.example) ? 'same' : 'changed' }]
  })
}

/** The terms with what was pasted: new ones at the end, others in their place. @param fresh makes a key */
export function withPasted(terms: readonly PackTerm[], pasted: readonly PastedTerm[], kind: TermKind, fresh: () => string): PackTerm[] {
  const changed = new Map(pasted.filter(({ becomes }) => becomes === 'changed').map((line) => [termWord(line.word), line]))
  const written = ({ explain, example }: PastedTerm) => {
    const doc = explain === '' ? null : plainDoc(explain)
    return { ...(doc && { explain: withWords(doc) }), ...(example !== '' && { example }) }
  }
  return [
    ...terms.map((term) => {
      const line = changed.get(termWord(term.word))
      return line ? { ...term, ...written(line) } : term
    }),
    ...pasted.filter(({ becomes }) => becomes === 'new').map((line): PackTerm => ({ key: fresh(), kind, word: line.word, ...written(line) })),
  ]
}

/** What a version adds, changes and takes away. */
export interface Difference { added: string[]; changed: string[]; removed: string[] }

/** Compares two states of a list by the keys of its entries. */
export function difference<Entry extends { key: string }>(before: readonly Entry[], now: readonly Entry[], nameOf: (entry: Entry) => string): Difference {
  const was = new Map(before.map((entry) => [entry.key, JSON.stringify(entry)]))
  const left = new Set(now.map(({ key }) => key))
  return {
    added: now.filter(({ key }) => !was.has(key)).map(nameOf),
    changed: now.filter((entry) => was.has(entry.key) && was.get(entry.key) !== JSON.stringify(entry)).map(nameOf),
    removed: before.filter(({ key }) => !left.has(key)).map(nameOf),
  }
}
