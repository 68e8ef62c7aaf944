/** A long recording cut into words: where somebody speaks, and pieces that are moved, split and joined. Pure; times in seconds. */

/** A piece of the recording. */
export interface Piece {
  readonly key: string
  readonly from: number
  readonly to: number
}

/** What counts as silence: how loud it may be in dB, and how long it lasts at least. */
export interface Silence {
  readonly threshold: number
  readonly gap: number
}

/** Length of what is measured at once. */
export const FRAME = 0.01
/** Below this nothing is heard. */
export const QUIET = -80
/** The shortest piece: a click is shorter. */
export const LEAST = 0.06
/** What is kept before and behind a word, so that neither its first nor its last consonant is lost. */
const PAD = 0.06
/** Gaps that are tried, the most usual first. */
const GAPS = [0.3, 0.25, 0.4, 0.2, 0.5, 0.6, 0.8, 1, 0.15]
/** Thresholds that are tried, as shares of the way from the room's noise to the voice. */
const SHARES = [0.35, 0.3, 0.4, 0.25, 0.45, 0.2, 0.5, 0.6]

const round = (seconds: number) => Math.round(seconds * 1000) / 1000

/** How loud each frame is, in dB of full scale. */
export function levelsOf(samples: Float32Array, rate: number): Float32Array {
  const size = Math.max(1, Math.round(rate * FRAME))
  const levels = new Float32Array(Math.ceil(samples.length / size))
  for (let frame = 0; frame < levels.length; frame += 1) {
    const end = Math.min(samples.length, (frame + 1) * size)
    let sum = 0
    for (let at = frame * size; at < end; at += 1) sum += (samples[at] ?? 0) ** 2
    levels[frame] = Math.max(QUIET, 10 * Math.log10(sum / Math.max(1, end - frame * size) + 1e-12))
  }
  return levels
}

/** Where somebody speaks, each with a little of the silence around it. */
export function piecesOf(levels: Float32Array, { threshold, gap }: Silence): Piece[] {
  const heard: { from: number; to: number }[] = []
  for (const [frame, level] of levels.entries()) {
    if (level < threshold) continue
    const last = heard.at(-1)
    if (last && (frame - last.to) * FRAME < gap) last.to = frame + 1
    else heard.push({ from: frame, to: frame + 1 })
  }
  const spoken = heard.filter(({ from, to }) => (to - from) * FRAME >= LEAST)
  return spoken.map(({ from, to }, at) => {
    const [before, after] = [spoken[at - 1]?.to, spoken[at + 1]?.from]
    const room = (frames: number | undefined) => Math.min(PAD, (frames ?? Number.POSITIVE_INFINITY) * FRAME / 2)
    return { key: String(at + 1), from: round(Math.max(0, from * FRAME - room(before === undefined ? undefined : from - before))), to: round(Math.min(levels.length * FRAME, to * FRAME + room(after === undefined ? undefined : after - to))) }
  })
}

/** What silence is in this recording, so that as many pieces are found as there are words; no value fits every room. */
export function suggestSilence(levels: Float32Array, count: number): Silence {
  const sorted = Float32Array.from(levels).sort()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? QUIET
  const [noise, voice] = [at(0.1), at(0.95)]
  let best: { off: number; silence: Silence } | undefined
  for (const gap of GAPS) {
    for (const share of SHARES) {
      const silence = { threshold: Math.round(noise + share * (voice - noise)), gap }
      const off = Math.abs(piecesOf(levels, silence).length - count)
      if (!best || off < best.off) best = { off, silence }
      if (off === 0) return silence
    }
  }
  return best?.silence ?? { threshold: -40, gap: 0.3 }
}

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value))

/** Moves one end of a piece: not beyond its neighbours, nor so far that nothing is left. */
export function moveEnd(pieces: readonly Piece[], key: string, end: 'from' | 'to', to: number, length: number): Piece[] {
  return pieces.map((piece, at) => {
    if (piece.key !== key) return piece
    const moved = end === 'from' ? clamp(to, pieces[at - 1]?.to ?? 0, piece.to - LEAST) : clamp(to, piece.from + LEAST, pieces[at + 1]?.from ?? length)
    return { ...piece, [end]: round(moved) }
  })
}

/** Cuts a piece in two at a time; in its middle where that is not inside it. */
export function split(pieces: readonly Piece[], key: string, at: number, made: string): Piece[] {
  return pieces.flatMap((piece) => {
    if (piece.key !== key || piece.to - piece.from < 2 * LEAST) return [piece]
    const cut = round(at >= piece.from + LEAST && at <= piece.to - LEAST ? at : (piece.from + piece.to) / 2)
    return [{ ...piece, to: cut }, { key: made, from: cut, to: piece.to }]
  })
}

/** Joins a piece with the one behind it. */
export function join(pieces: readonly Piece[], key: string): Piece[] {
  const at = pieces.findIndex((piece) => piece.key === key)
  const next = pieces[at + 1]
  return at < 0 || !next ? [...pieces] : pieces.flatMap((piece, place) => (place === at ? [{ ...piece, to: next.to }] : place === at + 1 ? [] : [piece]))
}

/** Length of a piece that is put where none was found. */
const NEW_PIECE = 0.6

/** Puts a piece where there is none; undefined where there is no room. */
export function insertAt(pieces: readonly Piece[], at: number, length: number, made: string): Piece[] | undefined {
  if (pieces.some(({ from, to }) => at >= from && at < to)) return undefined
  const place = pieces.findIndex(({ from }) => from > at)
  const next = place < 0 ? pieces.length : place
  const [low, high] = [pieces[next - 1]?.to ?? 0, pieces[next]?.from ?? length]
  if (high - low < LEAST) return undefined
  const from = round(clamp(at - NEW_PIECE / 2, low, Math.max(low, high - NEW_PIECE)))
  return pieces.toSpliced(next, 0, { key: made, from, to: round(Math.min(high, from + NEW_PIECE)) })
}

/** Which piece belongs to which word, in the order of both; words that are left out have none. */
export function matched<Word extends { readonly id: number }>(pieces: readonly Piece[], words: readonly Word[], left: ReadonlySet<number>): readonly { readonly word: Word; readonly piece: Piece | undefined }[] {
  let nth = 0
  return words.map((word) => ({ word, piece: left.has(word.id) ? undefined : pieces[nth++] }))
}
