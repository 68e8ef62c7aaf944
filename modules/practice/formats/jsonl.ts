/** Our own questions as JSON lines: every field under its own name, pictures inside. */
import { mapDocs, questionSchema, type Question } from '../content/question.ts'
import { withAssets } from '../../../core/rich-text/rich-doc.ts'
import { assetAddress, lost, type Asset, type Parsed, type ParsedItem } from './item.ts'

/** Names the format, so that a line is known whatever file it stands in. */
const FORMAT = 'daoyuan-practice-1'
const MARK = 'format'

function base64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(binary)
}

/** One question on each line; each line brings the pictures that it names. */
export function writeJsonl(questions: readonly Question[], assets: ReadonlyMap<string, Asset>): string {
  return questions.map((question) => {
    const files: Record<string, { type: string; data: string }> = {}
    const own = mapDocs(question, (doc) => withAssets(doc, (address) => {
      const asset = assets.get(address)
      if (!asset) return address
      files[asset.name] = { type: asset.type, data: base64(asset.bytes) }
      return assetAddress(asset.name)
    }))
    return `${JSON.stringify({ [MARK]: FORMAT, ...own, ...(Object.keys(files).length > 0 ? { files } : {}) })}\n`
  }).join('')
}

/** Whatever an address is replaced with while the schema looks at a question: pictures are stored later. */
const STORED = '/daoyuan/api/end/files/00000000-0000-4000-8000-'

function readLine(line: string, place: string, assets: Map<string, Asset>): ParsedItem {
  let value: Readonly<Record<string, unknown>>
  try {
    value = JSON.parse(line) as typeof value
  } catch {
    return lost(place, '这一行不是有效的 JSON')
  }
  const { files, [MARK]: _, ...fields } = value
  const names: string[] = []
  for (const [name, file] of Object.entries((files ?? {}) as Record<string, { type?: unknown; data?: unknown }>)) {
    if (typeof file?.data !== 'string' || typeof file.type !== 'string' || !/^[A-Za-z0-9+/=]*$/.test(file.data)) continue
    assets.set(name, { name, type: file.type, bytes: Uint8Array.from(atob(file.data), (char) => char.charCodeAt(0)) })
  }
  const stored = JSON.parse(JSON.stringify(fields).replace(/"asset:((?:[^"\\]|\\.)*)"/g, (_all, name: string) => `"${STORED}${(names.push(name) - 1).toString(16).padStart(12, '0')}"`)) as unknown
  const read = questionSchema.safeParse(stored)
  if (!read.success) return lost(place, `字段「${read.error.issues[0]?.path.map(String).join('.') ?? ''}」有误：${read.error.issues[0]?.message ?? '格式不正确'}`)
  const question = mapDocs(read.data, (doc) => withAssets(doc, (address) => (address.startsWith(STORED) ? assetAddress(names[Number.parseInt(address.slice(STORED.length), 16)] ?? '') : address)))
  return { place, question, warnings: [] }
}

/**
 * Reads lines that `writeJsonl` has written.
 * @returns null when the text is something else
 */
export function readJsonl(text: string): Parsed | null {
  if (!text.trimStart().startsWith(`{"${MARK}":"${FORMAT}"`)) return null
  const assets = new Map<string, Asset>()
  const items = text.split(/\r?\n/).flatMap((line, index) => (line.trim() === '' ? [] : [readLine(line, `第 ${index + 1} 行`, assets)]))
  return { items, assets, warnings: [] }
}
