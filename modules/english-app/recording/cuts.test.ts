import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clipOf, loudnessOf, RATE, wavOf } from './clip.ts'
import { insertAt, join, LEAST, levelsOf, matched, moveEnd, piecesOf, split, suggestSilence, type Piece } from './cuts.ts'

/** Words spoken into a room that is not quite silent. */
function spoken(words: number, { say = 0.5, pause = 0.6, voice = 0.4, noise = 0.002 } = {}): Float32Array {
  const samples = new Float32Array(Math.round(RATE * (pause + words * (say + pause))))
  for (const at of samples.keys()) {
    const seconds = at / RATE
    const within = (seconds - pause) % (say + pause)
    const loud = seconds >= pause && within < say ? voice : noise
    samples[at] = loud * Math.sin(2 * Math.PI * 220 * seconds) * (loud === voice ? 0.6 + 0.4 * Math.sin(2 * Math.PI * 5 * within) : 1)
  }
  return samples
}

describe('where somebody speaks', () => {
  test.each([[1, {}], [12, {}], [12, { pause: 0.25 }], [20, { say: 0.9, pause: 1.2 }], [8, { voice: 0.03, noise: 0.001 }], [8, { voice: 0.5, noise: 0.05 }]])('%i words are found whatever the room: %o', (words, room) => {
    const levels = levelsOf(spoken(words, room), RATE)
    const pieces = piecesOf(levels, suggestSilence(levels, words))
    expect(pieces).toHaveLength(words)
    const { say = 0.5, pause = 0.6 } = room as { say?: number; pause?: number }
    for (const [at, { from, to }] of pieces.entries()) {
      expect(Math.abs(from - (pause + at * (say + pause)))).toBeLessThan(0.12)
      expect(Math.abs(to - (pause + at * (say + pause) + say))).toBeLessThan(0.12)
    }
  })

  test('silence has none, and a click is no word', () => {
    expect(piecesOf(levelsOf(new Float32Array(RATE), RATE), { threshold: -40, gap: 0.3 })).toEqual([])
    const click = new Float32Array(RATE)
    click.fill(0.9, 4800, 4900)
    expect(piecesOf(levelsOf(click, RATE), { threshold: -40, gap: 0.3 })).toEqual([])
  })
})

describe('pieces', () => {
  const LENGTH = 10
  const edit = fc.oneof(
    fc.record({ do: fc.constantFrom('from' as const, 'to' as const), at: fc.nat(9), to: fc.double({ min: -5, max: 15, noNaN: true }) }),
    fc.record({ do: fc.constantFrom('split' as const, 'join' as const, 'add' as const), at: fc.nat(9), to: fc.double({ min: 0, max: LENGTH, noNaN: true }) }),
  )

  test('stay in order, apart and inside the recording, whatever people do', () => {
    fc.assert(fc.property(fc.array(edit, { maxLength: 40 }), (edits) => {
      let pieces: Piece[] = [{ key: 'a', from: 1, to: 2 }, { key: 'b', from: 2.5, to: 3 }, { key: 'c', from: 5, to: 9 }]
      for (const [nth, { do: way, at, to }] of edits.entries()) {
        const key = pieces[at % pieces.length]?.key ?? ''
        pieces = way === 'split' ? split(pieces, key, to, `s${nth}`) : way === 'join' ? join(pieces, key) : way === 'add' ? insertAt(pieces, to, LENGTH, `n${nth}`) ?? pieces : moveEnd(pieces, key, way, to, LENGTH)
        expect(new Set(pieces.map((one) => one.key)).size).toBe(pieces.length)
        for (const [place, one] of pieces.entries()) {
          expect(one.from).toBeGreaterThanOrEqual(pieces[place - 1]?.to ?? 0)
          expect(one.to - one.from).toBeGreaterThan(LEAST - 0.002)
          expect(one.to).toBeLessThanOrEqual(LENGTH)
        }
      }
    }))
  })

  test('are given to words in their order, past words that were not read', () => {
    const pieces: Piece[] = [{ key: 'a', from: 0, to: 1 }, { key: 'b', from: 1, to: 2 }]
    const words = [{ id: 1 }, { id: 2 }, { id: 3 }]
    expect(matched(pieces, words, new Set()).map(({ piece }) => piece?.key)).toEqual(['a', 'b', undefined])
    expect(matched(pieces, words, new Set([1])).map(({ piece }) => piece?.key)).toEqual([undefined, 'a', 'b'])
  })
})

describe('a piece of its own', () => {
  test('is as loud as every other, never over full scale, and comes and goes without a click', () => {
    for (const voice of [0.05, 0.2, 0.8]) {
      const clip = clipOf(spoken(1, { voice, pause: 0.1, say: 0.8 }), RATE, { from: 0.1, to: 0.9 })
      expect(clip.length).toBe(Math.round(0.8 * RATE))
      expect(Math.abs(loudnessOf(clip, RATE) + 16)).toBeLessThan(0.3)
      expect(Math.max(...clip.map(Math.abs))).toBeLessThan(0.9)
      expect(Math.abs(clip[0] ?? 1)).toBeLessThan(0.01)
    }
    expect(clipOf(new Float32Array(RATE), RATE, { from: 0, to: 0.5 }).every((one) => one === 0)).toBe(true)
  })

  test('is measured as the standard says: a full sine of 997 Hz is -3.01 LUFS', () => {
    expect(loudnessOf(Float32Array.from({ length: 48_000 }, (_, at) => Math.sin(2 * Math.PI * 997 * at / 48_000)), 48_000)).toBeCloseTo(-3.01, 1)
  })

  test('is a file of one channel that says its length', () => {
    const wav = wavOf(new Float32Array([0, 1, -1, 2]), RATE)
    const view = new DataView(wav.buffer)
    expect([String.fromCharCode(...wav.slice(0, 4)), view.getUint32(24, true), view.getUint32(40, true), wav.length]).toEqual(['RIFF', RATE, 8, 52])
    expect([view.getInt16(46, true), view.getInt16(48, true), view.getInt16(50, true)]).toEqual([32_767, -32_767, 32_767])
  })
})
