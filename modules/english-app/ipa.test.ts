import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEMO_BOOKS, unitsOf } from './demo-words.ts'
import { foldIpa, IPA_PATTERN, SOUNDS, soundsOf, wrongSymbol } from './ipa.ts'
import { PHONOGRAMS } from './phonogram-facts.ts'
import { holdsWord } from './sentence.ts'
import { proposeUk, proposeUs } from './spelling.ts'
import { HEADWORD } from './word.ts'

describe('phonetics', () => {
  test('there are 48 symbols, each once: 20 vowels and 28 consonants', () => {
    const symbols = SOUNDS.map(([symbol]) => symbol)
    expect(new Set(symbols).size).toBe(48)
    expect(SOUNDS.filter(([, kind]) => kind === 'vowel' || kind === 'diphthong')).toHaveLength(20)
  })

  test('what is typed otherwise is folded, and folding again changes nothing', () => {
    expect(foldIpa("/'i:ɡl/")).toBe('ˈiːɡl')
    expect(foldIpa('[gəul]')).toBe('ɡəʊl')
    expect(foldIpa('hæpi')).toBe('hæpɪ')
    expect(foldIpa('bəːd')).toBe('bɜːd')
    fc.assert(fc.property(fc.array(fc.constantFrom(...SOUNDS.map(([symbol]) => symbol), 'ˈ', ' ', 'g', "'", ':')), (parts) => {
      const folded = foldIpa(parts.join(''))
      expect(foldIpa(folded)).toBe(folded)
    }))
  })

  test('a symbol that is none of the 48 is named; letters of a word are none', () => {
    expect(wrongSymbol('ˈæpl')).toBeUndefined()
    expect(wrongSymbol('ʀed')).toBe('ʀ')
    expect(soundsOf('tʃeə')).toEqual(['tʃ', 'eə'])
    expect(soundsOf('apple')).toBeUndefined()
    expect(IPA_PATTERN.test('apple')).toBe(false)
    expect(IPA_PATTERN.test("/'æpl/")).toBe(true)
  })

  test('every proposal is made of the 48 symbols, whatever the word', () => {
    fc.assert(fc.property(fc.stringMatching(/^[A-Za-z][a-z]{0,14}( [a-z]{1,8})?$/), (word) => {
      expect(wrongSymbol(proposeUk(word))).toBeUndefined()
      expect(wrongSymbol(proposeUs(proposeUk(word)))).toBeUndefined()
    }))
  })

  test('spellings that rules read are proposed as dictionaries have them', () => {
    for (const [word, uk] of [['cat', 'kæt'], ['cake', 'keɪk'], ['ship', 'ʃɪp'], ['night', 'naɪt'], ['car', 'kɑː'], ['green', 'ɡriːn'], ['boat', 'bəʊt'], ['PE', 'ˌpiːˈiː']] as const) expect(proposeUk(word), word).toBe(uk)
    expect(proposeUs('bɒks')).toBe('bɑːks')
    expect(proposeUs('ɡrɑːnt')).toBe('ɡrænt')
  })
})

describe('what comes with the product', () => {
  test('each phonogram has spellings, examples and how it is said; pairs name symbols and go both ways', () => {
    expect(PHONOGRAMS).toHaveLength(48)
    for (const one of PHONOGRAMS) {
      expect(one.examples.filter((word) => HEADWORD.test(word)).length, one.symbol).toBeGreaterThanOrEqual(3)
      expect(one.tips.length, one.symbol).toBeGreaterThan(5)
      expect(one.letters.join(''), one.symbol).not.toBe('')
      for (const { word, other, sound } of one.pairs) {
        expect(word).not.toBe(other)
        expect(PHONOGRAMS.find(({ symbol }) => symbol === sound)?.pairs, `${one.symbol} ${sound}`).toContainEqual({ word: other, other: word, sound: one.symbol })
      }
    }
  })

  test('the words of the demo are words, in the 48 symbols, each once in its unit', () => {
    for (const [book, text] of Object.entries(DEMO_BOOKS)) {
      for (const { name, words } of unitsOf(text)) {
        expect(new Set(words.map(({ headword }) => headword)).size, `${book} ${name}`).toBe(words.length)
        for (const { headword, uk } of words) {
          expect(headword).toMatch(HEADWORD)
          expect([headword, wrongSymbol(uk), foldIpa(uk)]).toEqual([headword, undefined, uk])
        }
      }
    }
  })
})

test('a sentence holds a word, its regular forms, or those that were written down', () => {
  expect(holdsWord('Look at the cats!', 'cat', [])).toBe(true)
  expect(holdsWord('She is running.', 'run', [])).toBe(true)
  expect(holdsWord('The cathedral is old.', 'cat', [])).toBe(false)
  expect(holdsWord('He went home.', 'go', ['went'])).toBe(true)
  expect(holdsWord('He has a big breakfast.', 'have breakfast', [])).toBe(true)
  expect(holdsWord('She makes cakes.', 'have breakfast', [])).toBe(false)
})
