/** What the spelling of a word suggests, for words that no dictionary has. Pure. */
import { foldIpa, SOUNDS, soundsOf } from './ipa.ts'

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

/** PE and CD are spelled, the last letter stressed; what is in capitals by chance is longer. */
export function spelledOut(word: string): string | undefined {
  if (!/^[A-Z]{2,4}$/.test(word)) return undefined
  const letters = [...word.toLowerCase()].map(letter)
  return `ˌ${letters.slice(0, -1).join('')}ˈ${letters.at(-1) ?? ''}`
}

function wordIpa(word: string): string {
  const spelled = spelledOut(word)
  if (spelled !== undefined) return spelled
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
