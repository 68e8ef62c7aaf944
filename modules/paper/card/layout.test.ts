import { expect, test } from 'vitest'
import type { Slot } from '../print/slots.ts'
import { CARD_SHEETS, pageMarks, type Box } from './geometry.ts'
import { layoutCard, type CardPaper } from './layout.ts'

const letters = (from: number, count: number, several = 4): Slot[] => Array.from({ length: count }, (_, at) => ({ kind: 'letters', number: String(from + at), score: 5, letters: several }))
const box = (number: number, score: number, essay?: 'squares' | 'ruled'): Slot => ({ kind: 'box', number: String(number), score, height: 60, ...(essay && { essay }) })
const MATHS: CardPaper = { name: '高三数学模拟考试', sections: [
  { heading: '一、单选题', slots: letters(1, 8) }, { heading: '二、多选题', slots: letters(9, 3) },
  { heading: '三、填空题', slots: [12, 13, 14].map((number) => ({ kind: 'lines', number: String(number), score: 5, lines: 1 })) },
  { heading: '四、解答题', slots: [13, 15, 15, 17, 17].map((score, at) => box(15 + at, score)) },
] }
const CHINESE: CardPaper = { name: '高三语文模拟考试', sections: [
  { heading: '一、现代文阅读', slots: [...letters(1, 5), box(6, 4), box(7, 6), box(8, 6)] }, { heading: '二、古诗文阅读', slots: [...letters(9, 4), box(13, 8), box(14, 6), { kind: 'lines', number: '15', score: 6, lines: 6 }] },
  { heading: '三、语言文字运用', slots: [...letters(16, 3), box(19, 5), box(20, 6)] }, { heading: '四、写作', slots: [box(21, 60, 'squares')] },
] }
const ENGLISH: CardPaper = { name: '高三英语模拟考试', sections: [{ heading: '一、听力', slots: letters(1, 20, 3) }, { heading: '二、阅读', slots: [...letters(21, 15), ...letters(36, 5, 7)] }, { heading: '三、完形填空', slots: letters(41, 15) }, { heading: '四、写作', slots: [box(66, 15, 'ruled'), box(67, 25, 'ruled')] }] }

const PAPERS = { 数学: MATHS, 语文: CHINESE, 英语: ENGLISH }
const apart = (a: Box, b: Box) => a.x + a.w <= b.x + 0.02 || b.x + b.w <= a.x + 0.02 || a.y + a.h <= b.y + 0.02 || b.y + b.h <= a.y + 0.02

test.each(Object.entries(PAPERS).flatMap(([name, paper]) => CARD_SHEETS.flatMap(({ value }) => (['number', 'barcode'] as const).map((person) => [name, value, person, paper] as const))))('%s on %s with %s: two pages at most, nothing over the edge or over something else', (_name, sheet, person, paper) => {
  const layout = layoutCard(paper, { sheet, person, digits: 10 })
  // A thousand squares and the boxes of a Chinese paper are more than two sides of A4.
  expect(layout.pages.length).toBeLessThanOrEqual(paper === CHINESE && sheet === 'a4' ? 3 : 2)
  const slots = paper.sections.flatMap((section) => section.slots)
  for (const [at, slot] of slots.entries()) {
    const bubbles = layout.pages.flatMap((page) => page.bubbles.filter(({ field, index }) => field === 'choice' && index === at))
    const areas = layout.pages.flatMap((page) => page.areas.filter(({ question }) => question === at))
    expect(bubbles.length).toBe(slot.kind === 'letters' ? slot.letters : 0)
    expect(areas.length).toBeGreaterThanOrEqual(slot.kind === 'letters' ? 0 : 1)
  }
  for (const page of layout.pages) {
    const marks = pageMarks(layout).map(({ x, y, side }) => ({ x: x - side / 2 - 1, y: y - side / 2 - 1, w: side + 2, h: side + 2 }))
    const own: Box[] = [...page.bubbles, ...page.areas]
    for (const one of own) {
      expect(one.x >= 14 && one.y >= 16 && one.x + one.w <= layout.width - 14 && one.y + one.h <= layout.height - 16, JSON.stringify(one)).toBe(true)
      for (const mark of marks) expect(apart(one, mark)).toBe(true)
    }
    for (const [at, one] of own.entries()) for (const other of own.slice(at + 1)) expect(apart(one, other), `${JSON.stringify(one)} ${JSON.stringify(other)}`).toBe(true)
  }
})

test('an essay has a square for each character, counted, and goes on in the next column', () => {
  const { pages } = layoutCard(CHINESE, { sheet: 'a4', person: 'number', digits: 8 })
  const counted = pages.flatMap(({ texts }) => texts.filter(({ text }) => text.startsWith('▲')).map(({ text }) => text))
  expect(counted).toEqual(Array.from({ length: counted.length }, (_, at) => `▲${(at + 1) * 100}字`))
  expect(counted.length).toBeGreaterThanOrEqual(8)
})

test('a card without room says nothing outside of its frames', () => {
  for (const { value } of CARD_SHEETS) {
    for (const digits of [4, 8, 12]) {
      const [page] = layoutCard(MATHS, { sheet: value, person: 'number', digits }).pages
      const notes = page!.texts.find(({ text }) => text === '注 意 事 项')!
      const frame = page!.frames.find((one) => one.x === notes.x && one.y === notes.y)!
      const rules = page!.texts.filter(({ x, y, size }) => x > frame.x && x < frame.x + 2 && y > frame.y && size < 9.6 && y < frame.y + frame.h + 8).filter(({ text }) => !text.startsWith('填涂'))
      expect(Math.max(...rules.map(({ y, h }) => y + h))).toBeLessThanOrEqual(frame.y + frame.h)
    }
  }
})
