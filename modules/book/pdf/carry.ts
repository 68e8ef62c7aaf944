/** 对版: places of the pages before are found again on new ones by what is written there. Pure. */
import { within, type Hotspot } from '../hotspot.ts'
import { numberOf, type Line } from './print-page.ts'

export interface OldPage {
  readonly page_no: number
  readonly lines: readonly Line[]
  readonly spots: readonly Hotspot[]
  /** Width by height; null where nobody knows. */
  readonly aspect: number | null
}
export type NewPage = Omit<OldPage, 'spots'>

/** A place that was not found again, until somebody says what becomes of it. */
export interface Lost {
  readonly spot: Hotspot
  readonly from_page: number
  /** 1 placed by a person, 2 not needed any more, null undecided. */
  readonly done: 1 | 2 | null
}

/** Why a person has to look at a page. */
export const PAGE_NOTE = { none: 0, fresh: 1, byPlace: 2, moved: 3 } as const

export interface CarriedPage {
  readonly page_no: number
  readonly spots: Hotspot[]
  readonly from_page: number | null
  readonly note: number
}

/** Letters of the beginning and end of a place that are looked for: a short question has no more. */
const PROBE = 28
/** Share of three-letter pieces that are to be found in their order. */
const ENOUGH = 0.6
/** Letters that may have been put in or taken out in between. */
const SHIFT = 3
/** Least letters that say where something is. */
const LEAST = 4
/** Pages that are one page of two prints have at least so much in common. */
const SAME_PAGE = 0.12
/** A page is so much like the one before that a place without words stands where it stood. */
const NEARLY_SAME = 0.85
/** A place that went further than this share of the page is to be looked at. */
const FAR = 0.05

const plain = (text: string) => text.normalize('NFKC').replace(/\s+/g, '').toLowerCase()

/** Text of a page as one row of letters, with the line of each. */
interface Text { readonly page: NewPage; readonly letters: string; readonly lineOf: readonly number[]; readonly at: ReadonlyMap<string, readonly number[]> }

function textOf(page: NewPage): Text {
  let letters = ''
  const lineOf: number[] = []
  for (const [index, { t }] of page.lines.entries()) {
    const own = plain(t)
    letters += own
    for (let n = 0; n < own.length; n++) lineOf.push(index)
  }
  const at = new Map<string, number[]>()
  for (let n = 0; n + 3 <= letters.length; n++) {
    const piece = letters.slice(n, n + 3)
    const places = at.get(piece)
    if (places) places.push(n)
    else at.set(piece, [n])
  }
  return { page, letters, lineOf, at }
}

/** The line on which a probe begins and how sure that is, 0 to 1. Pieces vote for where it begins, so that some of them may have changed. */
function find(text: Text, probe: string): { line: number; sure: number } | undefined {
  const votes = new Map<number, number>()
  const pieces = Math.max(1, probe.length - 2)
  for (let n = 0; n + 3 <= probe.length; n++) for (const place of text.at.get(probe.slice(n, n + 3)) ?? []) votes.set(place - n, (votes.get(place - n) ?? 0) + 1)
  let best: { start: number; sure: number; count: number } | undefined
  for (const [start, count] of votes) {
    // A few letters more or less shift what follows.
    let near = count
    for (let by = 1; by <= SHIFT; by++) near += (votes.get(start - by) ?? 0) + (votes.get(start + by) ?? 0)
    const sure = Math.min(1, near / pieces)
    // Where most of them agree it begins.
    if (!best || sure > best.sure || (sure === best.sure && count > best.count)) best = { start, sure, count }
  }
  if (!best) return undefined
  return { line: text.lineOf[Math.max(0, best.start)] ?? 0, sure: best.sure }
}

/** How much two pages have in common: pieces of both by pieces of either; what stands on many pages says nothing. */
function likeness(before: readonly Text[], after: readonly Text[]): (i: number, j: number) => number {
  const spread = new Map<string, number>()
  for (const { at } of [...before, ...after]) for (const piece of at.keys()) spread.set(piece, (spread.get(piece) ?? 0) + 1)
  const most = Math.max(4, (before.length + after.length) / 8)
  const own = (text: Text) => new Set([...text.at.keys()].filter((piece) => (spread.get(piece) ?? 0) <= most))
  const [old, fresh] = [before.map(own), after.map(own)]
  const shared = new Map<string, number[]>()
  for (const [j, pieces] of fresh.entries()) for (const piece of pieces) shared.set(piece, [...(shared.get(piece) ?? []), j])
  const common = old.map((pieces) => {
    const row = new Float64Array(fresh.length)
    for (const piece of pieces) for (const j of shared.get(piece) ?? []) row[j] = (row[j] ?? 0) + 1
    return row
  })
  return (i, j) => {
    const both = common[i]?.[j] ?? 0
    const either = (old[i]?.size ?? 0) + (fresh[j]?.size ?? 0) - both
    return either === 0 ? 0 : both / either
  }
}

/** Which new page goes on from which before, in order: pages in between were put in, those left over were taken out. */
function align(count: number, fresh: number, like: (i: number, j: number) => number): Map<number, number> {
  const width = fresh + 1
  const sums = new Float64Array((count + 1) * width)
  const get = (i: number, j: number) => sums[i * width + j] ?? 0
  for (let i = 1; i <= count; i++) for (let j = 1; j <= fresh; j++) {
    const sim = like(i - 1, j - 1)
    sums[i * width + j] = Math.max(get(i - 1, j), get(i, j - 1), sim >= SAME_PAGE ? get(i - 1, j - 1) + sim : 0)
  }
  const pairs = new Map<number, number>()
  for (let i = count, j = fresh; i > 0 && j > 0;) {
    const sim = like(i - 1, j - 1)
    if (sim >= SAME_PAGE && get(i, j) === get(i - 1, j - 1) + sim) pairs.set(--i, --j)
    else if (get(i, j) === get(i - 1, j)) i--
    else j--
  }
  return pairs
}

/** Lines that belong to a place. */
const linesIn = ({ lines }: OldPage, { x, y, w, h }: Hotspot) => lines.filter((line) => line.x + line.w / 2 >= x && line.x + line.w / 2 <= x + w && line.y + line.h / 2 >= y && line.y + line.h / 2 <= y + h)

interface Put { readonly at: number; readonly spot: Hotspot; readonly note: number }

/** Where a place is on the pages of now: looked for on the page that goes on from its own, then around it, then everywhere. */
function put(page: OldPage, spot: Hotspot, home: number | undefined, near: number, texts: readonly Text[]): Put | undefined {
  const own = linesIn(page, spot)
  const words = plain(own.map(({ t }) => t).join(''))
  const [first, last] = [own[0], own.at(-1)]
  if (!first || !last || words.length < LEAST) return undefined
  const [head, tail] = [words.slice(0, PROBE), plain(last.t).slice(0, PROBE)]
  const around = texts.map((_, at) => at).sort((a, b) => Math.abs(a - (home ?? near)) - Math.abs(b - (home ?? near)))
  let best: { at: number; line: number; sure: number } | undefined
  for (const at of around) {
    const text = texts[at]
    const found = text && find(text, head)
    // Further away only what is clearly it.
    if (found && found.sure >= ENOUGH && found.sure > (best?.sure ?? 0) + (best ? 0.15 : 0)) best = { at, ...found }
    if (best && best.sure > 0.95) break
  }
  const text = best && texts[best.at]
  const start = text?.page.lines[best?.line ?? 0]
  if (!best || !text || !start) return undefined
  const end = own.length > 1 ? find(text, tail) : undefined
  const bottom = end && end.sure >= ENOUGH ? text.page.lines[end.line] : undefined
  const [x, y] = [spot.x + start.x - first.x, spot.y + start.y - first.y]
  const h = bottom && bottom.y > start.y ? bottom.y + bottom.h - (last.y + last.h - (spot.y + spot.h)) - y : spot.h
  const no = spot.no !== '' && numberOf(first.t) === spot.no ? numberOf(start.t) ?? spot.no : spot.no
  const went = Math.abs(y - spot.y) > FAR || Math.abs(x - spot.x) > FAR || best.at !== home || no !== spot.no
  return { at: best.at, spot: { ...spot, ...within({ x, y, w: spot.w, h }), no }, note: went ? PAGE_NOTE.moved : PAGE_NOTE.none }
}

/** Carries the places of the pages before over to those of now. What is not found is lost, for a person to decide. */
export function carry(before: readonly OldPage[], after: readonly NewPage[]): { pages: CarriedPage[]; lost: Lost[] } {
  const [old, texts] = [before.map(textOf), after.map(textOf)]
  const like = likeness(old, texts)
  const pairs = align(old.length, texts.length, like)
  const carried = after.map(({ page_no }) => ({ page_no, spots: [] as Hotspot[], from_page: null as number | null, note: PAGE_NOTE.none as number }))
  for (const [i, j] of pairs) {
    const target = carried[j]
    if (target) target.from_page = before[i]?.page_no ?? null
  }
  const lost: Lost[] = []
  for (const [i, page] of before.entries()) {
    const blank = old[i]?.letters.length === 0
    // A page without words goes on where one of its number and shape has none either.
    const twin = blank ? after.findIndex(({ page_no, aspect, lines }) => page_no === page.page_no && lines.length === 0 && (aspect === null || page.aspect === null || Math.abs(aspect / page.aspect - 1) < 0.02)) : -1
    const home = pairs.get(i) ?? (twin >= 0 ? twin : undefined)
    const behind = [...pairs].filter(([from]) => from < i).at(0)
    for (const spot of page.spots) {
      const stays = home !== undefined && (twin >= 0 || like(i, home) >= NEARLY_SAME)
      const found = put(page, spot, home, behind ? Math.min(after.length - 1, behind[1] + i - behind[0]) : i, texts) ?? (stays ? { at: home, spot, note: PAGE_NOTE.byPlace } : undefined)
      const target = found && carried[found.at]
      if (!found || !target) {
        lost.push({ spot, from_page: page.page_no, done: null })
        continue
      }
      target.spots.push(found.spot)
      target.from_page ??= page.page_no
      target.note = Math.max(target.note, found.note)
    }
  }
  for (const page of carried) if (page.from_page === null) page.note = PAGE_NOTE.fresh
  return { pages: carried, lost }
}
