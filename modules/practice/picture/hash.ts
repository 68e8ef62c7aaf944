/**
 * What a picture looks like, in 64 bits: pHash (Zauner 2010), which says of the 8 × 8 slowest waves of a picture's cosine
 * transform whether each is stronger than the middle one. Two things differ from the published one, because our pictures
 * are thin lines on white: it looks at more pixels, and its waves are neither even nor odd.
 */

/** Side of the square of grey pixels that a hash is made from. The published 32 leaves so little of a thin line that rounding decides some bits. */
export const SIDE = 64
/** Waves in each direction. */
const WAVES = 8
/** Half of the waves of an empty sheet, scanned, are weaker than this; those of one thin line across a large picture are not. */
const BLANK = 40
/** Bits in which copies differ at most. */
const SAME = 8

/** Hashes by the ids of the files; what has none is not in it. */
export type PictureHashes = ReadonlyMap<string, string>

// A cosine wave is even or odd about the middle, and what is symmetrical has nothing of the odd ones: noise would decide, and
// a circle at half its size differ from itself in 18 bits. Shifted by an eighth of its length a wave is neither.
const COSINES = Array.from({ length: WAVES }, (_, wave) => Array.from({ length: SIDE }, (_, at) => Math.cos(Math.PI * (((2 * at + 1) * (wave + 1)) / (2 * SIDE) + 1 / 4))))
const line = Array.from({ length: SIDE }, (_, at) => at)
const product = (cosines: readonly number[], value: (at: number) => number) => cosines.reduce((sum, cosine, at) => sum + cosine * value(at), 0)
const pieces = (text: string, length: number) => Array.from({ length: text.length / length }, (_, at) => text.slice(at * length, (at + 1) * length))
const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length / 2] ?? 0

/**
 * The hash of a picture, as 16 hexadecimal digits.
 * @param grey SIDE × SIDE pixels, row by row
 * @returns null for a picture with nothing on it
 */
export function hashOf(grey: Uint8Array): string | null {
  const mean = grey.reduce((sum, pixel) => sum + pixel, 0) / grey.length
  const waves = COSINES.flatMap((across) => {
    const rows = line.map((y) => product(across, (x) => (grey[y * SIDE + x] ?? 0) - mean))
    return COSINES.map((down) => product(down, (y) => rows[y] ?? 0))
  })
  if (median(waves.map(Math.abs)) < BLANK) return null
  const middle = median(waves)
  const bits = waves.map((wave) => (wave < middle ? '0' : '1')).join('')
  return pieces(bits, 4).map((four) => Number.parseInt(four, 2).toString(16)).join('')
}

/** The four parts of a hash: copies that differ in up to three bits, and most others, have one of them in common. */
export const partsOf = (hash: string) => pieces(hash, 4)

/** Whether two hashes are those of copies of one picture, however they were scaled and compressed. */
export function isSamePicture(one: string, other: string): boolean {
  const others = partsOf(other)
  let differing = 0
  for (const [at, part] of partsOf(one).entries()) {
    for (let bits = Number.parseInt(part, 16) ^ Number.parseInt(others[at] ?? '', 16); bits !== 0; bits &= bits - 1) differing++
  }
  return differing <= SAME
}

/**
 * Whether two questions show the same pictures. What has no hash says nothing.
 * @returns undefined when one of them shows more than the other, or none that can be compared
 */
export function comparePictures(one: readonly string[], other: readonly string[]): 'same' | 'different' | undefined {
  const isAlone = (hash: string, among: readonly string[]) => !among.some((twin) => isSamePicture(hash, twin))
  const [left, right] = [one.some((hash) => isAlone(hash, other)), other.some((hash) => isAlone(hash, one))]
  if (left && right) return 'different'
  return left || right || one.length === 0 ? undefined : 'same'
}
