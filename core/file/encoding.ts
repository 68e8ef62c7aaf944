/** Texts of two bytes for each character, as Windows programs save them. */

/** Bytes that are looked at. */
const LOOKED = 4096

/** Line feeds, spaces and figures; as the other half of a character they are rare in Chinese. */
const isPlain = (byte: number) => byte === 0x0a || byte === 0x0d || byte === 0x20 || (byte > 0x30 && byte <= 0x39)

/**
 * Which of the two orders the bytes have: by the mark at the beginning, or by the side on which line feeds, spaces and
 * figures have their zero.
 * @returns null for any other text
 */
export function wideEncoding(bytes: Uint8Array): 'utf-16be' | 'utf-16le' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  let [big, little] = [0, 0]
  for (let at = 0; at + 1 < Math.min(bytes.length, LOOKED); at += 2) {
    const [first = 0, second = 0] = bytes.subarray(at, at + 2)
    if (first === 0 && isPlain(second)) big++
    if (second === 0 && isPlain(first)) little++
  }
  return big > little ? 'utf-16be' : little > 0 ? 'utf-16le' : null
}
