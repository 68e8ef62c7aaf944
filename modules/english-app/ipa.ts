/**
 * Phonetics in the 48 symbols that schools teach (DJ as 人教版 prints it). What is typed or pasted is folded into them. Pure.
 */

export const SOUND_KINDS = [
  { value: 'vowel', label: '单元音' }, { value: 'diphthong', label: '双元音' }, { value: 'voiceless', label: '清辅音' }, { value: 'voiced', label: '浊辅音' },
] as const

export type SoundKind = (typeof SOUND_KINDS)[number]['value']

/** The 48 symbols, in the order in which they are taught. */
export const SOUNDS: readonly (readonly [symbol: string, kind: SoundKind])[] = [
  ...['iː', 'ɪ', 'e', 'æ', 'ɜː', 'ə', 'ʌ', 'ɑː', 'ɒ', 'ɔː', 'ʊ', 'uː'].map((symbol) => [symbol, 'vowel'] as const),
  ...['eɪ', 'aɪ', 'ɔɪ', 'aʊ', 'əʊ', 'ɪə', 'eə', 'ʊə'].map((symbol) => [symbol, 'diphthong'] as const),
  ...['p', 't', 'k', 'f', 'θ', 's', 'ʃ', 'tʃ', 'tr', 'ts', 'h'].map((symbol) => [symbol, 'voiceless'] as const),
  ...['b', 'd', 'ɡ', 'v', 'ð', 'z', 'ʒ', 'dʒ', 'dr', 'dz', 'm', 'n', 'ŋ', 'l', 'r', 'w', 'j'].map((symbol) => [symbol, 'voiced'] as const),
]

/** Longer symbols before those that they begin with. */
const LONGEST_FIRST = SOUNDS.map(([symbol]) => symbol).toSorted((a, b) => b.length - a.length)

/** What stands between sounds: stress, syllables, a second word, what may be left out. */
const BETWEEN = 'ˈˌ .()-'

/** What is typed in place of a symbol, and what is stored; longer ones first. */
const FOLDED: readonly (readonly [RegExp, string])[] = [
  [/[/[\]]/g, ''], [/[:：]/g, 'ː'], [/['’‘`′]/g, 'ˈ'], [/[,，]/g, 'ˌ'], [/g/g, 'ɡ'], [/ɛ(?!ə)/g, 'e'], [/ɛə/g, 'eə'], [/əː/g, 'ɜː'], [/oʊ|əu|ou/g, 'əʊ'], [/au/g, 'aʊ'], [/ai/g, 'aɪ'], [/ei/g, 'eɪ'], [/ɔi/g, 'ɔɪ'],
  [/i(?!ː)/g, 'ɪ'], [/u(?!ː)/g, 'ʊ'], [/ɔ(?![ːɪ])/g, 'ɒ'], [/ɑ(?!ː)/g, 'ɑː'], [/ɜ(?!ː)/g, 'ɜː'], [/ʧ/g, 'tʃ'], [/ʤ/g, 'dʒ'], [/ɹ/g, 'r'], [/\s+/g, ' '],
]

/** Phonetics as they are stored, without slashes and with one way of writing each symbol. */
export const foldIpa = (text: string): string => FOLDED.reduce((folded, [typed, stored]) => folded.replace(typed, stored), text.trim())

/** The sounds of stored phonetics; undefined where something is none of the 48 symbols. */
export function soundsOf(text: string): string[] | undefined {
  const sounds: string[] = []
  for (let at = 0; at < text.length;) {
    const rest = text.slice(at)
    const symbol = LONGEST_FIRST.find((one) => rest.startsWith(one))
    if (symbol === undefined && !BETWEEN.includes(text[at] ?? '')) return undefined
    if (symbol !== undefined) sounds.push(symbol)
    at += symbol?.length ?? 1
  }
  return sounds
}

/** What of a text is none of the 48 symbols; undefined where all of it is. */
export function wrongSymbol(text: string): string | undefined {
  const folded = foldIpa(text)
  for (let at = 0; at < folded.length;) {
    const rest = folded.slice(at)
    const symbol = LONGEST_FIRST.find((one) => rest.startsWith(one))
    if (symbol === undefined && !BETWEEN.includes(folded[at] ?? '')) return [...rest][0]
    at += symbol?.length ?? 1
  }
  return undefined
}

const escaped = (text: string) => text.replace(/[().-]/g, '\\$&')

/** What may be typed as phonetics: what folds into the 48 symbols. */
export const IPA_PATTERN = new RegExp(`^(?:${[...LONGEST_FIRST, 'əː', 'oʊ', 'əu', 'ou', 'au', 'ai', 'ei', 'ɔi', 'ɛə', ...'iuɔɑɜɛgʧʤɹ', ...BETWEEN, ..."/[]:：'’‘`′,，"].map((one) => (one === '[' || one === ']' ? `\\${one}` : escaped(one))).join('|')}|\\s)+$`)

/** Sounds of a headword's phonetics, each once, for the words in which a phonogram is practised. */
export const distinctSounds = (uk: string | null | undefined): string[] => [...new Set(soundsOf(foldIpa(uk ?? '')) ?? [])]
