import { expect, test } from 'vitest'
import { cleanFileName } from './name.ts'
import { parseRange } from './range.ts'
import { fileIdsIn } from './url.ts'

test.each([
  ['../../etc/passwd', 'passwd'],
  ['..\\..\\windows\\system.ini', 'system.ini'],
  ['/absolute/学生名单.xlsx', '学生名单.xlsx'],
  ['a\u0000b\u0007.png', 'ab.png'],
  ['照片\u202Egnp.exe', '照片gnp.exe'],
  ['a<b>:"c|d?*.pdf', 'a_b___c_d__.pdf'],
  ['...', '未命名'],
  ['', '未命名'],
  ['.png', '未命名.png'],
  ['  报告  终稿 .DOCX ', '报告 终稿.docx'],
  ['line\nbreak\r\n.csv', 'linebreak.csv'],
  ['half\uD800.png', 'half.png'],
])('%j is kept as %j', (given, expected) => {
  expect(cleanFileName(given)).toBe(expected)
})

test('a long name keeps its ending and never cuts a character in two', () => {
  const name = cleanFileName(`${'😀'.repeat(300)}.xlsx`)
  expect([...name].length).toBeLessThanOrEqual(100)
  expect(name.endsWith('😀.xlsx')).toBe(true)
})

test.each([
  [undefined, undefined],
  ['bytes=0-3', { start: 0, end: 3 }],
  ['bytes=4-', { start: 4, end: 9 }],
  ['bytes=-3', { start: 7, end: 9 }],
  ['bytes=-99', { start: 0, end: 9 }],
  ['bytes=5-99', { start: 5, end: 9 }],
  ['bytes=10-', 'none'],
  ['bytes=-0', 'none'],
  ['bytes=5-2', undefined],
  ['bytes=-', undefined],
  ['bytes=0-1,4-5', undefined],
  ['lines=1-2', undefined],
])('range %j of ten bytes is %j', (header, expected) => {
  expect(parseRange(header, 10)).toEqual(expected)
})

test('file addresses are found wherever they stand, each once', () => {
  const id = '0b0f8f2e-3a53-4f53-8c0a-0123456789ab'
  const text = `<img src="/daoyuan/api/end/files/${id}"> /daoyuan/api/end/files/${id}?download=1 /daoyuan/api/end/files/short`
  expect(fileIdsIn(text)).toEqual([id])
})
