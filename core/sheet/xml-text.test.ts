import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { columnIndex, columnLetters, parseRange } from './cell-reference.ts'
import { createXmlParser } from './xml-parser.ts'
import { decodeEscapes, dropForbidden, escapeXml } from './xml-text.ts'

function parsedText(xml: string): string {
  let text = ''
  const parser = createXmlParser({ open: () => {}, text: (piece) => { text += piece } })
  parser.write(Buffer.from(`<t>${xml}</t>`))
  parser.end()
  return decodeEscapes(text)
}

describe('escapeXml', () => {
  it('gives back any text but for what XML forbids', () => {
    const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom('_', 'x', '0', 'D', 'd', '5', 'F', '\r', '<', '&', '\u0001', '\uD800', '😀') }))
    fc.assert(fc.property(texts, (text) => {
      expect(parsedText(escapeXml(text))).toBe(dropForbidden(text))
    }))
  })

  it('drops control characters and half surrogates', () => {
    expect(dropForbidden('a\u0000\u0008\u000B\u001F\uFFFEb\uD83Dc\uDE00d😀\t\r\n')).toBe('abcd😀\t\r\n')
  })

  it('shields text that looks like an escape', () => {
    expect(escapeXml('_x000D_')).toBe('_x005F_x000D_')
    expect(escapeXml('a\r\n')).toBe('a_x000D_\n')
  })

  it('cuts what no cell can hold, never through a character', () => {
    expect(escapeXml('字'.repeat(40_000))).toHaveLength(32_767)
    expect(escapeXml(`${'字'.repeat(32_766)}😀`)).toBe('字'.repeat(32_766))
  })
})

describe('createXmlParser', () => {
  it('refuses what the document declares itself', () => {
    const parser = createXmlParser({ open: () => {} })
    expect(() => {
      parser.write(Buffer.from('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'))
      parser.end()
    }).toThrow('undefined entity')
  })
})

describe('cell references', () => {
  it('counts columns in letters', () => {
    expect([0, 25, 26, 701, 702, 16383].map(columnLetters)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA', 'XFD'])
    for (let index = 0; index < 16384; index++) expect(columnIndex(`${columnLetters(index)}7`)).toBe(index)
    expect(columnIndex('7')).toBe(-1)
  })

  it('reads ranges', () => {
    expect(parseRange('B2:$D$10')).toEqual({ top: 2, bottom: 10, left: 1, right: 3 })
    expect(parseRange('C7')).toEqual({ top: 7, bottom: 7, left: 2, right: 2 })
    expect(parseRange('A:A')).toBeNull()
  })
})
