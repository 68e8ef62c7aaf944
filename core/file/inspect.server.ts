import { open, readFile, writeFile } from 'node:fs/promises'
import { fileTypeFromFile } from 'file-type'
import { imageSize } from 'image-size'
import { badRequest } from '../error/error.ts'
import { BrokenJpeg, stripJpeg } from './jpeg.ts'
import { wideEncoding } from './encoding.ts'
import { extensionOf } from './name.ts'
import { svgProblem } from './svg.ts'
import { EXTENSIONS, typeOfExtension } from './types.ts'

/** A browser that opens a picture needs four bytes of memory for each of its pixels. */
export const MAX_PIXELS = 50_000_000
/** Pictures are looked at in memory; no camera writes larger ones. */
const MAX_PICTURE = 64 * 1024 * 1024
/** How much of a text is looked at. */
const HEAD = 64 * 1024

/** Other names that the detection uses for types that we know. */
const ALIASES: Readonly<Record<string, string>> = { 'image/apng': 'image/png', 'video/x-m4v': 'video/mp4', 'audio/x-m4a': 'audio/mp4' }

/** What is looked at in files of a type; some are written again without what does not belong to them. */
const checks: Readonly<Record<string, (path: string) => Promise<void>>> = {
  'image/png': checkPixels,
  'image/webp': checkPixels,
  'image/gif': checkPixels,
  async 'image/jpeg'(path) {
    const before = await readPicture(path)
    const after = stripJpeg(before)
    if (after.length < before.length) await writeFile(path, after)
    await checkPixels(path)
  },
  async 'text/vtt'(path) {
    if (!/^\uFEFF?WEBVTT(?:[ \t\r\n]|$)/.test(await readHead(path))) throw badRequest('VTT 字幕应以 WEBVTT 开头')
  },
  async 'application/x-subrip'(path) {
    if (!SRT_TIMES.test(await readHead(path))) throw badRequest('SRT 字幕中没有时间轴')
  },
  async 'audio/webm'(path) {
    if (VIDEO_TRACK.test(await readHead(path, 'latin1'))) throw badRequest('文件中有视频画面，请导出为音频后上传')
  },
  async 'image/svg+xml'(path) {
    const problem = svgProblem(decode(await readPicture(path)))
    if (problem) throw badRequest(problem)
  },
}

/**
 * Finds out what a file is from its content, whatever its name says, and refuses what does not fit or is dangerous.
 * Private details are taken out of photographs.
 * @param accept MIME types that are taken; absent: every known one
 * @returns the type, and the name with an ending that belongs to it
 * @throws AppError that says what is wrong
 */
export async function inspectFile(path: string, name: string, accept?: readonly string[]): Promise<{ type: string; name: string }> {
  const extension = extensionOf(name)
  const type = await contentType(path, extension)
  const endings = type ? EXTENSIONS[type] : undefined
  if (!type || !endings) throw badRequest('不支持这种文件')
  if (extension && !endings.includes(extension)) throw badRequest(`文件内容与扩展名 .${extension} 不符`)
  if (accept && !accept.includes(type)) throw badRequest('不支持这种文件')
  try {
    await checks[type]?.(path)
  } catch (error) {
    if (error instanceof BrokenJpeg) throw badRequest('图片已损坏，请重新导出后上传')
    throw error
  }
  return { type, name: extension ? name : `${name}.${endings[0]}` }
}

async function contentType(path: string, extension: string): Promise<string | undefined> {
  const named = typeOfExtension(extension)
  const found = (await fileTypeFromFile(path))?.mime
  // Text has no mark of its own; what it begins with may by chance look like one of another type.
  if (named && TEXTS.has(named)) return (await isText(path)) ? named : found
  if (named === 'image/svg+xml' && (found === undefined || found === 'application/xml')) return named
  // Boxes that hold sound alone look like those of films; a name that says sound makes a browser play no more than that.
  if (named && SOUND_OF[named] !== undefined && SOUND_OF[named] === found) return named
  // Some programs write workbooks and documents whose parts come in an order that the detection does not know.
  if (found === 'application/zip' && named && ZIPPED.has(named)) return named
  return found && (ALIASES[found] ?? found)
}

const TEXTS = new Set(['text/csv', 'text/plain', 'application/json', 'application/xml', 'text/vtt', 'application/x-subrip'])
/** Types of sound whose files begin like those of a type of film. */
const SOUND_OF: Readonly<Record<string, string>> = { 'audio/mp4': 'video/mp4', 'audio/webm': 'video/webm' }
const ZIPPED = new Set([
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
])

/** The line of an SRT subtitle that says from when until when it is shown. */
const SRT_TIMES = /^\d{1,3}:\d{2}:\d{2}[,.]\d{1,3}\s+-->\s+\d{1,3}:\d{2}:\d{2}[,.]\d{1,3}/m
/** Names of codecs of pictures in a Matroska or WebM file. */
const VIDEO_TRACK = /V_(?:VP8|VP9|AV1|MPEG|THEORA|UNCOMPRESSED)/

/** The beginning of a file as text. */
async function readHead(path: string, encoding: 'utf8' | 'latin1' = 'utf8'): Promise<string> {
  const file = await open(path, 'r')
  try {
    const buffer = Buffer.alloc(HEAD)
    const { bytesRead } = await file.read(buffer, 0, HEAD, 0)
    return buffer.toString(encoding, 0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Text in one of the encodings that Chinese programs write. */
async function isText(path: string): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const buffer = Buffer.alloc(HEAD)
    const { bytesRead } = await file.read(buffer, 0, HEAD, 0)
    const head = buffer.subarray(0, bytesRead)
    const wide = wideEncoding(head)
    const encodings = wide ? [wide] : ['utf-8', 'gb18030']
    return encodings.some((encoding) => {
      try {
        // More may follow: a character cut at the end of the head is no mistake.
        const text = new TextDecoder(encoding, { fatal: true }).decode(head, { stream: true })
        // eslint-disable-next-line no-control-regex
        return !/[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text)
      } catch {
        return false
      }
    })
  } finally {
    await file.close()
  }
}

async function readPicture(path: string): Promise<Uint8Array> {
  const file = await open(path, 'r')
  try {
    if ((await file.stat()).size > MAX_PICTURE) throw badRequest('图片过大')
  } finally {
    await file.close()
  }
  return readFile(path)
}

/** Refuses a small file that unfolds into an enormous picture. */
async function checkPixels(path: string): Promise<void> {
  let pixels: number
  try {
    const { width, height } = imageSize(await readPicture(path))
    pixels = width * height
  } catch {
    throw badRequest('图片已损坏，请重新导出后上传')
  }
  if (!(pixels > 0)) throw badRequest('图片已损坏，请重新导出后上传')
  if (pixels > MAX_PIXELS) throw badRequest(`图片不能超过 ${MAX_PIXELS / 1_000_000} 百万像素`)
}

/** SVG text. Other encodings than UTF-8 are refused: a browser might read them differently than this check. */
function decode(bytes: Uint8Array): string {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw badRequest('SVG 应使用 UTF-8 编码')
  }
  const encoding = /^\s*<\?xml[^>]*encoding\s*=\s*["']([^"']*)["']/i.exec(text)?.[1]
  if (encoding && !/^utf-?8$/i.test(encoding)) throw badRequest('SVG 应使用 UTF-8 编码')
  return text
}
