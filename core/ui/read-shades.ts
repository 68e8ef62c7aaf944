import { BarcodeFormat, BinaryBitmap, ChecksumException, DecodeHintType, FormatException, HybridBinarizer, MultiFormatOneDReader, NotFoundException, QRCodeReader, RGBLuminanceSource } from '@zxing/library'

const HINTS = new Map<DecodeHintType, unknown>([
  [DecodeHintType.POSSIBLE_FORMATS, [BarcodeFormat.CODE_128, BarcodeFormat.CODE_39, BarcodeFormat.EAN_13, BarcodeFormat.EAN_8, BarcodeFormat.ITF]],
  [DecodeHintType.TRY_HARDER, true],
])
// The library's reader of all kinds writes each frame without a code to the console.
const readers = [new QRCodeReader(), new MultiFormatOneDReader(HINTS)]

/** The text of a code in a picture in shades of grey; undefined where there is none. */
export function readShades(shades: Uint8ClampedArray, width: number, height: number): string | undefined {
  const picture = new BinaryBitmap(new HybridBinarizer(new RGBLuminanceSource(shades, width, height)))
  for (const reader of readers) {
    try {
      return reader.decode(picture, HINTS).getText()
    } catch (error) {
      // Nothing, half a code, or one that is misread: the next frame may have it.
      if (!(error instanceof NotFoundException || error instanceof ChecksumException || error instanceof FormatException)) throw error
    } finally {
      reader.reset()
    }
  }
  return undefined
}
