import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { FileConfigstore, FileStore as PartialStore } from '@tus/file-store'
import { Server, type Upload } from '@tus/server'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Config } from '../config.server.ts'
import { AppError, badRequest, diskFull, notFound, SERVER_ERROR, tooLarge } from '../error/error.ts'
import { unavailable } from '../database/unavailable.server.ts'
import type { Admit } from '../session/admit.server.ts'
import { uploaded } from './calls.server.ts'
import { RESUMABLE_UPLOADS } from './calls.ts'
import { UPLOAD_KINDS, uploadKind } from './kinds.ts'
import { roomIn } from './room.server.ts'
import { sizeText } from './size.ts'
import { isRefused, PARTIAL_SECONDS, partialFolder, type FileStore, type KnownFile, type StoredFile } from './store.server.ts'
import { FILE_ID } from './url.ts'

/**
 * Serves the tus protocol: uploads in pieces that survive a broken connection and a restart of the server. A finished
 * upload becomes a stored file with the id of the upload, so that a client that lost the last answer still knows it.
 * @returns adds the routes to a server, held to the rules of every other call
 */
export function resumableUploads(config: Config, files: FileStore): (app: FastifyInstance, admit: Admit) => Promise<void> {
  const directory = partialFolder(config)
  const details = new FileConfigstore(directory)
  const store = new PartialStore({ directory, configstore: details, expirationPeriodInMilliseconds: PARTIAL_SECONDS * 1000 })
  const owners = new WeakMap<object, number>()
  const finishing = new Map<string, Promise<StoredFile>>()

  const tus = new Server({
    path: RESUMABLE_UPLOADS,
    datastore: store,
    relativeLocation: true,
    // Pages of other sites have no business here.
    allowedOrigins: [],
    namingFunction: () => randomUUID(),
    async onUploadCreate(request, upload) {
      const owner = owners.get(request.runtime?.node?.req ?? request)
      const kind = uploadKind(upload.metadata?.['kind'])
      if (owner === undefined || !kind) throw badRequest('请说明上传的是哪种文件')
      if (upload.size === undefined) throw badRequest('请说明文件大小')
      if (upload.size > UPLOAD_KINDS[kind].maxBytes) throw tooLarge(sizeText(UPLOAD_KINDS[kind].maxBytes))
      await files.admit(owner, upload.size)
      return { metadata: { ...upload.metadata, staff_id: String(owner) } }
    },
    async onUploadFinish(_request, upload) {
      const file = uploaded(await finish(upload))
      return { status_code: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify(file) }
    },
    async onResponseError(_request, error) {
      const status = 'status_code' in error ? error.status_code : 500
      // The library does not say why a piece could not be written.
      const known = error instanceof AppError ? error : unavailable(error) ?? (status >= 500 && await roomIn(directory) === 0 ? diskFull() : undefined)
      if (known) return { status_code: known.status, body: JSON.stringify({ detail: known.message }) }
      return { status_code: status, body: JSON.stringify({ detail: status >= 500 ? SERVER_ERROR : '上传失败，请重试' }) }
    },
  })

  /** Turns a complete upload into a stored file, once, however many requests notice that it is complete. */
  const finish = (upload: Upload): Promise<StoredFile> => {
    const running = finishing.get(upload.id)
    if (running) return running
    const kind = UPLOAD_KINDS[uploadKind(upload.metadata?.['kind']) ?? 'file']
    // Taken over or refused: either way nothing is left to resume.
    const forget = () => details.delete(upload.id).catch(() => undefined)
    const work = files.adopt(join(directory, upload.id), {
      name: upload.metadata?.['filename'] ?? '', staffId: Number(upload.metadata?.['staff_id']), accept: kind.accept, maxBytes: kind.maxBytes,
    }, upload.id).then(async (file) => {
      await forget()
      return file
    }, async (error: unknown) => {
      if (isRefused(error)) await forget()
      throw error
    }).finally(() => finishing.delete(upload.id))
    finishing.set(upload.id, work)
    return work
  }

  /** The file that an upload has become; finishes it when the server stopped just before. */
  const result = async (id: string): Promise<KnownFile | undefined> => {
    const partial = await store.getUpload(id).catch(() => undefined)
    if (partial && partial.offset === partial.size) await finish(partial)
    return files.find(id)
  }

  return async (app, admit) => {
    await app.register(async (scope) => {
      // The pieces go to the store as they come, past the body parser.
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', (_request, _body, done) => done(null))
      scope.route({
        method: ['POST', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS'],
        url: `${RESUMABLE_UPLOADS}/:id?`,
        handler: async (request, reply) => {
          const safe = request.method === 'HEAD' || request.method === 'OPTIONS'
          const session = await admit(request, { grant: 'staff', unsafe: !safe, active: true })
          const { id } = request.params as { id?: string }
          if (id !== undefined) {
            const own = (owner: unknown) => owner === session?.staff.id
            const upload = FILE_ID.test(id) ? await details.get(id) : undefined
            if (upload && !own(Number(upload.metadata?.['staff_id']))) throw notFound('上传')
            const file = request.method === 'HEAD' && FILE_ID.test(id) ? await result(id).catch((error: unknown) => {
              throw isRefused(error) ? error : locked(error)
            }) : undefined
            if (file && own(file.staffId)) return sendComplete(reply, file)
            if (!upload) throw notFound('上传')
          }
          if (session) owners.set(request.raw, session.staff.id)
          reply.hijack()
          reply.raw.setHeader('x-request-id', request.id)
          for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value)
          await tus.handle(request.raw, reply.raw)
        },
      })
    })
  }
}

/**
 * What a client is told that asks how far it came while all has arrived and cannot be taken over at the moment: to ask again
 * later. Told of any other failure it would send everything again.
 */
function locked(error: unknown): AppError {
  console.error('a complete upload waits to be taken over:', error)
  return new AppError('upload_waiting', 423, unavailable(error)?.message ?? SERVER_ERROR)
}

/** Tells a client that asks how far it came that everything has arrived. */
function sendComplete(reply: FastifyReply, file: KnownFile): FastifyReply {
  return reply.headers({ 'tus-resumable': '1.0.0', 'upload-offset': file.bytes, 'upload-length': file.bytes, 'cache-control': 'no-store' }).send()
}
