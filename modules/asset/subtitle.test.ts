import { expect, test } from 'vitest'
import { decodeSubtitle, readSubtitle, shiftLines, subtitleProblems, subtitlesSchema, writeVtt } from './subtitle.ts'

const SRT = '1\r\n00:00:01,000 --> 00:00:03,500\r\n同学们好\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\n第二行\r\n接着写\r\n'

test('SubRip becomes WebVTT with the same lines and times', () => {
  const lines = readSubtitle(SRT)
  expect(lines).toEqual([{ from: 1, to: 3.5, text: '同学们好' }, { from: 3, to: 4, text: '第二行\n接着写' }])
  expect(readSubtitle(writeVtt(lines))).toEqual(lines)
  expect(writeVtt(lines)).toMatch(/^WEBVTT\n\n00:00:01\.000 --> 00:00:03\.500\n同学们好/)
})

test('a subtitle in GB18030 is read like one in UTF-8', () => {
  // 你好 in GB18030.
  expect(decodeSubtitle(new Uint8Array([0xc4, 0xe3, 0xba, 0xc3]))).toBe('你好')
  expect(decodeSubtitle(new TextEncoder().encode('你好'))).toBe('你好')
})

test('lines that overlap, run past the end, end too early or go too fast are listed by number', () => {
  const lines = [{ from: 1, to: 3.5, text: '一' }, { from: 3, to: 4, text: '二' }, { from: 5, to: 5, text: '三' }, { from: 6, to: 7, text: '一二三四五六七八九十一二三' }, { from: 8, to: 20, text: '五' }]
  expect(subtitleProblems(lines, 10)).toEqual([
    { line: 2, words: '与第 1 行重叠' }, { line: 3, words: '结束不晚于开始' }, { line: 4, words: '每秒超过 12 个字' }, { line: 5, words: '超出视频结尾' },
  ])
  expect(subtitleProblems(lines.slice(0, 1))).toEqual([])
})

test('moving all lines drops what would lie before the beginning', () => {
  expect(shiftLines([{ from: 1, to: 2, text: '一' }, { from: 2, to: 5, text: '二' }], -3)).toEqual([{ from: 0, to: 2, text: '二' }])
})

test('one subtitle for each language', () => {
  const one = { lang: 'zh', url: '/daoyuan/api/end/files/00000000-0000-0000-0000-000000000000' }
  expect(subtitlesSchema.safeParse([one]).success).toBe(true)
  expect(subtitlesSchema.safeParse([one, one]).success).toBe(false)
  expect(subtitlesSchema.safeParse([{ ...one, url: 'https://example.com/a.vtt' }]).success).toBe(false)
})
