import { sql } from 'drizzle-orm'
import type { Queryable } from '../database/database.server.ts'
import { handle, type Call, type Served } from '../endpoint/serve.server.ts'
import { badRequest, notFound } from '../error/error.ts'
import type { Staff } from '../grant/staff.server.ts'
import { fetchFile, uploadFile, type UploadedFile } from './calls.ts'
import { ALL_STAFF, MAX_UPLOAD, UPLOAD_KINDS, uploadKind } from './kinds.ts'
import { parseRange } from './range.ts'
import { receiveFile } from './receive.server.ts'
import type { FileStore, KnownFile, StoredFile } from './store.server.ts'
import { fileUrl } from './url.ts'

/** A stored file as it is told to the console. */
export function uploaded(file: StoredFile): UploadedFile {
  return { id: file.id, name: file.name, type: file.type, bytes: file.bytes, url: fileUrl(file.id) }
}

/** Whether a person may fetch a file by itself, which is not kept with a record: their own, one whose id they hold, one of a record on a screen of theirs or that all staff reads, a colleague's picture. */
async function mayFetch(db: Queryable, staff: Staff, file: KnownFile): Promise<boolean> {
  if (file.ofRecord) return false
  if (file.staffId === staff.id) return true
  if (file.grant !== null && staff.modules.has(file.grant)) return true
  if (file.screens.some((screen) => screen === ALL_STAFF || staff.modules.has(screen))) return true
  const [avatar] = await db.query(sql`select 1 from staff where avatar = ${fileUrl(file.id)} limit 1`)
  return avatar !== undefined
}

/** Types that a browser shows by itself; everything else is saved. */
const shown = (type: string) => type.startsWith('image/') || type.startsWith('video/') || type.startsWith('audio/') || type === 'application/pdf'

/** An uploaded file may run nothing and load nothing, whatever a browser takes it for. */
const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox"
/** The browsers' PDF viewers refuse to work in a sandbox; they bring one of their own. */
const PDF_POLICY = "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

/** Name for saving, in a form that old and new browsers read. */
function disposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const exact = encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${kind}; filename="${plain}"; filename*=UTF-8''${exact}`
}

async function send(call: Call<{ download?: string | undefined }>, files: FileStore): Promise<unknown> {
  const file = await files.find(call.params['id'] ?? '')
  // A person who may not fetch it does not learn that it exists.
  if (!file || !(await mayFetch(call.db, call.staff, file))) throw notFound('文件')
  return sendFile(call, files, file, call.input.download === '1')
}

/** Answers with a file, or the part of it that was asked for. Whether somebody may have it is the caller's to say. */
export async function sendFile(call: Pick<Call, 'request' | 'reply'>, files: FileStore, file: KnownFile, download = false): Promise<unknown> {
  const { headers } = call.request
  const etag = `"${file.sha256.slice(0, 32)}"`
  const inline = shown(file.type) && !download
  call.reply.headers({
    etag,
    // The content never changes, but whether this person may see it does: ask each time.
    'cache-control': 'private, no-cache',
    'content-type': file.type,
    'content-disposition': disposition(inline ? 'inline' : 'attachment', file.name),
    'content-security-policy': file.type === 'application/pdf' ? PDF_POLICY : SANDBOX,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'SAMEORIGIN',
    'accept-ranges': 'bytes',
  })
  if (headers['if-none-match']?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)) {
    call.reply.status(304)
    return call.reply.send()
  }
  const current = headers['if-range'] === undefined || headers['if-range'] === etag
  const range = current ? parseRange(headers.range, file.bytes) : undefined
  if (range === 'none') {
    call.reply.status(416).header('content-range', `bytes */${file.bytes}`)
    return call.reply.send()
  }
  call.reply.header('content-length', range ? range.end - range.start + 1 : file.bytes)
  if (range) call.reply.status(206).header('content-range', `bytes ${range.start}-${range.end}/${file.bytes}`)
  return files.open(file.id, range)
}

/** The calls that take and give files. */
export function fileCalls(files: FileStore): Served[] {
  return [
    handle(uploadFile, async (call) => {
      const name = uploadKind((call.request.query as Record<string, unknown>)['kind'])
      if (!name) throw badRequest('请说明上传的是哪种文件')
      const { accept, maxBytes } = UPLOAD_KINDS[name]
      return uploaded(await receiveFile(call, files, { accept, maxBytes: Math.min(maxBytes, MAX_UPLOAD) }))
    }),
    handle(fetchFile, (call) => send(call, files)),
  ]
}
