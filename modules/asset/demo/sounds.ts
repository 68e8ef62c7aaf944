import { waveFile } from '../../../core/setup/wave.ts'

/** Samples of a second: clicks need no more. */
const RATE = 8000
/** Length of each sound, in seconds. */
const SECONDS = 6
/** Length of a click, in seconds, and its pitch, in hertz; the first of four is higher. */
const CLICK = 0.03
const [PITCH, FIRST] = [880, 1320]

/**
 * A metronome as a WAV file of 8 bits.
 * @param beats of a minute
 */
export function metronome(beats: number): Buffer {
  const samples = Buffer.alloc(RATE * SECONDS, 128)
  for (let beat = 0; (beat * 60) / beats < SECONDS; beat++) {
    const start = Math.round(((beat * 60) / beats) * RATE)
    for (let i = 0; i < CLICK * RATE && start + i < samples.length; i++) {
      const fading = 1 - i / (CLICK * RATE)
      samples[start + i] = 128 + Math.round(100 * fading * Math.sin((2 * Math.PI * (beat % 4 === 0 ? FIRST : PITCH) * i) / RATE))
    }
  }
  return waveFile(samples, RATE)
}
