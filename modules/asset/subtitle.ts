import * as z from 'zod/mini'

/** One subtitle of an asset: its language and the file, WebVTT or SubRip. */
export interface Subtitle {
  lang: string
  url: string
}

export const LANGUAGES = [{ value: 'zh', label: '中文' }, { value: 'en', label: '英文' }, { value: 'zh-en', label: '中英双语' }] as const

export const subtitlesSchema: z.ZodMiniType<Subtitle[]> = z.array(z.object({
  lang: z.enum(LANGUAGES.map(({ value }) => value), '请选择字幕语言'),
  url: z.string('请上传字幕').check(z.regex(/^\/daoyuan\/api\/end\/files\/[0-9a-f-]{36}$/, '请重新上传字幕')),
}), '字幕有误').check(z.maxLength(LANGUAGES.length, '每种语言一份字幕'), z.refine((list) => new Set(list.map(({ lang }) => lang)).size === list.length, '每种语言只能有一份字幕'))

/** A line that is shown from one second to another. */
export interface Line {
  from: number
  to: number
  text: string
}

/** What is wrong with a line, by its number as people count. */
export interface LineProblem {
  line: number
  words: string
}

/** Characters a second beyond which nobody can follow. */
const FASTEST = 12
/** How far beyond the end a line may run: players round. */
const SLACK = 0.5

const TIME = /^(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[,.](\d{1,3})$/

function secondsOf(text: string): number | undefined {
  const [, hours = '0', minutes, seconds, part = '0'] = TIME.exec(text) ?? []
  if (minutes === undefined) return undefined
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(part.padEnd(3, '0')) / 1000
}

/**
 * Reads WebVTT or SubRip; what belongs to neither is left out.
 * @param text decoded content
 */
export function readSubtitle(text: string): Line[] {
  return text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n').split(/\n{2,}/).flatMap((block) => {
    const lines = block.split('\n').filter((line) => line.trim() !== '')
    const at = lines.findIndex((line) => line.includes('-->'))
    const [start, end] = (lines[at] ?? '').split('-->').map((part) => secondsOf(part.trim().split(/\s+/)[0] ?? ''))
    const words = lines.slice(at + 1).join('\n').trim()
    return at < 0 || start === undefined || end === undefined || words === '' ? [] : [{ from: start, to: end, text: words }]
  })
}

/** Bytes of a subtitle as text: UTF-8, or GB18030 as older Chinese programs write. */
export function decodeSubtitle(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('gb18030').decode(bytes)
  }
}

const clock = (seconds: number) => {
  const whole = Math.round(seconds * 1000)
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${two(whole / 3_600_000)}:${two((whole / 60_000) % 60)}:${two((whole / 1000) % 60)}.${String(whole % 1000).padStart(3, '0')}`
}

/** Lines as WebVTT, which browsers show. */
export const writeVtt = (lines: readonly Line[]): string => `WEBVTT\n\n${lines.map(({ from, to, text }) => `${clock(from)} --> ${clock(to)}\n${text}\n`).join('\n')}`

/**
 * What a person should look at: lines that end before they begin, overlap, run past the end, or are too quick to read.
 * @param length of what they belong to, in seconds; undefined while nobody knows
 */
export function subtitleProblems(lines: readonly Line[], length?: number): LineProblem[] {
  return lines.flatMap(({ from, to, text }, place): LineProblem[] => {
    const line = place + 1
    const before = lines[place - 1]
    const letters = [...text.replace(/\s/g, '')].length
    if (to <= from) return [{ line, words: '结束不晚于开始' }]
    if (before && from < before.to) return [{ line, words: `与第 ${place} 行重叠` }]
    if (length !== undefined && to > length + SLACK) return [{ line, words: '超出视频结尾' }]
    if (letters / (to - from) > FASTEST) return [{ line, words: `每秒超过 ${FASTEST} 个字` }]
    return []
  })
}

/** Moves all lines by so many seconds; what would lie before the beginning is dropped. */
export const shiftLines = (lines: readonly Line[], by: number): Line[] => lines.flatMap(({ from, to, text }) => (to + by > 0 ? [{ from: Math.max(0, from + by), to: to + by, text }] : []))
