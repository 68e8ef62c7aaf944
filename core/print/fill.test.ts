import { expect, test } from 'vitest'
import { plainText, type Inline, type RichDoc } from '../rich-text/rich-doc.ts'
import { richDoc, templateDoc } from '../rich-text/rich-schema.ts'
import { fillDoc, pathsOf } from './fill.ts'

const chip = (path: string): Inline => ({ t: 'field', path, label: path })
const cell = (...c: Inline[]) => ({ c: [{ t: 'p' as const, c }] })
const doc: RichDoc = { t: 'doc', v: 1, c: [
  { t: 'p', c: ['今收到 ', chip('name'), '，电话 ', chip('mobile')] },
  { t: 'table', rows: [[cell('商品'), cell('数量')], [cell(chip('items:name')), cell(chip('items:qty'))], [cell('合计'), cell(chip('amount'))]] },
] }

test('values stand where their places were, what is missing leaves room, rows repeat for each line', () => {
  const filled = fillDoc(doc, { id: 1, title: 'x', values: { name: '东城合伙人', amount: '¥30.00' }, lines: { items: [{ name: '授权码', qty: '2' }, { name: '平板', qty: '' }] } })
  const text = plainText(filled ?? { t: 'doc', v: 1, c: [] })
  expect(text).toContain('今收到 东城合伙人，电话 \u3000')
  expect(text).toMatch(/授权码[^]*2[^]*平板[^]*合计[^]*¥30\.00/)
  expect(text).not.toMatch(/undefined|null|〔/)
  expect(filled?.c[1]).toMatchObject({ rows: { length: 4 } })
})

test('without lines the row is gone and the rest stands', () => {
  expect(fillDoc(doc, { id: 1, title: 'x', values: {}, lines: {} })?.c[1]).toMatchObject({ rows: { length: 2 } })
})

test('only templates hold places of values', () => {
  expect(pathsOf(doc)).toEqual(['name', 'mobile', 'items:name', 'items:qty', 'amount'])
  expect(templateDoc.safeParse(doc).success).toBe(true)
  expect(richDoc.safeParse(doc).success).toBe(false)
  expect(templateDoc.safeParse({ t: 'doc', v: 1, c: [{ t: 'p', c: [{ t: 'field', path: '__proto__.x y', label: 'x' }] }] }).success).toBe(false)
})
