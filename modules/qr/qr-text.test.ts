import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ALPHABET } from '../code/module.ts'
import { BODY_LENGTH, newCode, printedUrl, readCode, targetProblem } from './qr-text.ts'

const codes = fc.array(fc.nat(ALPHABET.length - 1), { minLength: BODY_LENGTH, maxLength: BODY_LENGTH }).map((places) => newCode(() => places.shift() ?? 0))

test('a code is read in any case, and one wrong character or two that changed places are never another code', () => {
  fc.assert(fc.property(codes, fc.nat(BODY_LENGTH), fc.nat(BODY_LENGTH), fc.nat(ALPHABET.length - 1), (code, at, other, char) => {
    expect(readCode(code)).toBe(code)
    expect(readCode(` ${code.toLowerCase()} `)).toBe(code)
    const wrong = code.slice(0, at) + ALPHABET.charAt(char) + code.slice(at + 1)
    if (wrong !== code) expect(readCode(wrong)).toBeUndefined()
    const places = [...code]
    ;[places[at], places[other]] = [code.charAt(other), code.charAt(at)]
    const swapped = places.join('')
    if (swapped !== code) expect(readCode(swapped)).toBeUndefined()
  }))
})

test('what is printed has capitals and digits alone, which take fewer modules', () => {
  expect(printedUrl('https://q.example.com', '23456789')).toBe('HTTPS://Q.EXAMPLE.COM/Q/23456789')
})

test.each([
  ['javascript:alert(1)', '网址不允许：只能以 http:// 或 https:// 开头'], ['ftp://example.com/a', '网址不允许：只能以 http:// 或 https:// 开头'], ['example.com', '网址不完整，应以 https:// 开头'],
  ['http://127.0.0.1/a', '网址不允许：不能指向内网地址'], ['http://[::1]/', '网址不允许：不能指向内网地址'], ['http://2130706433/', '网址不允许：不能指向内网地址'], ['http://localhost/', '网址不允许：不能指向内网地址'],
  ['https://db.internal/', '网址不允许：不能指向内网地址'], ['https://a:b@example.com/', '网址不允许：不能带账号'], [`https://example.com/q/${newCode(() => 0)}`, '网址不允许：不能指向另一个二维码'],
])('a code does not lead to %s', (url, words) => {
  expect(targetProblem(url)).toBe(words)
})

test('a code leads to pages of other sites', () => {
  expect(targetProblem('https://www.example.com/q/questions?id=1')).toBeUndefined()
})
