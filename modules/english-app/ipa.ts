/**
 * Phonetics in the 48 symbols that schools teach (DJ as 人教版 prints it). What is typed or pasted is folded into them; a proposal
 * comes from a table of spellings and is confirmed by a person. Pure.
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

/** Spellings with their sounds: of a whole word, then of letters in their place. `^` is the beginning, `$` the end, V a vowel letter, C a consonant letter. */
const RULES: readonly (readonly [spelling: RegExp, sounds: string])[] = ([
  // Endings
  ['tion$', 'ʃən'], ['sion$', 'ʒən'], ['ture$', 'tʃə'], ['ing$', 'ɪŋ'], ['er$', 'ə'], ['or$', 'ə'], ['ar$(?<=..ar)', 'ə'], ['ear$', 'ɪə'], ['air$', 'eə'], ['are$', 'eə'], ['ere$', 'ɪə'], ['ire$', 'aɪə'], ['our$', 'aʊə'], ['ure$', 'ʊə'], ['ore$', 'ɔː'],
  ['le$(?<=[bcdfgkpstz]le)', 'l'], ['ies$', 'iz'], ['ous$', 'əs'], ['ful$', 'fl'], ['ay$', 'eɪ'], ['ey$', 'ɪ'], ['oy$', 'ɔɪ'], ['ow$', 'əʊ'], ['ew$', 'uː'], ['y$(?<=^[^aeiou]{1,3}y)', 'aɪ'], ['y$', 'ɪ'],
  // A vowel that a final e makes long
  ['a(?=[bcdfgklmnpstvz]e$)', 'eɪ'], ['i(?=[bcdfgklmnpstvz]e$)', 'aɪ'], ['o(?=[bcdfgklmnpstvz]e$)', 'əʊ'], ['u(?=[bcdfgklmnpstvz]e$)', 'uː'], ['e(?=[bcdfgklmnpstvz]e$)', 'iː'], ['e$(?<=[aeiou][bcdfgklmnpstvz]e)', ''], ['e$(?<=...e)', ''],
  // Several letters
  ['igh', 'aɪ'], ['eigh', 'eɪ'], ['ough', 'ɔː'], ['augh', 'ɔː'], ['tch', 'tʃ'], ['dge', 'dʒ'], ['ch', 'tʃ'], ['sh', 'ʃ'], ['^th', 'θ'], ['th', 'ð'], ['ph', 'f'], ['^wh', 'w'], ['wh', 'w'], ['^kn', 'n'], ['^wr', 'r'], ['ck', 'k'], ['ng$', 'ŋ'], ['n(?=k)', 'ŋ'], ['qu', 'kw'],
  ['ee', 'iː'], ['ea', 'iː'], ['oo(?=k)', 'ʊ'], ['oo', 'uː'], ['ai', 'eɪ'], ['ay', 'eɪ'], ['oa', 'əʊ'], ['ou', 'aʊ'], ['ow', 'aʊ'], ['oi', 'ɔɪ'], ['oy', 'ɔɪ'], ['au', 'ɔː'], ['aw', 'ɔː'], ['ew', 'uː'], ['ie', 'iː'], ['ei', 'eɪ'], ['ue', 'uː'],
  ['ar', 'ɑː'], ['or', 'ɔː'], ['er', 'ɜː'], ['ir', 'ɜː'], ['ur', 'ɜː'], ['all', 'ɔːl'], ['al(?=k)', 'ɔː'], ['wa(?=[nst])', 'wɒ'],
  // Single letters
  ['c(?=[eiy])', 's'], ['g(?=[eiy]$)', 'dʒ'], ['g(?=e)', 'dʒ'], ['([bdfgklmnprstz])\\1', '$1'], ['x', 'ks'], ['c', 'k'], ['y(?=[aeiou])', 'j'], ['j', 'dʒ'],
  ['s$(?<=[bdgvlmnrwyaeiou]s)', 'z'], ['a$', 'ə'], ['o$', 'əʊ'], ['e$', 'iː'], ['i$', 'aɪ'], ['a', 'æ'], ['e', 'e'], ['i', 'ɪ'], ['o', 'ɒ'], ['u', 'ʌ'], ['y', 'ɪ'], ['[bdfhklmnprstvwz]', '$&'], ['g', 'ɡ'],
] as const).map(([spelling, sounds]) => [new RegExp(spelling, 'y'), sounds] as const)

/** Words that are read as no rule says. */
const ODD: Readonly<Record<string, string>> = {
  the: 'ðə', a: 'ə', an: 'ən', and: 'ənd', to: 'tə', of: 'əv', you: 'juː', are: 'ɑː', is: 'ɪz', i: 'aɪ', my: 'maɪ', your: 'jɔː', his: 'hɪz', one: 'wʌn', two: 'tuː', do: 'duː', who: 'huː', what: 'wɒt', there: 'ðeə', where: 'weə', this: 'ðɪs', that: 'ðæt', these: 'ðiːz', those: 'ðəʊz',
}

const letter = (name: string) => ({ a: 'eɪ', b: 'biː', c: 'siː', d: 'diː', e: 'iː', f: 'ef', g: 'dʒiː', h: 'eɪtʃ', i: 'aɪ', j: 'dʒeɪ', k: 'keɪ', l: 'el', m: 'em', n: 'en', o: 'əʊ', p: 'piː', q: 'kjuː', r: 'ɑː', s: 'es', t: 'tiː', u: 'juː', v: 'viː', w: 'ˈdʌbljuː', x: 'eks', y: 'waɪ', z: 'zed' })[name] ?? ''

const isVowel = (sound: string) => SOUNDS.some(([symbol, kind]) => symbol === sound && (kind === 'vowel' || kind === 'diphthong'))

/** Marks the first syllable of a word of several, which is stressed in most English words of two. */
function stressed(sounds: string): string {
  const parts = soundsOf(sounds)
  return parts && parts.filter(isVowel).length > 1 ? `ˈ${sounds}` : sounds
}

function wordIpa(word: string): string {
  // PE and CD are spelled; what is in capitals by chance is longer.
  if (/^[A-Z]{2,4}$/.test(word)) return [...word.toLowerCase()].map(letter).join('ˈ').replace(/^/, 'ˌ')
  const lower = word.toLowerCase()
  const odd = ODD[lower]
  if (odd !== undefined) return odd
  let [sounds, at] = ['', 0]
  while (at < lower.length) {
    let next = at + 1
    for (const [spelling, to] of RULES) {
      spelling.lastIndex = at
      const found = spelling.exec(lower)
      if (!found) continue
      sounds += to.replace('$1', found[1] ?? '').replace('$&', found[0])
      next = at + found[0].length
      break
    }
    at = Math.max(next, at + 1)
  }
  return stressed(foldIpa(sounds))
}

/** British phonetics that the spelling suggests; what is no word has none. A person confirms them. */
export const proposeUk = (headword: string): string => headword.split(/[\s-]+/).map((word) => wordIpa(word.replace(/[^A-Za-z]/g, ''))).filter(Boolean).join(' ')

/** American phonetics that the British ones suggest: r-colour and flap are not shown (teaching.md 1.9). */
export const proposeUs = (uk: string): string => uk.replaceAll('ɒ', 'ɑː').replace(/ɑː(?=f|s[ktp]|θ|ns|nt)/g, 'æ')

/** Sounds of a headword's phonetics, each once, for the words in which a phonogram is practised. */
export const distinctSounds = (uk: string | null | undefined): string[] => [...new Set(soundsOf(foldIpa(uk ?? '')) ?? [])]
