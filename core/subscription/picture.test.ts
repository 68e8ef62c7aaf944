import sharp from 'sharp'
import { expect, test } from 'vitest'
import { barsPicture, fitted, tablePicture } from './picture.ts'
import { drawsChinese, toPng } from './picture.server.ts'

test('a text is one line, and is cut where it does not fit', () => {
  expect(fitted('苏州启航\n教育', 200, 14)).toBe('苏州启航 教育')
  expect(fitted('苏州启航教育科技有限公司', 70, 14)).toBe('苏州启航…')
  expect(fitted('', 70, 14)).toBe('')
})

test('whatever stands in a cell is drawn as words, never as drawing', async () => {
  const odd = '<image href="file:///etc/passwd"/>&"\'\u0000\ud800\u{1F600}'
  const svg = tablePicture({ title: odd, lines: [odd] }, [odd], [[odd]])
  expect(svg).not.toMatch(/<image|\u0000/)
  expect(svg.match(/<text/g)).toHaveLength(4)
  expect((await sharp(await toPng(svg)).metadata()).format).toBe('png')
})

test('bars are as long as their values, and nothing is said in words', async () => {
  const svg = barsPicture({ title: '学生', lines: [] }, [{ name: '七年级', value: 10, words: '10' }, { name: '八年级', value: 5, words: '5' }, { name: '九年级', value: -3, words: '-3' }])
  expect([...svg.matchAll(/width="(\d+)" height="20"/g)].map(([, width]) => Number(width))).toEqual([592, 296, 0])
  expect(barsPicture({ title: '学生', lines: [] }, [])).toContain('没有符合条件的记录')
  expect(tablePicture({ title: '学生', lines: [] }, ['姓名'], [])).toContain('没有符合条件的记录')
})

test('a machine is asked whether it can draw Chinese', async () => {
  expect(await drawsChinese()).toBe(true)
})
