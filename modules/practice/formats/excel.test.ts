import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { answerLetters, emptyContent, NO_ANALYSIS, NO_FACTS, type Question } from '../content/question.ts'
import { inlineDoc, plainDoc, plainText } from '../content/rich-doc.ts'
import { readQuestions } from '../import/read-file.server.ts'
import { writeQuestionSheet } from './excel.server.ts'

const folder = mkdtempSync(join(tmpdir(), 'sheet-'))
afterAll(() => rmSync(folder, { recursive: true }))

const one: Question = {
  ...emptyContent(1), ...NO_FACTS, category: '单选题', stem: inlineDoc(['设 ', { t: 'tex', tex: 'x^2=4' }, '，则', { t: 'paren' }]), options: ['甲', '乙'].map((text, index) => ({ id: `o${index + 1}`, doc: plainDoc(text) })), option_layout: 2,
  answer: { k: 'one', ok: 'o2' }, analysis: { ...NO_ANALYSIS, solution: plainDoc('开方。') }, score: 5, subject: '数学', labels: [['代数', '方程']], source_years: [2021], exam_region: '浙江', difficulty: 4,
}

test('rows are written and read again; what does not fit is named', async () => {
  const { bytes, notes } = await writeQuestionSheet([one, { ...one, type: 6, children: [one] }])
  expect(notes).toEqual(['第 2 题（无题号）有小题，Excel 一行放不下，没有导出'])
  const path = join(folder, 'a.xlsx')
  writeFileSync(path, bytes)
  const { parsed, mapping } = await readQuestions(path, 'a.xlsx', null)
  expect(mapping?.fields).toMatchObject({ stem: ['题干'], answer: ['正确答案'], options: ['选项A', '选项B'] })
  expect(parsed.items).toHaveLength(1)
  const [item] = parsed.items
  expect(item?.warnings).toEqual([])
  expect(item?.question).toMatchObject({ type: 1, score: 5, subject: '数学', labels: [['代数', '方程']], source_years: [2021], exam_region: '浙江', difficulty: 4 })
  expect(item?.question?.stem).toEqual(one.stem)
  expect(item?.question && answerLetters(item.question)).toBe('B')
  expect(plainText(item?.question?.analysis.solution ?? null)).toBe('开方。')
})
