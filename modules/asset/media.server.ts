import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { imageSize } from 'image-size'
import { badRequest } from '../../core/error/error.ts'
import type { AssetKind } from './asset.ts'
import { beginsAtOnce, moveIndexUp, topBoxes } from './boxes.server.ts'

/** Read when the first file is looked at. */
const mediabunny = () => import('mediabunny')

/** What the server found in a file. */
export interface Found {
  readonly width: number | null
  readonly height: number | null
  readonly seconds: number | null
  readonly codec: string | null
  readonly audio_codec: string | null
  /** Why browsers cannot play it as it is, and what to do about it; null when they can. */
  readonly unplayable: string | null
}

const NOTHING: Found = { width: null, height: null, seconds: null, codec: null, audio_codec: null, unplayable: null }

/** Codecs that every current browser decodes, as mediabunny names them. */
const PICTURES = new Set(['avc', 'vp8', 'vp9', 'av1'])
const SOUNDS = new Set(['aac', 'mp3', 'opus', 'vorbis', 'flac'])
/** What the sound of a file of sound may be beside: a WAV holds samples as they are. */
const PLAIN_SOUNDS = /^(?:pcm-|ulaw$|alaw$)/

/** Names that people know from their export dialogs. */
const NAMES: Readonly<Record<string, string>> = { avc: 'H.264', hevc: 'H.265', vp8: 'VP8', vp9: 'VP9', av1: 'AV1', prores: 'ProRes', aac: 'AAC', mp3: 'MP3', opus: 'Opus', vorbis: 'Vorbis', flac: 'FLAC', ac3: 'AC-3', eac3: 'E-AC-3' }
const nameOf = (codec: string | null, raw: unknown): string => (codec === null ? (typeof raw === 'string' ? raw.trim() : '未知') : NAMES[codec] ?? codec)

const EXPORT = '请在剪辑软件中以 H.264 视频、AAC 音频重新导出为 MP4，再用「替换文件」上传'
/** Sample entries of protected tracks (ISO/IEC 14496-12, 8.12). */
const LOCKED = new Set(['encv', 'enca'])

/** Boxes of files of this family; others have none. */
const BOXED = new Set(['video/mp4', 'video/quicktime', 'audio/mp4'])

async function readTracks(path: string, type: string, kind: 'video' | 'audio'): Promise<Found> {
  if (BOXED.has(type) && !(await topBoxes(path)).some((box) => box.type === 'moov')) throw badRequest('文件不完整，请重新导出')
  const { ALL_FORMATS, FilePathSource, Input } = await mediabunny()
  const input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS })
  try {
    const [picture, sound] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()]
    const main = kind === 'video' ? picture : sound
    if (!main) throw badRequest(kind === 'video' ? '文件中没有视频画面' : '文件中没有声音')
    const [codec, raw] = [await main.getCodec(), await main.getInternalCodecId()]
    if (typeof raw === 'string' && LOCKED.has(raw)) throw badRequest('文件已加密，请导出没有加密的文件')
    const seconds = Math.round((await input.computeDuration()) * 1000) / 1000
    if (!(seconds > 0)) throw badRequest('时长为 0，请重新导出')
    const heard = sound && (await sound.getCodec())
    const soundName = sound && nameOf(heard ?? null, await sound.getInternalCodecId())
    const bad = [
      ...(picture && kind === 'video' && !(codec && PICTURES.has(codec)) ? [`画面编码 ${nameOf(codec, raw)}`] : []),
      ...(sound && !(heard && (SOUNDS.has(heard) || (kind === 'audio' && PLAIN_SOUNDS.test(heard)))) ? [`声音编码 ${soundName}`] : []),
    ]
    return {
      width: picture ? await picture.getDisplayWidth() : null,
      height: picture ? await picture.getDisplayHeight() : null,
      seconds,
      codec: nameOf(codec, raw),
      audio_codec: soundName,
      unplayable: bad.length > 0 ? `浏览器不能播放${bad.join('和')}。${EXPORT}` : null,
    }
  } finally {
    input.dispose()
  }
}

/** What is looked at in files of each kind. */
const readers: Readonly<Record<AssetKind, (path: string, type: string) => Promise<Found>>> = {
  video: (path, type) => readTracks(path, type, 'video'),
  audio: (path, type) => readTracks(path, type, 'audio'),
  async image(path) {
    // The size of a drawing is what its author says; it need not say any.
    const { width = null, height = null } = imageSize(await readFile(path))
    return { ...NOTHING, width, height }
  },
  document: () => Promise.resolve(NOTHING),
}

/**
 * Reads what a file really is, whatever its uploader said of it. Nothing is decoded.
 * @param type MIME type that the store found
 * @throws AppError with what is wrong with it, for the person who uploaded it
 */
export async function readMedia(path: string, type: string, kind: AssetKind): Promise<Found> {
  try {
    return await readers[kind](path, type)
  } catch (error) {
    // mediabunny says in its own words, for programmers, that it cannot read a file.
    if (error instanceof Error && error.name === 'AppError') throw error
    throw badRequest(kind === 'video' ? '文件不是视频或已损坏，请重新导出' : kind === 'audio' ? '文件不是音频或已损坏，请重新导出' : '文件已损坏，请重新导出')
  }
}

/** Puts tracks as they are into an MP4. @returns false where MP4 cannot hold them */
async function repack(from: string, to: string): Promise<boolean> {
  const { ALL_FORMATS, Conversion, FilePathSource, FilePathTarget, Input, Mp4OutputFormat, Output } = await mediabunny()
  const input = new Input({ source: new FilePathSource(from), formats: ALL_FORMATS })
  try {
    // The index goes behind the pictures, since otherwise all of them would have to be held in memory until it is known.
    const output = new Output({ format: new Mp4OutputFormat({ fastStart: false }), target: new FilePathTarget(to) })
    const conversion = await Conversion.init({ input, output, tracks: 'primary', showWarnings: false })
    // Nothing here can decode, so what is not copied is left out.
    if (!conversion.isValid || conversion.discardedTracks.length > 0) return false
    await conversion.execute()
    return true
  } finally {
    input.dispose()
  }
}

/**
 * Rewrites a video so that browsers play it while it is fetched: MOV and MKV as MP4, the index before the pictures.
 * @param folder where new files may be written; the caller removes it
 * @returns path of the new file; undefined when it is fine as it is or cannot be rewritten
 */
export async function rewriteVideo(path: string, type: string, folder: string): Promise<string | undefined> {
  const [packed, ready] = [join(folder, 'packed.mp4'), join(folder, 'ready.mp4')]
  const repacked = type !== 'video/mp4'
  if (repacked && !(await repack(path, packed))) return undefined
  const source = repacked ? packed : path
  const boxes = await topBoxes(source)
  if (!beginsAtOnce(boxes) && await moveIndexUp(source, ready, boxes)) return ready
  return repacked ? packed : undefined
}
