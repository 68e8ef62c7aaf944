/**
 * What a dictionary in ARPAbet says, written in the 48 symbols that schools teach. American readings are those of the
 * dictionary, without the colour of r; British ones follow from them and from the spelling. Pure.
 */

/** A sound of the dictionary: its symbol, and of a vowel its stress (0 none, 1 first, 2 second). */
interface Phone { readonly name: string; readonly stress?: number }

const CONSONANTS: Readonly<Record<string, string>> = {
  B: 'b', CH: 'tʃ', D: 'd', DH: 'ð', F: 'f', G: 'ɡ', HH: 'h', JH: 'dʒ', K: 'k', L: 'l', M: 'm', N: 'n', NG: 'ŋ', P: 'p', R: 'r', S: 's', SH: 'ʃ', T: 't', TH: 'θ', V: 'v', W: 'w', Y: 'j', Z: 'z', ZH: 'ʒ',
}

/** Vowels under stress, and without it where that is another. */
const VOWELS: Readonly<Record<string, readonly [stressed: string, plain?: string]>> = {
  AA: ['ɑː'], AE: ['æ'], AH: ['ʌ', 'ə'], AO: ['ɔː'], AW: ['aʊ'], AY: ['aɪ'], EH: ['e'], ER: ['ɜː', 'ə'], EY: ['eɪ'], IH: ['ɪ'], IY: ['iː', 'ɪ'], OW: ['əʊ'], OY: ['ɔɪ'], UH: ['ʊ'], UW: ['uː'],
}

/** Vowels that make one sound with an r behind them which no vowel follows. */
const WITH_R: Readonly<Record<string, string>> = { AA: 'ɑː', AO: 'ɔː', EH: 'eə', IH: 'ɪə', IY: 'ɪə', UH: 'ʊə', UW: 'ʊə' }

/** Groups of consonants with which a syllable may begin. */
const ONSET = /^(?:[bpdtkɡfvθðszʃʒhmnlrwj]|tʃ|dʒ|[bpkɡfs]l|[bpdtkɡfθʃ]r|[tdkɡsθ]w|s[ptkmnf]|sp[lr]|st[r]|sk[rw]|[bpdtkɡfvhmnl]j)$/

/** Words whose a the British say long and the Americans do not. */
const BATH = new Set([
  'after', 'afternoon', 'answer', 'ask', 'aunt', 'banana', 'basket', 'basketball', 'bath', 'bathroom', 'branch', 'brass', 'calf', "can't", 'cast', 'castle', 'chance', 'chart', 'class', 'classmate', 'classroom', 'craft', 'dance', 'dancer', 'dancing', 'draft', 'drama',
  'example', 'fast', 'fasten', 'france', 'giraffe', 'glass', 'glasses', 'grandpa', 'graph', 'grass', 'half', 'last', 'laugh', 'laughter', 'mask', 'master', 'nasty', 'pass', 'passport', 'past', 'pasta', 'pastor', 'path', 'photograph', 'plant', 'raft', 'rather', 'sample', 'task', 'vase', 'vast',
])

/** Reads an entry of the dictionary. */
const phonesOf = (entry: string): Phone[] => entry.split(' ').map((text) => {
  const [, name = '', stress] = /^([A-Z]+)([0-2])?$/.exec(text) ?? []
  return stress === undefined ? { name } : { name, stress: Number(stress) }
})

const isVowel = (phone: Phone | undefined): boolean => phone?.stress !== undefined

/** Letters of each vowel of a word; undefined where they cannot be told apart, as in words with letters that are not said. */
function lettersOf(word: string, phones: readonly Phone[]): readonly string[] | undefined {
  const groups = word.replace(/(?<=[^aeiouy])e(?=s?$)/, (_e, at: number) => (/[bcdfgkpstz]l$/.test(word.slice(0, at)) ? 'e' : '')).match(/[aeiou]+[wy](?![aeiou])|[aeiou]+|(?<!^)y/g) ?? []
  return groups.length === phones.filter(isVowel).length ? groups : undefined
}

/** Sounds with the mark of stress before the syllable that has it: as many consonants as may begin one belong to it. */
function marked(sounds: readonly { readonly symbol: string; readonly vowel: boolean; readonly stress?: number | undefined }[], syllables: number): string {
  // The second of two equal stresses is the stronger one; what follows the first stress is not marked.
  const last = sounds.findLastIndex(({ stress }) => stress === 1)
  const marks = new Map<number, string>()
  for (const [at, { stress }] of sounds.entries()) {
    if (syllables < 2 || !stress || at > last) continue
    let begin = at
    while (begin > 0 && !sounds[begin - 1]?.vowel && (begin === at || ONSET.test(sounds.slice(begin - 1, at).map(({ symbol }) => symbol).join('')) || begin - 1 === 0)) begin -= 1
    if (begin < at && sounds[begin]?.symbol === 'ŋ') begin += 1
    marks.set(begin, at === last ? 'ˈ' : 'ˌ')
  }
  return sounds.map(({ symbol }, at) => `${marks.get(at) ?? ''}${symbol}`).join('')
}

interface Place { readonly phones: readonly Phone[]; readonly at: number; readonly word: string; readonly letters: string | undefined }

/** A vowel as the British say it, where that is not what Americans say. */
function british({ phones, at, word, letters }: Place): string | undefined {
  const { name, stress } = phones[at] ?? { name: '' }
  const [before, next, after] = [phones[at - 1], phones[at + 1], phones[at + 2]]
  const beforeR = next?.name === 'R' && isVowel(after)
  const o = letters === undefined ? /o/.test(word) && !/a/.test(word) : letters === 'o'
  if (name === 'AE' && (BATH.has(word) || BATH.has(word.replace(/(?<=[^s])s$/, '')))) return 'ɑː'
  if (name === 'AA' && (next?.name !== 'R' || beforeR)) return o || /wha?|wa|qua/.test(word) ? 'ɒ' : undefined
  if (name === 'AO' && next?.name !== 'R') return o ? 'ɒ' : undefined
  if (name === 'AO' && beforeR && stress === 1 && /or[aei]|orr/.test(word)) return 'ɒ'
  if (name === 'EH' && beforeR) return /arr/.test(word) ? 'æ' : /ar|air|ear/.test(word) ? 'eə' : undefined
  if ((name === 'IH' || name === 'IY') && beforeR) return stress === 0 || /irr|iri/.test(word) ? 'ɪ' : 'ɪə'
  if (name === 'ER' && stress && isVowel(next)) return /u|o/.test(word) ? 'ʌ' : undefined
  if (name === 'AH' && stress === 0 && letters !== undefined && (/^(?:i|y)$/.test(letters) || (letters === 'e' && next !== undefined && /^(?:T|D|Z|JH)$/.test(next.name) && phones.length === at + 2))) return 'ɪ'
  if (name === 'UW' && before && /^(?:T|D|N)$/.test(before.name) && /^(?:u|ew|ue|ui|eu)$/.test(letters ?? '')) return 'juː'
  return undefined
}

/** Whether a weak vowel is not said, as schools write it: ˈæpl, ˈlesn. */
function isSilent({ phones, at }: Omit<Place, 'word' | 'letters'>): boolean {
  const [before, { name, stress } = { name: '' }, next, after] = [phones[at - 1], phones[at], phones[at + 1], phones[at + 2]]
  if (name !== 'AH' || stress !== 0 || !before || isVowel(before)) return false
  const end = after === undefined || (at + 3 === phones.length && /^(?:T|Z|D)$/.test(after.name))
  if (next?.name === 'L') return end && !/^(?:R|L|W|Y|M)$/.test(before.name)
  // After two consonants the vowel is said: ˈlʌndən.
  const earlier = phones[at - 2]
  return next?.name === 'N' && end && /^(?:T|D|S|Z|V)$/.test(before.name) && (isVowel(earlier) || earlier?.name === 'R')
}

function written(entry: string, word: string, way: 'uk' | 'us'): string {
  const phones = phonesOf(entry)
  const letters = lettersOf(word, phones)
  let nth = -1
  const sounds = phones.flatMap((phone, at) => {
    const { name, stress } = phone
    const next = phones[at + 1]
    if (stress === undefined) {
      // An r is said before a vowel; behind one it has become part of it.
      if (name === 'R' && !isVowel(next)) return isVowel(phones[at - 1]) ? [] : [{ symbol: 'r', vowel: false }]
      return [{ symbol: CONSONANTS[name] ?? '', vowel: false }]
    }
    nth += 1
    if (isSilent({ phones, at })) return []
    const [strong = '', weak = strong] = VOWELS[name] ?? []
    const plain = stress === 0 ? weak : strong
    const own = way === 'uk' ? british({ phones, at, word, letters: letters?.[nth] }) : undefined
    const joined = own ?? (next?.name === 'R' && !isVowel(phones[at + 2]) ? WITH_R[name] ?? plain : plain)
    const sound = { symbol: joined, vowel: true, stress }
    return name === 'ER' && isVowel(next) ? [sound, { symbol: 'r', vowel: false }] : [sound]
  })
  return marked(sounds, phones.filter(isVowel).length)
}

/** American phonetics of an entry. @param word in small letters */
export const usOf = (entry: string, word: string): string => written(entry, word, 'us')

/** British phonetics that an American entry and the spelling suggest. @param word in small letters */
export const ukOf = (entry: string, word: string): string => written(entry, word, 'uk')
