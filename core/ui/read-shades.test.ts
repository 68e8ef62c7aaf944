import { create } from 'qrcode'
import { expect, test } from 'vitest'
import { readShades } from './read-shades.ts'

const [PAPER, INK] = [250, 10]

/** A picture of dark and light places, each some dots wide, with the empty edge that codes need. */
function drawn(rows: readonly (readonly boolean[])[], dot: number, edge: number): [Uint8ClampedArray, number, number] {
  const [width, height] = [((rows[0]?.length ?? 0) + 2 * edge) * dot, (rows.length + 2 * edge) * dot]
  const shades = new Uint8ClampedArray(width * height).fill(PAPER)
  rows.forEach((row, y) => row.forEach((dark, x) => {
    if (!dark) return
    for (let line = 0; line < dot; line++) shades.fill(INK, ((y + edge) * dot + line) * width + (x + edge) * dot, ((y + edge) * dot + line) * width + (x + edge + 1) * dot)
  }))
  return [shades, width, height]
}

function qr(text: string): boolean[][] {
  const { modules: { size, data } } = create(text)
  return Array.from({ length: size }, (_row, y) => Array.from({ length: size }, (_cell, x) => data[y * size + x] === 1))
}

/** The bars of a book's number (ISO/IEC 15420). */
function ean13(digits: string): boolean[] {
  const L = ['0001101', '0011001', '0010011', '0111101', '0100011', '0110001', '0101111', '0111011', '0110111', '0001011']
  const PARITY = ['LLLLLL', 'LLGLGG', 'LLGGLG', 'LLGGGL', 'LGLLGG', 'LGGLLG', 'LGGGLL', 'LGLGLG', 'LGLGGL', 'LGGLGL']
  const flip = (bits: string) => Array.from(bits, (bit) => (bit === '1' ? '0' : '1')).join('')
  const left = Array.from(digits.slice(1, 7), (digit, at) => { const bits = L[Number(digit)] ?? ''; return PARITY[Number(digits[0])]?.[at] === 'G' ? [...flip(bits)].reverse().join('') : bits })
  const right = Array.from(digits.slice(7), (digit) => flip(L[Number(digit)] ?? ''))
  return Array.from(`101${left.join('')}01010${right.join('')}101`, (bit) => bit === '1')
}

test('a QR code and the bars of a book are read, upside down too; a wrong check digit is a misreading', () => {
  expect(readShades(...drawn(qr('K260001A7'), 5, 4))).toBe('K260001A7')
  const lines = (digits: string) => Array.from({ length: 40 }, () => ean13(digits))
  expect(readShades(...drawn(lines('9787303234561'), 3, 12))).toBe('9787303234561')
  expect(readShades(...drawn(lines('9787303234561').map((row) => row.toReversed()), 3, 12))).toBe('9787303234561')
  expect(readShades(...drawn(lines('9787303234562'), 3, 12))).toBeUndefined()
})

test('a picture without a code says nothing', () => {
  expect(readShades(new Uint8ClampedArray(320 * 240).fill(PAPER), 320, 240)).toBeUndefined()
  expect(readShades(Uint8ClampedArray.from({ length: 320 * 240 }, (_dot, at) => (at * 7919) % 256), 320, 240)).toBeUndefined()
})
