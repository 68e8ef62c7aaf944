import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { detectDelimiter, guardText, unguardText } from './csv-text.ts'

describe('detectDelimiter', () => {
  it.each([
    ['姓名,手机号\n张三,1', ','],
    ['姓名\t手机号\n张三\t1', '\t'],
    ['姓名;手机号\n张三;1', ';'],
    ['报名表\n姓名;手机号;备注\n张三;1;a,b\n李四;2;c', ';'],
    ['姓名;备注\n张三;"a,b,c\nd,e,f"\n李四;"g,h"', ';'],
    ['姓名\n张三', ','],
    ['', ','],
  ])('%j', (sample, delimiter) => {
    expect(detectDelimiter(sample)).toBe(delimiter)
  })
})

describe('guardText', () => {
  it('is undone by unguardText', () => {
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', '\n', '＝', 'a', ' ') }), (text) => {
      expect(unguardText(guardText(text))).toBe(text)
    }))
  })

  it('leaves other text alone', () => {
    expect(guardText('a=1')).toBe('a=1')
    expect(guardText("'quoted'")).toBe("'quoted'")
    expect(unguardText("'quoted'")).toBe("'quoted'")
  })

  it('unwraps the way of other systems to keep zeros', () => {
    expect(unguardText('="00123"')).toBe('00123')
    expect(unguardText('="')).toBe('="')
  })
})
