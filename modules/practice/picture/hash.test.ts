import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashOfFile } from './hash.server.ts'
import { comparePictures, isSamePicture } from './hash.ts'
import { drawing, DRAWINGS } from './testing.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daoyuan-picture-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function hash(bytes: Buffer): Promise<string | null> {
  const path = join(folder, 'picture')
  await writeFile(path, bytes)
  return hashOfFile(path)
}
const png = (body: string) => sharp(Buffer.from(drawing(body))).png().toBuffer()
const scaled = async (bytes: Buffer, by: number): Promise<Sharp> => sharp(bytes).resize(Math.round(((await sharp(bytes).metadata()).width) * by))
/** The ink of a drawing on nothing. */
async function onNothing(bytes: Buffer): Promise<Buffer> {
  const { data, info } = await sharp(bytes).flatten({ background: 'white' }).greyscale().raw().toBuffer({ resolveWithObject: true })
  return sharp(Buffer.from([...data].flatMap((grey) => [0, 0, 0, 255 - grey])), { raw: { width: info.width, height: info.height, channels: 4 } }).png().toBuffer()
}

test.each(Object.entries(DRAWINGS))('copies of %s are found: compressed, scaled, both, on nothing', async (_, body) => {
  const bytes = await png(body)
  const own = await hash(bytes)
  expect(own).toMatch(/^[0-9a-f]{16}$/)
  const copies = [
    await sharp(bytes).jpeg({ quality: 40 }).toBuffer(), await (await scaled(bytes, 0.5)).png().toBuffer(), await (await scaled(bytes, 0.5)).jpeg({ quality: 40 }).toBuffer(),
    await (await scaled(bytes, 1.7)).webp({ quality: 60 }).toBuffer(), await onNothing(bytes),
  ]
  for (const copy of copies) expect(isSamePicture(own ?? '', (await hash(copy)) ?? '')).toBe(true)
})

test('drawings that are different, symmetrical ones too, are not taken for each other', async () => {
  const hashes = await Promise.all(Object.entries(DRAWINGS).map(async ([name, body], at) => {
    const path = join(folder, String(at))
    await writeFile(path, await png(body))
    return { name, hash: (await hashOfFile(path)) ?? '' }
  }))
  const taken = hashes.flatMap((one, at) => hashes.slice(at + 1).filter((other) => isSamePicture(one.hash, other.hash)).map((other) => `${one.name} ${other.name}`))
  expect(taken).toEqual([])
})

test('what shows nothing, is tiny or cannot be read has no hash', async () => {
  expect(await hash(await png(''))).toBeNull()
  expect(await hash(await png('<path d="M0 77H300"/>'))).toBeNull()
  const paper = Buffer.from(Array.from({ length: 300 * 200 }, (_, at) => 235 + ((at * 7919) % 104_729) % 20))
  expect(await hash(await sharp(paper, { raw: { width: 300, height: 200, channels: 1 } }).jpeg({ quality: 70 }).toBuffer())).toBeNull()
  expect(await hash(await (await scaled(await png(DRAWINGS['triangle'] ?? ''), 0.2)).png().toBuffer())).toBeNull()
  const broken = (await png(DRAWINGS['triangle'] ?? '')).subarray(0, 60)
  expect(await hash(broken)).toBeNull()
  await expect(hashOfFile(join(folder, 'gone'))).rejects.toThrow('ENOENT')
})

test('questions show the same pictures, others, or cannot be told', () => {
  const [one, copy, other] = ['cac22f0f343df234', 'cac22f0f343df237', '290fb83a85956ebc'] as const
  expect(comparePictures([one, other], [other, copy])).toBe('same')
  expect(comparePictures([one], [other])).toBe('different')
  expect(comparePictures([one], [copy, other])).toBeUndefined()
  expect(comparePictures([], [one])).toBeUndefined()
  expect(comparePictures([], [])).toBeUndefined()
})
