/** Dots of a picture for each of its pixels: phones are fine. */
const FINE = 2

/** Share of its height that 一 takes at most; what stands for a letter that no font has is a box. */
const FLAT = 0.25
const SAMPLE = 64

async function findChinese(): Promise<boolean> {
  const { default: sharp } = await import('sharp')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${SAMPLE}" height="${SAMPLE}"><rect width="100%" height="100%" fill="#fff"/><text x="8" y="50" font-size="48" font-family="sans-serif">一</text></svg>`
  const { data, info: { width, height } } = await sharp(Buffer.from(svg)).greyscale().raw().toBuffer({ resolveWithObject: true })
  const inked = Array.from({ length: height }, (_, y) => data.subarray(y * width, (y + 1) * width).some((value) => value < 128)).filter(Boolean).length
  return inked > 0 && inked <= height * FLAT
}

let known: Promise<boolean> | undefined

/** Whether this machine has a font for Chinese: pictures are drawn with what is installed. Looked at once. */
export const drawsChinese = (): Promise<boolean> => (known ??= findChinese())

/** A drawing as PNG. */
export async function toPng(svg: string): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  return sharp(Buffer.from(svg), { density: 72 * FINE }).png({ palette: true }).toBuffer()
}
