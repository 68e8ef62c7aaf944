/** One piece of a recording as a file of its own: as loud as the others, without clicks at its ends. Pure. */

/** Samples per second of what is kept: speech has nothing above 12 kHz that a learner needs. */
export const RATE = 24_000
/** How loud every word is in LUFS, and how far its peak stays below full scale. */
const LOUDNESS = -16
const PEAK = 10 ** (-1 / 20)
/** Nothing is made louder than this: a breath would become a storm. */
const MOST_GAIN = 10 ** (24 / 20)
/** Time in which a piece comes and goes. */
const FADE = 0.005

interface Filter { readonly b: readonly [number, number, number]; readonly a: readonly [number, number, number] }

/** What an ear hears of high sounds: 4 dB more from 1.5 kHz on (ITU-R BS.1770, worked out for any rate). */
function highShelf(rate: number): Filter {
  const [gain, q, w] = [10 ** (4 / 40), 0.7072, 2 * Math.PI * 1500 / rate]
  const [cos, alpha] = [Math.cos(w), Math.sin(w) / (2 * q)]
  const root = 2 * Math.sqrt(gain) * alpha
  return {
    b: [gain * (gain + 1 + (gain - 1) * cos + root), -2 * gain * (gain - 1 + (gain + 1) * cos), gain * (gain + 1 + (gain - 1) * cos - root)],
    a: [gain + 1 - (gain - 1) * cos + root, 2 * (gain - 1 - (gain + 1) * cos), gain + 1 - (gain - 1) * cos - root],
  }
}

/** What an ear hears of low sounds: less and less below 38 Hz. */
function highPass(rate: number): Filter {
  const [q, w] = [0.5003, 2 * Math.PI * 38.1355 / rate]
  const [cos, alpha] = [Math.cos(w), Math.sin(w) / (2 * q)]
  return { b: [1 + alpha, -2 * (1 + alpha), 1 + alpha], a: [1 + alpha, -2 * cos, 1 - alpha] }
}

function filtered(samples: Float32Array, { b, a }: Filter): Float32Array {
  const out = new Float32Array(samples.length)
  let [x1, x2, y1, y2] = [0, 0, 0, 0]
  for (const [at, x] of samples.entries()) {
    const y = (b[0] * x + b[1] * x1 + b[2] * x2 - a[1] * y1 - a[2] * y2) / a[0]
    ;[x2, x1, y2, y1] = [x1, x, y1, y]
    out[at] = y
  }
  return out
}

/** How loud something is to the ear, in LUFS; a word is too short for gates. */
export function loudnessOf(samples: Float32Array, rate: number): number {
  const heard = filtered(filtered(samples, highShelf(rate)), highPass(rate))
  return -0.691 + 10 * Math.log10(heard.reduce((sum, one) => sum + one ** 2, 0) / Math.max(1, heard.length) + 1e-12)
}

/** A piece of the samples, brought to the loudness that all words have. */
export function clipOf(samples: Float32Array, rate: number, { from, to }: { readonly from: number; readonly to: number }): Float32Array {
  const clip = samples.slice(Math.round(from * rate), Math.round(to * rate))
  const peak = clip.reduce((most, one) => Math.max(most, Math.abs(one)), 0)
  if (peak === 0) return clip
  const gain = Math.min(10 ** ((LOUDNESS - loudnessOf(clip, rate)) / 20), PEAK / peak, MOST_GAIN)
  const fade = Math.min(Math.round(FADE * rate), Math.floor(clip.length / 2))
  return clip.map((one, at) => one * gain * Math.min(1, (at + 1) / fade, (clip.length - at) / fade))
}

/** Samples as a WAV file of one channel and 16 bits. */
export function wavOf(samples: Float32Array, rate: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(44 + samples.length * 2)
  const view = new DataView(bytes.buffer)
  const word = (at: number, text: string) => bytes.set(new TextEncoder().encode(text), at)
  word(0, 'RIFF')
  view.setUint32(4, 36 + samples.length * 2, true)
  word(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, rate, true)
  view.setUint32(28, rate * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  word(36, 'data')
  view.setUint32(40, samples.length * 2, true)
  for (const [at, one] of samples.entries()) view.setInt16(44 + at * 2, Math.round(Math.max(-1, Math.min(1, one)) * 32_767), true)
  return bytes
}
