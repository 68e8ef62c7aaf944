import { expect, test } from 'vitest'
import { BrokenJpeg, stripJpeg } from './jpeg.ts'
import { photograph } from '../testing/uploads.server.ts'

test('place, comment and what lies behind the picture are gone, the picture and its way up stay', () => {
  const before = photograph({ secret: 'GPS-SECRET', orientation: 6 })
  const after = Buffer.from(stripJpeg(before))
  expect(before.includes('GPS-SECRET')).toBe(true)
  expect(after.includes('GPS-SECRET')).toBe(false)
  expect(after.includes('JFIF')).toBe(true)
  expect(after.subarray(-9).toString('hex')).toBe('12ff0034ffd056ffd9')
  // The only entry that is left of the EXIF part: orientation 6.
  expect(after.toString('hex')).toContain('011200030000000100060000')
  expect(Buffer.from(stripJpeg(after)).equals(after)).toBe(true)
})

test('a picture that stands upright carries no EXIF at all', () => {
  expect(Buffer.from(stripJpeg(photograph({ orientation: 1 }))).includes('Exif')).toBe(false)
})

test('every cut of a picture is refused, none hangs', () => {
  const whole = photograph()
  const end = whole.indexOf(Buffer.from([0xff, 0xd9])) + 2
  for (let length = 0; length < end; length++) expect(() => stripJpeg(whole.subarray(0, length)), `${length} bytes`).toThrow(BrokenJpeg)
})
