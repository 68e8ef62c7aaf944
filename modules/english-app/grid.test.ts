import { expect, test } from 'vitest'
import { cellsOf, doubles, EMPTY_ROW, fillDown, paste, readRow, type GridRow } from './grid.ts'

const row = (values: Partial<GridRow>): GridRow => ({ ...EMPTY_ROW, ...values })

test('a piece of a sheet is put in from its first cell, without its headings, and a free row stays below', () => {
  const pasted = paste([EMPTY_ROW], { row: 0, column: 'headword' }, '单词\t词性\t释义\nruler\tn.\t尺子\npencil\tn.\t铅笔\n')
  expect(pasted).toEqual([row({ headword: 'ruler', pos: 'n.', cn: '尺子' }), row({ headword: 'pencil', pos: 'n.', cn: '铅笔' }), EMPTY_ROW])
  expect(paste(pasted, { row: 1, column: 'cn' }, '钢笔\tpen')[1]).toMatchObject({ headword: 'pencil', cn: '钢笔', uk: 'pen' })
  expect(cellsOf('"two\nlines"\tb')).toEqual([['two lines', 'b']])
})

test('a value is filled down to rows that hold a word', () => {
  const rows = [row({ headword: 'red', level: '会写' }), row({ headword: 'blue' }), EMPTY_ROW]
  expect(fillDown(rows, { row: 0, column: 'level' }).map(({ level }) => level)).toEqual(['会写', '会写', ''])
})

test('a row is read as it is sent, or its first fault is named', () => {
  expect(readRow(row({ headword: 'cat', pos: 'n', cn: '猫', level: '会写', uk: '/kæt/', sentence: 'I have a cat.' }))).toEqual({ word: { headword: 'cat', pos: 'n', cn: '猫', level: 2, uk: 'kæt', sentence: 'I have a cat.', sentence_cn: '' } })
  expect(readRow(row({ headword: '猫', cn: '猫' }))).toEqual({ problem: '单词应为英文' })
  expect(readRow(row({ headword: 'cat' }))).toEqual({ problem: '请填写释义' })
  expect(readRow(row({ headword: 'cat', cn: '猫', pos: 'x' }))).toEqual({ problem: '没有「x」这个词性' })
  expect(readRow(row({ headword: 'cat', cn: '猫', uk: 'kXt' }))).toEqual({ problem: '「X」不是 48 个音标中的符号' })
  expect(readRow(row({ headword: 'cat', cn: '猫', sentence: 'I have a dog.' }))).toEqual({ problem: '例句中没有「cat」或它的词形' })
})

test('words that stand twice are found however they are written', () => {
  expect([...doubles([row({ headword: 'Cat' }), row({ headword: 'dog' }), row({ headword: 'cat ' })])]).toEqual([2])
})

test('a thousand pasted words are there within a second', () => {
  const text = Array.from({ length: 1000 }, (_, at) => `word${'abcdefghij'[at % 10]}\tn\t词${at}`).join('\n')
  const begin = performance.now()
  expect(paste([EMPTY_ROW], { row: 0, column: 'headword' }, text)).toHaveLength(1001)
  expect(performance.now() - begin).toBeLessThan(1000)
})
