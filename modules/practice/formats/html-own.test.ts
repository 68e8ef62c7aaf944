import fc from 'fast-check'
import { expect, test } from 'vitest'
import { htmlFlow } from './html.ts'
import { docHtml, readDocHtml } from './html-own.ts'
import { someDoc } from './testing.ts'
import { parseXml } from './xml.ts'

test.each(['mathml', 'tex'] as const)('a text is read again as it was, with formulas as %s, and is well formed', (math) => {
  fc.assert(fc.property(someDoc(), (doc) => {
    const html = docHtml(doc, { math, address: (asset) => `files/${asset}?a=1&b=2` })
    parseXml(`<x>${html}</x>`)
    expect(readDocHtml(html, (source) => source.replace(/^files\/|\?.*$/g, ''))).toEqual(doc)
  }), { numRuns: 200 })
})

test('what somebody has changed is left to the reader of any HTML', () => {
  const html = docHtml({ t: 'doc', v: 1, c: [{ t: 'p', c: ['甲'] }] }, { math: 'tex', address: (asset) => asset })
  expect(readDocHtml(html.replace('甲', '<font color="red">甲</font>'), () => null)).toBeUndefined()
  expect(readDocHtml('<p>甲</p>', () => null)).toBeUndefined()
  expect(htmlFlow(html.replace('甲', '<font>甲</font>'), { warnings: [], assets: new Map(), files: new Map() }).join('')).toContain('甲')
})
