import type { Line } from './print-page.ts'

/** What of the library reads text; it is compiled in, but not among its types. */
export interface TextModule {
  readonly HEAPF32: Float32Array
  readonly HEAP32: Int32Array
  readonly wasmExports: { readonly malloc: (size: number) => number; readonly free: (pointer: number) => void }
  _FPDFText_LoadPage(page: number): number
  _FPDFText_ClosePage(text: number): void
  _FPDFText_CountChars(text: number): number
  _FPDFText_GetUnicode(text: number, index: number): number
  _FPDFText_GetLooseCharBox(text: number, index: number, rect: number): number
  _FPDF_PageToDevice(page: number, x: number, y: number, width: number, height: number, rotate: number, pageX: number, pageY: number, deviceX: number, deviceY: number): number
}

/** Parts of a page's side in which places are asked for. */
const UNITS = 100_000
/** Letters of a page that are read: more is a drawing made of letters. */
const MOST_LETTERS = 20_000
/** A gap of so many heights ends a line: the next column begins. */
const GAP = 2.5
const round = (share: number) => Math.round(share * 10_000) / 10_000

interface Letter { readonly t: string; readonly left: number; readonly right: number; readonly top: number; readonly bottom: number }

const closed = (letters: readonly Letter[]): Line[] => {
  const t = letters.map((one) => one.t).join('').trim()
  if (t === '') return []
  const [left, right] = [Math.min(...letters.map((one) => one.left)), Math.max(...letters.map((one) => one.right))]
  const [top, bottom] = [Math.min(...letters.map((one) => one.top)), Math.max(...letters.map((one) => one.bottom))]
  return [{ t, x: round(left), y: round(top), w: round(right - left), h: round(bottom - top) }]
}

/** Lines of a page's text in shares of the page, as the file puts them. */
export function readLines(module: TextModule, page: number): Line[] {
  const text = module._FPDFText_LoadPage(page)
  if (text === 0) return []
  const box = module.wasmExports.malloc(4 * 4 + 2 * 4)
  try {
    const device = box + 16
    /** Place on the page as it is seen, whatever it is cut to and turned by. */
    const seen = (x: number, y: number): [number, number] => {
      module._FPDF_PageToDevice(page, 0, 0, UNITS, UNITS, 0, x, y, device, device + 4)
      return [(module.HEAP32[device / 4] ?? 0) / UNITS, (module.HEAP32[device / 4 + 1] ?? 0) / UNITS]
    }
    const lines: Line[] = []
    let line: Letter[] = []
    const end = () => {
      lines.push(...closed(line))
      line = []
    }
    const count = Math.min(module._FPDFText_CountChars(text), MOST_LETTERS)
    for (let index = 0; index < count; index++) {
      const unicode = module._FPDFText_GetUnicode(text, index)
      if (unicode === 10 || unicode === 13) {
        end()
        continue
      }
      if (unicode < 32 || (unicode >= 0xd800 && unicode <= 0xdfff) || unicode > 0x10ffff) continue
      const t = String.fromCodePoint(unicode)
      if (module._FPDFText_GetLooseCharBox(text, index, box) === 0) continue
      const [left = 0, top = 0, right = 0, bottom = 0] = module.HEAPF32.subarray(box / 4, box / 4 + 4)
      const [[ax, ay], [bx, by]] = [seen(left, top), seen(right, bottom)]
      const letter = { t, left: Math.max(0, Math.min(ax, bx)), right: Math.min(1, Math.max(ax, bx)), top: Math.max(0, Math.min(ay, by)), bottom: Math.min(1, Math.max(ay, by)) }
      // What is not on the paper is not printed.
      if (letter.left >= 1 || letter.top >= 1 || letter.right <= 0 || letter.bottom <= 0) continue
      const before = line.at(-1)
      if (t.trim() === '') {
        if (before) line.push({ ...before, t: ' ' })
        continue
      }
      if (before && (letter.left - before.right > GAP * Math.max(letter.bottom - letter.top, before.bottom - before.top) || letter.right < before.left)) end()
      line.push(letter)
    }
    end()
    return lines
  } finally {
    module.wasmExports.free(box)
    module._FPDFText_ClosePage(text)
  }
}
