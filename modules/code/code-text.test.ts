import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ALPHABET, checkCharacter, codeProblem, groupCode, guessesPerHit, maskCode, MAX_LENGTH, MAX_PREFIX, MIN_LENGTH, normaliseCode } from './code-text.ts'

const char = fc.constantFrom(...ALPHABET)
const body = fc.array(char, { minLength: MIN_LENGTH - 1, maxLength: MAX_PREFIX + MAX_LENGTH - 1 }).map((chars) => chars.join(''))
const code = body.map((text) => text + checkCharacter(text))

test('no character is taken for another, and their number is prime', () => {
  expect(ALPHABET).not.toMatch(/[01ILO]/)
  expect(new Set(ALPHABET).size).toBe(31)
})

test('a code is well-formed', () => {
  fc.assert(fc.property(code, (text) => void expect(codeProblem(text)).toBeUndefined()))
})

test('every single wrong character is caught, the check character\'s own too', () => {
  fc.assert(fc.property(code, fc.nat(), char, (text, at, other) => {
    const place = at % text.length
    fc.pre(other !== text.charAt(place))
    expect(codeProblem(text.slice(0, place) + other + text.slice(place + 1))).toBe('激活码输入有误，请逐位核对')
  }), { numRuns: 5000 })
  // One code with every error that there is.
  const sample = `GZ7K2M9QXTA4B3C8D6E${checkCharacter('GZ7K2M9QXTA4B3C8D6E')}`
  for (let i = 0; i < sample.length; i++) {
    for (const other of ALPHABET) if (other !== sample.charAt(i)) expect(codeProblem(sample.slice(0, i) + other + sample.slice(i + 1))).toBeDefined()
  }
})

test('every swap of two different characters is caught, wherever they stand', () => {
  const swapped = (text: string, a: number, b: number) => {
    const chars = [...text]
    ;[chars[a], chars[b]] = [chars[b] ?? '', chars[a] ?? '']
    return chars.join('')
  }
  fc.assert(fc.property(code, (text) => {
    for (let a = 0; a < text.length; a++) {
      for (let b = a + 1; b < text.length; b++) if (text.charAt(a) !== text.charAt(b)) expect(codeProblem(swapped(text, a, b))).toBeDefined()
    }
  }), { numRuns: 300 })
})

test('what people type is read as codes are written', () => {
  fc.assert(fc.property(code, (text) => void expect(normaliseCode(` ${groupCode(text).toLowerCase().replaceAll(' ', '-')}\u200b　`)).toBe(text)))
  expect(normaliseCode('ＡＢ２３ cd45')).toBe('AB23CD45')
})

test('a wrong code is told what is wrong with it', () => {
  expect(codeProblem('  ')).toBe('请输入激活码')
  expect(codeProblem('ABCO1234')).toBe('激活码中没有数字 0、1 和字母 I、L、O，请核对')
  expect(codeProblem('ABC王2345')).toBe('激活码只有数字和大写字母，请核对')
  expect(codeProblem('ABC2345')).toBe('激活码应为 8 到 20 位，请核对')
})

test('a masked code keeps its prefix and its end, and less of a short one', () => {
  expect(maskCode('GZ23456789ABCD', 'GZ')).toBe('GZ****ABCD')
  expect(maskCode('23456789', '')).toBe('****89')
  expect(groupCode('GZ23456789ABCD')).toBe('GZ23 4567 89AB CD')
})

test('the longer a code, the less a guess is worth', () => {
  expect(guessesPerHit(8, 50_000)).toBeGreaterThan(500_000)
  expect(guessesPerHit(12, 50_000)).toBeGreaterThan(1e11)
})
