import { expect, test } from 'vitest'
import { checkValue } from './check.ts'
import { linesOfText, richText } from './rich-text.ts'

const field = richText('内容', { required: true, max: 20 })
const doc = (...c: unknown[]) => ({ t: 'doc', v: 1, c })

test('the words stand beside the text, whatever the sender says they are', () => {
  const sent = { ...doc({ t: 'p', c: ['续约', { t: 'text', text: '须知', b: true }] }, { t: 'list', style: 'decimal', items: [[{ t: 'p', c: ['打电话'] }]] }), words: '别的', extra: 1 }
  expect(checkValue(field, sent)).toEqual({ value: { t: 'doc', v: 1, c: sent.c, words: '续约须知\n打电话' } })
})

test('what may not be stored is refused, what hides is dropped', () => {
  expect(checkValue(field, doc({ t: 'script', c: ['x'] }))).toEqual({ message: '内容含有不支持的内容' })
  expect(checkValue(field, doc({ t: 'image', asset: 'https://example.com/a.png' }))).toEqual({ message: '内容图片须先上传' })
  expect(checkValue(field, doc({ t: 'p', c: ['甲\u202e乙'], onclick: 'x' }))).toEqual({ value: linesOfText('甲乙') })
  expect(checkValue(field, '<b>x</b>')).toMatchObject({ message: expect.any(String) })
})

test('its length is that of its words, and nothing to read is no text', () => {
  expect(checkValue(field, linesOfText('字'.repeat(20)))).toHaveProperty('value')
  expect(checkValue(field, linesOfText('字'.repeat(21)))).toEqual({ message: '内容最多 20 个字' })
  expect(checkValue(field, doc({ t: 'p', c: ['  '] }))).toEqual({ message: '请填写内容' })
  expect(checkValue(richText('内容'), doc())).toEqual({ value: null })
})

test('a workbook carries the words, and brings them back as paragraphs', () => {
  const written = linesOfText('第一段\n第二段')
  expect(field.toSheet(written)).toBe('第一段\n第二段')
  expect(checkValue(field, field.fromSheet('第一段\n第二段'))).toEqual({ value: written })
  expect(field.fromSheet('  ')).toBeNull()
})
