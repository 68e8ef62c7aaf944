import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ALL_FORMATS, FilePathSource, Input, MovOutputFormat, Mp4OutputFormat, type OutputFormat, type VideoCodec } from 'mediabunny'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginsAtOnce, topBoxes } from './boxes.server.ts'
import { claimCodec, CLIP, wrapClip } from './media-testing.server.ts'
import { readMedia, rewriteVideo } from './media.server.ts'

let folder = ''
const at = (name: string) => join(folder, name)

const wrap = (name: string, format: OutputFormat) => wrapClip(at(name), format)
const claimed = (name: string, codec: VideoCodec) => claimCodec(at(name), codec)

beforeAll(() => { folder = mkdtempSync(join(tmpdir(), 'media-')) })
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('what a video is stands in its bytes', async () => {
  const found = await readMedia(CLIP, 'video/mp4', 'video')
  expect(found).toMatchObject({ codec: 'H.264', unplayable: null })
  expect(found.seconds).toBeGreaterThan(10)
  expect(found.width).toBeGreaterThan(100)
})

test('an index behind the pictures moves before them, and nothing else changes', async () => {
  const slow = await wrap('slow.mp4', new Mp4OutputFormat({ fastStart: false }))
  expect(beginsAtOnce(await topBoxes(slow))).toBe(false)
  const fast = await rewriteVideo(slow, 'video/mp4', folder)
  expect(fast).toBeDefined()
  expect(beginsAtOnce(await topBoxes(fast ?? ''))).toBe(true)
  expect(await readMedia(fast ?? '', 'video/mp4', 'video')).toEqual(await readMedia(slow, 'video/mp4', 'video'))
  const pictures = async (path: string) => {
    const input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS })
    const track = await input.getPrimaryVideoTrack()
    const { EncodedPacketSink } = await import('mediabunny')
    const found: string[] = []
    if (track) for await (const packet of new EncodedPacketSink(track).packets()) found.push(`${packet.timestamp.toFixed(3)} ${Buffer.from(packet.data).toString('base64').slice(0, 40)} ${packet.byteLength}`)
    input.dispose()
    return found
  }
  expect(await pictures(fast ?? '')).toEqual(await pictures(slow))
  expect((await pictures(slow)).length).toBeGreaterThan(10)
  rmSync(fast ?? '')
})

test('a video that begins at once stays as it is', async () => {
  const ready = await wrap('already.mp4', new Mp4OutputFormat({ fastStart: 'in-memory' }))
  expect(await rewriteVideo(ready, 'video/mp4', folder)).toBeUndefined()
})

test('a MOV becomes an MP4 that begins at once', async () => {
  const mov = await wrap('film.mov', new MovOutputFormat({ fastStart: false }))
  const packed = await rewriteVideo(mov, 'video/quicktime', folder)
  expect(beginsAtOnce(await topBoxes(packed ?? ''))).toBe(true)
  expect(await readMedia(packed ?? '', 'video/mp4', 'video')).toMatchObject({ codec: 'H.264', unplayable: null })
})

test('H.265 is kept, with the setting of the export to use', async () => {
  const found = await readMedia(await claimed('h265.mp4', 'hevc'), 'video/mp4', 'video')
  expect(found).toMatchObject({ codec: 'H.265', width: 1280, height: 720 })
  expect(found.unplayable).toMatch(/画面编码 H\.265.*H\.264 视频、AAC 音频重新导出为 MP4/)
})

test.each([
  ['text', () => Buffer.from('这不是视频，只是一段文字'), '文件不是视频或已损坏，请重新导出'],
  ['cut', () => readFileSync(CLIP).subarray(0, -5000), '文件不完整，请重新导出'],
  ['locked', () => Buffer.from(readFileSync(CLIP).toString('latin1').replace('avc1', 'encv').replace(/(stsd[^]{12})avc1/, '$1encv'), 'latin1'), '文件已加密，请导出没有加密的文件'],
] as const)('%s is no video that anybody can play, and says why', async (name, make, words) => {
  writeFileSync(at(`${name}.mp4`), make())
  await expect(readMedia(at(`${name}.mp4`), name === 'text' ? 'text/plain' : 'video/mp4', 'video')).rejects.toThrow(words)
})
