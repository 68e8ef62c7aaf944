import { qrPath } from '../../code/door.server.ts'

const MM = 72 / 25.4

/** What stands on a page that a test draws; places in millimetres from its upper left corner. */
export interface DrawnPage {
  readonly lines: readonly { readonly text: string; readonly x: number; readonly y: number }[]
  readonly codes?: readonly { readonly text: string; readonly x: number; readonly y: number; readonly side: number }[]
}

/** Height of letters in points. */
const SIZE = 11

/** Draws pages of A4 as a PDF: Chinese text by a font that readers know, codes as squares. */
export function madePdf(pages: readonly DrawnPage[], { width = 210, height = 297 } = {}): Buffer {
  const objects: string[] = ['<< /Type /Catalog /Pages 2 0 R >>', `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, at) => `${6 + at * 2} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UTF16-H /DescendantFonts [4 0 R] >>',
    '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> /FontDescriptor 5 0 R /DW 1000 >>',
    '<< /Type /FontDescriptor /FontName /STSong-Light /Flags 4 /FontBBox [-25 -254 1000 880] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 880 /StemV 93 >>']
  for (const [at, { lines, codes = [] }] of pages.entries()) {
    const text = lines.map((line) => `BT /F1 ${SIZE} Tf ${(line.x * MM).toFixed(2)} ${((height - line.y) * MM - SIZE).toFixed(2)} Td <${Buffer.from(line.text, 'utf16le').swap16().toString('hex')}> Tj ET`)
    const squares = codes.map((code) => {
      const { path, side } = qrPath(code.text)
      const unit = (code.side * MM) / side
      const parts = [...path.matchAll(/M(\d+) (\d+)h(\d+)/g)].map(([, x, y, w]) => `${(code.x * MM + Number(x) * unit).toFixed(3)} ${((height - code.y) * MM - (Number(y) + 1) * unit).toFixed(3)} ${(Number(w) * unit).toFixed(3)} ${unit.toFixed(3)} re`)
      return `${parts.join('\n')} f`
    })
    const content = [...text, ...squares].join('\n')
    objects.push(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${(width * MM).toFixed(2)} ${(height * MM).toFixed(2)}] /Resources << /Font << /F1 3 0 R >> >> /Contents ${7 + at * 2} 0 R >>`, `<< /Length ${content.length} >>\nstream\n${content}\nendstream`)
  }
  const parts = ['%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n']
  const places: number[] = []
  let length = Buffer.byteLength(parts[0] ?? '', 'latin1')
  for (const [at, object] of objects.entries()) {
    places.push(length)
    const part = `${at + 1} 0 obj\n${object}\nendobj\n`
    parts.push(part)
    length += Buffer.byteLength(part, 'latin1')
  }
  parts.push(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`)
  return Buffer.from(parts.join(''), 'latin1')
}
