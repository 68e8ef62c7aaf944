import type { Call } from '../endpoint/serve.server.ts'
import { badRequest } from '../error/error.ts'
import type { FileStore, StoredFile } from './store.server.ts'

/**
 * Takes the one file that a request brings as multipart.
 * @param limits MIME types that are taken, and the largest size in bytes
 * @throws AppError with a sentence for the person who sent it
 */
export async function receiveFile(
  { request, staff }: Pick<Call, 'request' | 'staff'>, files: Pick<FileStore, 'admit' | 'receive'>, { accept, maxBytes }: { accept: readonly string[]; maxBytes: number },
): Promise<StoredFile> {
  if (!request.isMultipart()) throw badRequest('请选择文件')
  // The frame around the file is a few hundred bytes. Who does not say how long the request is may send as much as is taken.
  const announced = Math.min(Number(request.headers['content-length'] ?? maxBytes), maxBytes)
  await files.admit(staff.id, announced)
  // One byte more than allowed comes through, so that the store sees that it is too many.
  const part = await request.file({ limits: { fileSize: maxBytes + 1 } })
  if (!part) throw badRequest('请选择文件')
  return files.receive(part.file, { name: part.filename, staffId: staff.id, accept, maxBytes })
}
