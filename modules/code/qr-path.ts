import { create } from 'qrcode'

/**
 * A QR code as one path of squares of one unit.
 * @returns the path, and the side of the whole in units, with the quiet zone of four that scanners ask for
 */
export function qrPath(text: string): { path: string; side: number } {
  // Q: a quarter of the label may be dirty.
  const { modules } = create(text, { errorCorrectionLevel: 'Q' })
  const QUIET = 4
  let path = ''
  for (let y = 0; y < modules.size; y++) {
    for (let x = 0; x < modules.size; x++) {
      if (!modules.get(y, x)) continue
      let width = 1
      while (x + width < modules.size && modules.get(y, x + width)) width++
      path += `M${x + QUIET} ${y + QUIET}h${width}v1h-${width}z`
      x += width - 1
    }
  }
  return { path, side: modules.size + 2 * QUIET }
}
