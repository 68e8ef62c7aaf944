/** What a picture says above what it shows. */
interface Head { readonly title: string; readonly lines: readonly string[] }

/** Pixels. A picture is as wide as a phone shows without turning, twice as fine. */
const WIDTH = 960
const EDGE = 24
const ROW = 36
const BAR_NAME = 200
const BAR_WORDS = 120
/** Letters of a column that decide how wide it is. */
const COUNTED_ROWS = 20
const FONT = "'Noto Sans CJK SC','Source Han Sans SC','PingFang SC','Microsoft YaHei','WenQuanYi Micro Hei','Noto Sans SC',sans-serif"
const COLORS = { ground: '#ffffff', head: '#f5f6f8', line: '#e4e7ec', text: '#1d2129', soft: '#5b6470', bar: '#0b6bcb' }

// Letters that XML cannot hold are left out.
const escape = (text: string) => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '').replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

/** How wide a text is, in letters of Chinese; the others are about half as wide. */
const widthOf = (text: string) => [...text].reduce((sum, letter) => sum + (letter.charCodeAt(0) < 0x2e80 ? 0.56 : 1), 0)

/** A text in one line, cut where it does not fit. @param room pixels @param size of its letters */
export function fitted(text: string, room: number, size: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (widthOf(line) * size <= room) return line
  let cut = ''
  for (const letter of line) {
    if (widthOf(`${cut}${letter}…`) * size > room) break
    cut += letter
  }
  return `${cut}…`
}

interface Words { readonly x: number; readonly y: number; readonly size?: number; readonly bold?: boolean; readonly color?: string; readonly end?: boolean }

const words = (text: string, { x, y, size = 14, bold = false, color = COLORS.text, end = false }: Words) =>
  `<text x="${x}" y="${y}" font-size="${size}" fill="${color}"${bold ? ' font-weight="600"' : ''}${end ? ' text-anchor="end"' : ''}>${escape(text)}</text>`

function page({ title, lines }: Head, height: number, content: (top: number) => string): string {
  const top = EDGE + 32 + lines.length * 22 + 12
  const whole = top + height + EDGE
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${whole}" viewBox="0 0 ${WIDTH} ${whole}" font-family="${FONT}"><rect width="100%" height="100%" fill="${COLORS.ground}"/>${
    words(fitted(title, WIDTH - 2 * EDGE, 20), { x: EDGE, y: EDGE + 20, size: 20, bold: true })}${
    lines.map((line, at) => words(fitted(line, WIDTH - 2 * EDGE, 14), { x: EDGE, y: EDGE + 48 + at * 22, color: COLORS.soft })).join('')}${content(top)}</svg>`
}

const NONE = '没有符合条件的记录'
const none = (top: number) => words(NONE, { x: EDGE + 10, y: top + 23, color: COLORS.soft })

/** Rows as a table: each column as wide as what it holds, as far as there is room for all of them. */
export function tablePicture(head: Head, columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const room = WIDTH - 2 * EDGE
  const wanted = columns.map((label, at) => Math.min(320, Math.max(...[label, ...rows.slice(0, COUNTED_ROWS).map((row) => row[at] ?? '')].map(widthOf)) * 14 + 24))
  const sum = wanted.reduce((all, one) => all + one, 0)
  const widths = wanted.map((one) => (one * room) / Math.max(1, sum))
  const starts = widths.map((_width, at) => EDGE + widths.slice(0, at).reduce((all, one) => all + one, 0))
  return page(head, (Math.max(1, rows.length) + 1) * ROW, (top) => {
    const line = (cells: readonly string[], n: number, bold: boolean) => cells.map((text, at) => words(fitted(text, (widths[at] ?? 0) - 20, 14), { x: Math.round((starts[at] ?? 0) + 10), y: top + n * ROW + 23, bold, ...(bold && { color: COLORS.soft }) })).join('')
    const rules = rows.map((_row, n) => `<rect x="${EDGE}" y="${top + (n + 1) * ROW}" width="${room}" height="1" fill="${COLORS.line}"/>`).join('')
    return `<rect x="${EDGE}" y="${top}" width="${room}" height="${ROW}" fill="${COLORS.head}"/>${line(columns, 0, true)}${rows.length === 0 ? none(top + ROW) : rows.map((row, n) => line(row, n + 1, false)).join('')}${rules}`
  })
}

/** One value of what is counted. */
export interface Bar { readonly name: string; readonly value: number; readonly words: string }

/** Values as bars, one below the other, each with its number. */
export function barsPicture(head: Head, bars: readonly Bar[]): string {
  const most = Math.max(1, ...bars.map(({ value }) => value))
  const room = WIDTH - 2 * EDGE - BAR_NAME - BAR_WORDS
  return page(head, Math.max(1, bars.length) * ROW, (top) => (bars.length === 0 ? none(top) : bars.map(({ name, value, words: said }, n) => {
    const y = top + n * ROW
    const width = Math.round((Math.max(0, value) / most) * room)
    return `${words(fitted(name, BAR_NAME - 16, 14), { x: EDGE, y: y + 23 })}<rect x="${EDGE + BAR_NAME}" y="${y + 8}" width="${Math.max(width, value > 0 ? 2 : 0)}" height="20" rx="2" fill="${COLORS.bar}"/>${words(said, { x: WIDTH - EDGE, y: y + 23, end: true, bold: true })}`
  }).join('')))
}
