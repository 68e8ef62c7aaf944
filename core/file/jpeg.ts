/** Segments that tell about people and places: EXIF and XMP, several pictures in one file, IPTC, comments. */
const PRIVATE: Readonly<Record<number, (text: string) => boolean>> = {
  0xe1: () => true,
  0xe2: (text) => text.startsWith('MPF\0'),
  0xed: () => true,
  0xfe: () => true,
}

/** Markers that stand alone, without a length. */
const isBare = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)

/** Raised for bytes that are no complete JPEG picture. */
export class BrokenJpeg extends Error {}

/**
 * Takes out of a JPEG whatever is not the picture: where, when and with what it was taken, previews, and anything
 * behind its end. The way up is kept, because phones turn the picture by it; colour profiles too.
 * @throws BrokenJpeg when the bytes are not a complete JPEG
 */
export function stripJpeg(bytes: Uint8Array): Uint8Array {
  const kept: Uint8Array[] = []
  let orientation = 1
  let at = 0
  const need = (length: number) => {
    if (at + length > bytes.length) throw new BrokenJpeg()
  }
  need(4)
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) throw new BrokenJpeg()
  at = 2
  for (;;) {
    need(2)
    if (bytes[at] !== 0xff) throw new BrokenJpeg()
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      // Fill byte before a marker.
      at++
      continue
    }
    if (marker === 0xd9) break
    if (isBare(marker)) {
      kept.push(bytes.subarray(at, at + 2))
      at += 2
      continue
    }
    need(4)
    const end = at + 2 + (((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0))
    if (end < at + 4 || end > bytes.length) throw new BrokenJpeg()
    const body = bytes.subarray(at + 4, end)
    const text = String.fromCharCode(...body.subarray(0, 40))
    if (PRIVATE[marker]?.(text)) {
      if (marker === 0xe1 && text.startsWith('Exif\0')) orientation = readOrientation(body.subarray(6))
      at = end
    } else {
      // A scan's compressed data follow its header, up to the next marker.
      const next = marker === 0xda ? endOfScan(bytes, end) : end
      kept.push(bytes.subarray(at, next))
      at = next
    }
  }
  const head = orientation > 1 && orientation <= 8 ? [orientationSegment(orientation)] : []
  return joined([Uint8Array.of(0xff, 0xd8), ...head, ...kept, Uint8Array.of(0xff, 0xd9)])
}

function endOfScan(bytes: Uint8Array, from: number): number {
  let at = from
  for (;;) {
    at = bytes.indexOf(0xff, at)
    if (at < 0 || at + 1 >= bytes.length) throw new BrokenJpeg()
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) at++
    else if (marker === 0 || isBare(marker)) at += 2
    else return at
  }
}

/** EXIF's orientation (1 to 8) from its TIFF part; 1 when it says none. */
function readOrientation(tiff: Uint8Array): number {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength)
  const little = tiff[0] === 0x49
  if (view.byteLength < 10) return 1
  const directory = view.getUint32(4, little)
  if (directory + 2 > view.byteLength) return 1
  const entries = view.getUint16(directory, little)
  for (let entry = 0; entry < entries; entry++) {
    const place = directory + 2 + entry * 12
    if (place + 12 > view.byteLength) return 1
    if (view.getUint16(place, little) === 0x0112) return view.getUint16(place + 8, little)
  }
  return 1
}

/** An EXIF segment that holds the orientation and nothing else. */
function orientationSegment(orientation: number): Uint8Array {
  return Uint8Array.of(
    0xff, 0xe1, 0, 34,
    0x45, 0x78, 0x69, 0x66, 0, 0,
    0x4d, 0x4d, 0, 42, 0, 0, 0, 8,
    0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0,
    0, 0, 0, 0,
  )
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const result = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    result.set(part, at)
    at += part.length
  }
  return result
}
