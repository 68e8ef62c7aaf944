/** Pictures and sounds of the demo. No voice can be made here: words of the demo are heard as two notes. */
import { waveFile } from '../../core/setup/wave.ts'
import type { Region } from './region.ts'

const COLOURS: Readonly<Record<string, string>> = { red: '#d9363e', green: '#3c9a4e', yellow: '#f2c230', blue: '#2f6fb5', black: '#222', brown: '#7a4b2a', white: '#fff', orange: '#ef8a2b' }
const NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

const card = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="240" viewBox="0 0 240 240"><rect width="240" height="240" rx="16" fill="#eef2f6"/>${inside}</svg>\n`

/** Simple things that a few lines draw. */
const THINGS: Readonly<Record<string, string>> = {
  ruler: '<rect x="30" y="100" width="180" height="40" fill="#f2c230" stroke="#7a5c00" stroke-width="4"/><path d="M60 100v16M90 100v22M120 100v16M150 100v22M180 100v16" stroke="#7a5c00" stroke-width="4"/>',
  pencil: '<path d="M50 170 160 60l24 24L74 194l-34 10z" fill="#f2c230" stroke="#7a5c00" stroke-width="4"/>',
  book: '<path d="M120 70c-30-20-60-20-80-10v110c20-10 50-10 80 10 30-20 60-20 80-10V60c-20-10-50-10-80 10z" fill="#fff" stroke="#2f6fb5" stroke-width="6"/><path d="M120 70v110" stroke="#2f6fb5" stroke-width="4"/>',
  ball: '<circle cx="120" cy="120" r="70" fill="#ef8a2b" stroke="#7a3d00" stroke-width="5"/><path d="M50 120h140M120 50v140" stroke="#7a3d00" stroke-width="5"/>',
  apple: '<circle cx="100" cy="130" r="50" fill="#d9363e"/><circle cx="140" cy="130" r="50" fill="#d9363e"/><path d="M120 90c0-20 8-34 20-40" stroke="#5b3a1a" stroke-width="8" fill="none"/>',
  box: '<path d="M50 90h140v100H50z" fill="#c79a63" stroke="#6b4a20" stroke-width="5"/><path d="M50 90l20-30h100l20 30" fill="#e0bb8a" stroke="#6b4a20" stroke-width="5"/>',
  door: '<rect x="75" y="40" width="90" height="160" fill="#a9703a" stroke="#5b3a1a" stroke-width="5"/><circle cx="150" cy="125" r="6" fill="#f2c230"/>',
  kite: '<path d="M120 30l60 70-60 80-60-80z" fill="#3c9a4e" stroke="#1d5a2a" stroke-width="5"/><path d="M120 180c10 15-10 20 0 35" stroke="#1d5a2a" stroke-width="4" fill="none"/>',
}

/** A picture of a word; undefined where a few lines do not draw it. */
export function wordPicture(headword: string): string | undefined {
  const colour = COLOURS[headword]
  if (colour !== undefined) return card(`<circle cx="120" cy="120" r="80" fill="${colour}" stroke="#b8c2cc" stroke-width="3"/>`)
  const count = NUMBERS.indexOf(headword) + 1
  if (count > 0) return card(Array.from({ length: count }, (_, at) => `<circle cx="${40 + (at % 5) * 40}" cy="${90 + Math.floor(at / 5) * 60}" r="15" fill="#2f6fb5"/>`).join(''))
  const thing = THINGS[headword]
  return thing === undefined ? undefined : card(thing)
}

const RATE = 8000
/** Length of two notes, in seconds. */
const SECONDS = 0.6
const [COLUMNS, WIDTH, HEIGHT] = [3, 900, 640]

/** Where the nth word of a page stands, in shares of it. */
const place = (at: number) => ({ x: 0.06 + (at % COLUMNS) * 0.31, y: 0.2 + Math.floor(at / COLUMNS) * 0.19, w: 0.27, h: 0.15 })

/** A page of a textbook: the words of its unit in boxes. */
export function pagePicture(title: string, words: readonly { readonly headword: string; readonly cn: string }[]): string {
  const boxes = words.map(({ headword, cn }, at) => {
    const { x, y, w, h } = place(at)
    return `<g transform="translate(${x * WIDTH} ${y * HEIGHT})"><rect width="${w * WIDTH}" height="${h * HEIGHT}" rx="12" fill="#fff" stroke="#2f6fb5" stroke-width="2"/><text x="20" y="42" font-size="28" fill="#1a212b">${headword}</text><text x="20" y="76" font-size="20" fill="#5e6978">${cn}</text></g>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="Arial, 'Noto Sans CJK SC', sans-serif"><rect width="${WIDTH}" height="${HEIGHT}" fill="#fdf6e3"/><text x="54" y="84" font-size="40" font-weight="600" fill="#2f6fb5">${title}</text>${boxes.join('')}</svg>\n`
}

/** The regions of such a page. @param heard how many of them have their piece of the recording */
export const pageRegions = (words: readonly { readonly headword: string }[], heard: number): Region[] =>
  words.map(({ headword }, at) => ({ key: `w${at}`, ...place(at), text: headword, from: at < heard ? at * SECONDS : null, to: at < heard ? (at + 1) * SECONDS : null }))

/** Two notes as a WAV file of 8 bits. @param times how often they are heard */
export function chime(first: number, second: number, times = 1): Buffer {
  const one = notes(first, second)
  return waveFile(Buffer.concat(Array.from({ length: times }, () => one)), RATE)
}

function notes(first: number, second: number): Buffer {
  const samples = Buffer.alloc(Math.round(RATE * SECONDS), 128)
  for (let at = 0; at < samples.length; at++) {
    const pitch = at < samples.length / 2 ? first : second
    samples[at] = 128 + Math.round(80 * (1 - at / samples.length) * Math.sin((2 * Math.PI * pitch * at) / RATE))
  }
  return samples
}
