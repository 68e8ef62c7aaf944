import { dictionary } from 'cmu-pronouncing-dictionary'
import { expect, test } from 'vitest'
import { ukOf, usOf } from './arpabet.ts'
import { DEMO_BOOKS, unitsOf } from './demo-words.ts'
import { foldIpa, wrongSymbol } from './ipa.ts'

const entry = (word: string) => dictionary[word] ?? ''

test.each([
  // r is said before a vowel alone, o and a are other sounds, and j stays behind n, t, d.
  ['car', 'kɑː', 'kɑː'], ['very', 'ˈverɪ', 'ˈverɪ'], ['parents', 'ˈpeərənts', 'ˈperənts'], ['box', 'bɒks', 'bɑːks'], ['dog', 'dɒɡ', 'dɔːɡ'], ['tall', 'tɔːl', 'tɔːl'], ['what', 'wɒt', 'wʌt'],
  ['class', 'klɑːs', 'klæs'], ['cat', 'kæt', 'kæt'], ['new', 'njuː', 'nuː'], ['noon', 'nuːn', 'nuːn'], ['here', 'hɪə', 'hɪə'], ['bird', 'bɜːd', 'bɜːd'],
  // Stress stands before the syllable that has it; what is not said is not written.
  ['teacher', 'ˈtiːtʃə', 'ˈtiːtʃə'], ['afternoon', 'ˌɑːftəˈnuːn', 'ˌæftəˈnuːn'], ['banana', 'bəˈnɑːnə', 'bəˈnænə'], ['computer', 'kəmˈpjuːtə', 'kəmˈpjuːtə'], ['table', 'ˈteɪbl', 'ˈteɪbl'], ['lesson', 'ˈlesn', 'ˈlesn'], ['london', 'ˈlʌndən', 'ˈlʌndən'], ['thirteen', 'ˌθɜːˈtiːn', 'ˌθɜːˈtiːn'],
])('%s is written /%s/ and /%s/', (word, uk, us) => {
  expect({ uk: word === 'what' ? ukOf('W AA1 T', word) : ukOf(entry(word), word), us: usOf(entry(word), word) }).toEqual({ uk, us })
})

test('everything that the dictionary says is written in the 48 symbols, and as it is stored', () => {
  const words = Object.keys(dictionary).filter((word, at) => at % 7 === 0 && /^[a-z]+$/.test(word))
  const wrong = words.flatMap((word) => [ukOf(entry(word), word), usOf(entry(word), word)].filter((text) => text === '' || wrongSymbol(text) !== undefined || foldIpa(text) !== text).map((text) => `${word} ${text}`))
  expect(words.length).toBeGreaterThan(15_000)
  expect(wrong).toEqual([])
})

test('nine of ten words of three textbooks are proposed as the textbook prints them', () => {
  const words = Object.values(DEMO_BOOKS).flatMap((text) => unitsOf(text).flatMap((unit) => unit.words)).map(({ headword, uk }) => ({ word: headword.toLowerCase(), uk })).filter(({ word }) => entry(word) !== '')
  const right = words.filter(({ word, uk }) => ukOf(entry(word), word) === uk)
  expect(words.length).toBeGreaterThan(170)
  expect(right.length / words.length).toBeGreaterThan(0.9)
})
