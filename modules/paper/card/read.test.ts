import { expect, test } from 'vitest'
import type { Slot } from '../print/slots.ts'
import { damage, drawCard, seeded, type Damage, type Stroke } from './card-testing.ts'
import { CARD_SHEETS, decodePage, encodePage } from './geometry.ts'
import { layoutCard, type CardOptions, type CardPaper } from './layout.ts'
import { marksOf, numberOf, readBubbles } from './read.ts'
import { registerPage } from './register.ts'

const choices = (from: number, count: number, letters = 4): Slot[] => Array.from({ length: count }, (_, at) => ({ kind: 'letters', number: String(from + at), score: 5, letters }))
const PAPER: CardPaper = { name: '高二年级第一学期期中考试数学试卷', sections: [
  { heading: '一、单选题（本题共40小题）', slots: choices(1, 40) },
  { heading: '二、多选题（本题共10小题）', slots: choices(41, 10) },
  { heading: '三、填空题', slots: [{ kind: 'lines', number: '51', score: 5, lines: 1 }, { kind: 'lines', number: '52', score: 5, lines: 1 }] },
  { heading: '四、解答题', slots: [{ kind: 'box', number: '53', score: 12, height: 60 }] },
] }
const several = (question: number) => question >= 40

/** One candidate: what is drawn, and what is therefore true. */
function candidate(options: CardOptions, random: () => number) {
  const layout = layoutCard(PAPER, options)
  const page = layout.pages[0]!
  // A hand is firm or faint in all of its strokes; what was erased is a shadow of them.
  const hand = 0.42 + random() * 0.5
  const groups = Map.groupBy(page.bubbles, ({ field, index }) => `${field} ${index}`)
  const truth = new Map<string, string>()
  const strokes: Stroke[] = []
  for (const [key, bubbles] of groups) {
    const [field, index] = key.split(' ')
    const many = field === 'choice' && several(Number(index))
    const wanted = field === 'absent' ? [] : many
      ? bubbles.filter(() => random() < 0.5)
      : field === 'choice' && random() < 0.03 ? [] : [bubbles[Math.floor(random() * bubbles.length)]!]
    truth.set(key, wanted.map(({ value }) => value).join(''))
    for (const bubble of wanted) strokes.push({ bubble, strength: Math.min(0.95, hand * (0.85 + random() * 0.3)), cover: 0.62 + random() * 0.38, off: random() * 0.35 })
    for (const bubble of bubbles) {
      if (wanted.includes(bubble) || random() > 0.04) continue
      strokes.push({ bubble, strength: hand * (0.04 + random() * 0.1), cover: 0.9, off: random() * 0.2 })
    }
  }
  return { layout, page, truth, strokes }
}

/** Reads a page and counts what was said of it. */
function count(options: CardOptions, damaged: (random: () => number) => Damage, seed: number) {
  const random = seeded(seed)
  const { layout, page, truth, strokes } = candidate(options, random)
  const format = CARD_SHEETS.find(({ value }) => value === options.sheet)!.format
  const image = damage(drawCard(layout, page, 4711 + seed, format, strokes, 6, random), damaged(random), random)
  const found = registerPage(image)
  if (!found) return { registered: false, marks: 0, wrong: 0, doubtful: 0, groups: 0 }
  expect([found.card, found.page]).toEqual([4711 + seed, 1])
  const marks = marksOf(readBubbles(image, page, found.map, found.black), several)
  const wrong = marks.filter(({ field, index, values, doubtful }) => !doubtful && values.join('') !== truth.get(`${field} ${index}`))
  return { registered: true, marks: page.bubbles.length, wrong: wrong.length, doubtful: marks.filter(({ doubtful }) => doubtful).length, groups: marks.length }
}

const A4: CardOptions = { sheet: 'a4', person: 'number', digits: 8 }
const KINDS: Readonly<Record<string, readonly [options: CardOptions, pages: number, damaged: (random: () => number) => Damage]>> = {
  'a scanner, the right way up or not': [A4, 16, (random) => ({ turn: (random() < 0.5 ? 0 : 180) + (random() - 0.5) * 4, perspective: 0.002, scale: 1, blur: 0.6, noise: 4, shade: 0.05, ground: 252 })],
  'any angle': [A4, 10, (random) => ({ turn: random() * 360, perspective: 0.002, scale: 1, blur: 0.6, noise: 5, shade: 0.1, ground: random() < 0.5 ? 252 : 90 })],
  'a scanner of 130 dpi, blurred': [A4, 8, (random) => ({ turn: (random() - 0.5) * 6, perspective: 0.002, scale: 0.85, blur: 1.2, noise: 8, shade: 0.1, ground: 252 })],
  'a telephone: from aside, in a shadow': [A4, 12, (random) => ({ turn: random() * 360, perspective: 0.02, scale: 0.95, blur: 1, noise: 7, shade: 0.45, ground: 60 + random() * 60 })],
  'A3 in two columns': [{ ...A4, sheet: 'a3' }, 5, (random) => ({ turn: 180 * Math.round(random()) + (random() - 0.5) * 3, perspective: 0.003, scale: 0.9, blur: 0.8, noise: 5, shade: 0.15, ground: 252 })],
}

test('marks are read without a mistake from pages that were turned, bent in perspective, blurred and shaded', () => {
  const total = { pages: 0, registered: 0, marks: 0, wrong: 0, doubtful: 0, groups: 0 }
  const lines: string[] = []
  for (const [kind, [options, pages, damaged]] of Object.entries(KINDS)) {
    const sum = { pages: 0, registered: 0, marks: 0, wrong: 0, doubtful: 0, groups: 0 }
    for (let seed = 1; seed <= pages; seed++) {
      const one = count(options, damaged, seed)
      sum.pages++
      sum.registered += Number(one.registered)
      for (const key of ['marks', 'wrong', 'doubtful', 'groups'] as const) sum[key] += one[key]
    }
    lines.push(`${kind}: ${JSON.stringify(sum)}`)
    for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += sum[key]
  }
  if (process.env['CARD_FIGURES']) process.stdout.write(`${[...lines, JSON.stringify(total)].join('\n')}\n`)
  expect(total.registered).toBe(total.pages)
  expect(total.marks).toBeGreaterThanOrEqual(10_000)
  expect(total.wrong).toBe(0)
  expect(total.doubtful / total.groups).toBeLessThanOrEqual(0.01)
}, 240_000)

test('page marks check themselves', () => {
  const bits = encodePage({ card: 70_001, page: 2, format: 1 })
  expect(decodePage(bits)).toEqual({ card: 70_001, page: 2, format: 1 })
  for (const at of bits.keys()) expect(decodePage(bits.map((bit, index) => (index === at ? 1 - bit : bit)))).toBeUndefined()
})

test('a picture without a card is none', () => {
  const random = seeded(3)
  expect(registerPage({ width: 400, height: 500, data: Uint8Array.from({ length: 200_000 }, () => random() * 255) })).toBeUndefined()
})

test('two answers to one question, none, and digits that are missing are not taken for certain', () => {
  const { page } = candidate(A4, seeded(1))
  const reading = (index: number, filled: string) => page.bubbles.filter((bubble) => bubble.field === 'choice' && bubble.index === index).map((bubble) => ({ bubble, ink: filled.includes(bubble.value) ? 2 : 0, state: filled.includes(bubble.value) ? 'filled' as const : 'empty' as const }))
  expect(marksOf(reading(0, 'AB'), several)).toMatchObject([{ values: ['A', 'B'], doubtful: true }])
  expect(marksOf(reading(0, ''), several)).toMatchObject([{ values: [], doubtful: false }])
  expect(marksOf(reading(41, 'AC'), several)).toMatchObject([{ values: ['A', 'C'], doubtful: false }])
  expect(numberOf([{ field: 'number', index: 1, values: [], confidence: 1, doubtful: true }, { field: 'number', index: 0, values: ['3'], confidence: 1, doubtful: false }])).toBe('3?')
})
