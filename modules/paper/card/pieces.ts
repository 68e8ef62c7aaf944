/** What every card has: who writes, how it is filled in, and the places for letters. */
import type { SlotOf } from '../print/slots.ts'
import type { Area, Box, Bubble, CardPage, CardText } from './geometry.ts'
import type { CardOptions } from './layout.ts'

/** A page while it is drawn. */
export interface Draft extends CardPage {
  readonly frames: CardPage['frames'][number][]
  readonly lines: CardPage['lines'][number][]
  readonly texts: CardText[]
  readonly bubbles: Bubble[]
  readonly areas: Area[]
  readonly solids: Box[]
  person: Box | null
}
export const blankPage = (no: number): Draft => ({ no, frames: [], lines: [], texts: [], bubbles: [], areas: [], solids: [], person: null })

/** A place to fill in, and from one to the next. */
const BUBBLE = { w: 4.6, h: 2.6, across: 6.2, down: 5 }
const DIGIT_DOWN = 4.5
/** Questions below each other. */
const BLOCK = 5
const NUMBER_WIDTH = 8
const BLOCK_GAP = 5
const FRAME_AIR = 2.5

const TITLE = 16
const PANE = 62
const BARCODE = { w: 74, h: 34 }

/** Height of what says who writes, on the first page. */
export const HEADER = TITLE + PANE
/** Height of the line that says the same on further pages. */
export const PAGE_HEAD = 15

/** Breaks words into lines of so many full characters; letters and digits take half. */
export function wrap(text: string, most: number): string[] {
  const lines: string[] = []
  let line = ''
  let length = 0
  for (const sign of text) {
    const wide = /[\u0020-\u007e]/.test(sign) ? 0.55 : 1
    // A line does not begin with what ends a clause.
    if (length + wide > most && line !== '' && !/[，。、；：！？）]/.test(sign)) {
      lines.push(line)
      line = ''
      length = 0
    }
    line += sign
    length += wide
  }
  return line === '' ? lines : [...lines, line]
}

/** Millimetres of a point. */
export const POINT = 25.4 / 72

function bubble(page: Draft, centre: { x: number; y: number }, field: Bubble['field'], index: number, value: string): void {
  page.bubbles.push({ x: centre.x - BUBBLE.w / 2, y: centre.y - BUBBLE.h / 2, w: BUBBLE.w, h: BUBBLE.h, field, index, value })
}

/** From line to line, in heights of letters. */
const LEADING = 1.45
/** Sizes of the notes: the largest that has room. */
const NOTE_SIZES = [9.5, 9, 8.5, 8, 7.5, 7, 6.5, 6, 5.5, 5] as const

/** Words in lines that fit. */
function paragraph(page: Draft, { x, y, w }: Box, text: string, size: number): number {
  const step = size * POINT * LEADING
  const lines = wrap(text, w / (size * POINT))
  lines.forEach((line, at) => page.texts.push({ x, y: y + at * step, w, h: step, text: line, size, align: 'left' }))
  return lines.length * step
}

const RULES = [
  '1．答题前，考生先将自己的姓名、班级、考场、座号填写清楚，并认真核对条形码上的信息或填涂考号。',
  '2．选择题必须使用 2B 铅笔填涂；非选择题必须使用 0.5 毫米黑色字迹签字笔书写，字体工整、笔迹清晰。',
  '3．请按题号顺序在各题目的答题区域内作答，超出答题区域书写的答案无效；在草稿纸、试题卷上答题无效。',
  '4．保持卡面清洁，不折叠、不破损，不得污染四周的黑色定位块。',
] as const

/** Digits to fill in, or the place for the barcode. */
function drawPerson(page: Draft, { x, y, w }: Box, { person, digits }: CardOptions): void {
  if (person === 'barcode') {
    const box = { x, y, w, h: BARCODE.h }
    page.frames.push({ ...box, dashed: true })
    page.texts.push({ ...box, text: '贴 条 形 码 区', size: 14, align: 'center' }, { ...box, y: y + BARCODE.h - 9, h: 7, text: '（正面朝上，切勿贴出虚线方框）', size: 8, align: 'center' })
    page.person = box
    return
  }
  const height = PANE - 2
  page.frames.push({ x, y, w, h: height })
  page.texts.push({ x, y, w, h: 6, text: '考　号', size: 10.5, align: 'center', bold: true })
  page.lines.push([{ x, y: y + 6 }, { x: x + w, y: y + 6 }], [{ x, y: y + 14 }, { x: x + w, y: y + 14 }])
  const step = w / digits
  for (let at = 0; at < digits; at++) {
    if (at > 0) page.lines.push([{ x: x + at * step, y: y + 6 }, { x: x + at * step, y: y + height }])
    for (let digit = 0; digit <= 9; digit++) bubble(page, { x: x + (at + 0.5) * step, y: y + 17 + digit * DIGIT_DOWN }, 'number', at, String(digit))
  }
  page.person = { x, y, w, h: height }
}

/** The head of the first page: title, who writes, what to heed, how to fill in. */
export function drawHeader(page: Draft, { x, y, w }: Box, name: string, options: CardOptions): void {
  const size = Math.max(9, Math.min(16, Math.floor(w / POINT / Math.max(name.length, 1))))
  page.texts.push({ x, y: y - 1, w, h: 8, text: name, size, align: 'center', bold: true }, { x, y: y + 7, w, h: 8, text: '答　题　卡', size: 15, align: 'center', bold: true })
  const top = y + TITLE
  const right = options.person === 'barcode' ? Math.min(BARCODE.w, w * 0.5) : options.digits * BUBBLE.across + 2
  const left = w - right - 3
  drawPerson(page, { x: x + left + 3, y: top, w: right, h: PANE }, options)
  const field = (at: number, row: number, label: string) => {
    const own = { x: x + (at * left) / 2, y: top + row * 8, w: left / 2, h: 8 }
    page.texts.push({ ...own, text: label, size: 10, align: 'left' })
    page.lines.push([{ x: own.x + 10, y: own.y + 6.5 }, { x: own.x + own.w - 3, y: own.y + 6.5 }])
  }
  field(0, 0, '姓名')
  field(1, 0, '班级')
  field(0, 1, '考场')
  field(1, 1, '座号')
  const notes = { x, y: top + 17.5, w: left, h: PANE - 2 - 17.5 - 11.5 }
  page.frames.push(notes)
  page.texts.push({ ...notes, h: 5.2, text: '注 意 事 项', size: 8.5, align: 'center', bold: true })
  const high = (points: number) => RULES.reduce((sum, rule) => sum + wrap(rule, (left - 5) / (points * POINT)).length, 0) * points * POINT * LEADING
  const small = NOTE_SIZES.find((points) => high(points) <= notes.h - 6.5) ?? NOTE_SIZES[NOTE_SIZES.length - 1] ?? 5
  let line = notes.y + 5.4
  for (const rule of RULES) line += paragraph(page, { x: x + 1.5, y: line, w: left - 5, h: 0 }, rule, small)
  const low = { x, y: top + PANE - 2 - 10, w: left, h: 10 }
  page.frames.push(low)
  const middle = low.y + 5
  const narrow = left < 90
  page.texts.push({ x: x + 1.5, y: low.y, w: 24, h: 10, text: narrow ? '填涂样例' : '填涂样例　正确填涂', size: narrow ? 6.5 : 8, align: 'left' })
  const sample = x + (narrow ? 12 : 30)
  page.solids.push({ x: sample, y: middle - BUBBLE.h / 2, w: BUBBLE.w, h: BUBBLE.h })
  if (!narrow) {
    page.texts.push({ x: sample + 8, y: low.y, w: 18, h: 10, text: '错误填涂', size: 8, align: 'left' })
    const wrong = ['✓', '×', '○', '－'] as const
    wrong.forEach((sign, at) => {
      const own = { x: sample + 22 + at * 6.4, y: middle - BUBBLE.h / 2, w: BUBBLE.w, h: BUBBLE.h }
      // Short of room there are fewer examples: what stands at the right is needed.
      if (own.x + own.w > x + left - 42) return
      page.frames.push(own)
      page.texts.push({ ...own, text: sign, size: 7, align: 'center' })
    })
  }
  const end = x + left
  page.texts.push({ x: end - (narrow ? 38 : 44), y: low.y, w: narrow ? 30 : 35, h: 10, text: narrow ? '缺考（监考填涂）' : '缺考标记（监考员填涂）', size: narrow ? 6.5 : 8, align: 'right' })
  bubble(page, { x: end - 4.5, y: middle }, 'absent', 0, '缺')
  if (options.person === 'barcode') {
    const own = { x: x + left + 3, y: top + BARCODE.h + 3, w: right, h: PANE - 2 - BARCODE.h - 3 }
    page.frames.push(own)
    page.texts.push({ ...own, h: 8, text: '考　号', size: 10, align: 'center' })
    page.lines.push([{ x: own.x + 5, y: own.y + own.h - 5 }, { x: own.x + own.w - 5, y: own.y + own.h - 5 }])
  }
}

/** The head of a further page: its last digits are filled in once more, so that no page goes to somebody else. */
export function drawPageHead(page: Draft, { x, y, w }: Box, name: string, { person }: CardOptions): void {
  const digits = person === 'number' ? 13 + 10 * BUBBLE.across : 0
  page.frames.push({ x, y, w, h: PAGE_HEAD - 2 })
  page.texts.push({ x: x + 2, y, w: w - digits - 4, h: 6, text: name.slice(0, Math.floor((w - digits) / 3.2)), size: 8, align: 'left' })
  page.texts.push({ x: x + 2, y: y + 5.5, w: 20, h: 7, text: '姓名', size: 9, align: 'left' })
  page.lines.push([{ x: x + 11, y: y + 11.2 }, { x: x + w - digits - 4, y: y + 11.2 }])
  page.person = { x, y, w, h: PAGE_HEAD - 2 }
  if (person === 'barcode') return
  const left = x + w - digits
  for (const [text, top, h] of [['考号倒数', 0.4, 3.4], ['第二位', 3.2, 3.4], ['考号末位', 7.2, 5]] as const) page.texts.push({ x: left, y: y + top, w: 12, h, text, size: 6.5, align: 'left' })
  for (let place = 0; place < 2; place++) for (let digit = 0; digit <= 9; digit++) bubble(page, { x: left + 14 + digit * BUBBLE.across, y: y + 3.6 + place * 5.8 }, 'check', place, String(digit))
}

/** Blocks of letters that stand in one frame. */
export interface ChoiceGroup {
  readonly height: number
  draw(page: Draft, box: Box): void
}

/** Between two rows of blocks. */
const ROW_GAP = 2
const BLOCK_ROW = BLOCK * BUBBLE.down + ROW_GAP

/**
 * Blocks of five questions, side by side as far as the column goes.
 * @param most height of a frame; what does not fit stands in another one
 */
export function choiceGroup(letters: readonly (readonly [SlotOf<'letters'>, number])[], width: number, most: number): ChoiceGroup[] {
  const room = width - FRAME_AIR * 2
  const rows: { blocks: { left: number; questions: typeof letters }[]; used: number }[] = []
  for (let at = 0; at < letters.length; at += BLOCK) {
    const questions = letters.slice(at, at + BLOCK)
    const wide = NUMBER_WIDTH + Math.max(...questions.map(([slot]) => slot.letters)) * BUBBLE.across
    const last = rows.at(-1)
    if (last && last.used + BLOCK_GAP + wide <= room) {
      last.blocks.push({ left: last.used + BLOCK_GAP, questions })
      last.used += BLOCK_GAP + wide
    } else rows.push({ blocks: [{ left: 0, questions }], used: wide })
  }
  const fit = Math.max(1, Math.floor((most - FRAME_AIR * 2) / BLOCK_ROW))
  return Array.from({ length: Math.ceil(rows.length / fit) }, (_, group) => {
    const own = rows.slice(group * fit, (group + 1) * fit)
    // A row of few questions is as high as they are.
    const heights = own.map(({ blocks }) => Math.max(...blocks.map(({ questions }) => questions.length)) * BUBBLE.down)
    return {
      height: heights.reduce((sum, height) => sum + height + ROW_GAP, -ROW_GAP) + FRAME_AIR * 2,
      draw(page, { x, y, w, h }) {
        page.frames.push({ x, y, w, h })
        own.forEach(({ blocks }, row) => {
          const top = y + FRAME_AIR + heights.slice(0, row).reduce((sum, height) => sum + height + ROW_GAP, 0)
          for (const { left, questions } of blocks) {
            questions.forEach(([slot, question], line) => {
              const [start, middle] = [x + FRAME_AIR + left, top + (line + 0.5) * BUBBLE.down]
              page.texts.push({ x: start, y: middle - 2.5, w: NUMBER_WIDTH - 1.2, h: 5, text: slot.number, size: slot.number.length > 4 ? 5.5 : 8.5, align: 'right' })
              for (let letter = 0; letter < slot.letters; letter++) bubble(page, { x: start + NUMBER_WIDTH + (letter + 0.5) * BUBBLE.across, y: middle }, 'choice', question, String.fromCodePoint(65 + letter))
            })
          }
        })
      },
    }
  })
}
