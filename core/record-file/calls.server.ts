import type { Queryable } from '../database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../endpoint/serve.server.ts'
import { notFound } from '../error/error.ts'
import { sendFile } from '../file/calls.server.ts'
import type { Kernel } from '../kernel/kernel.server.ts'
import { NOTHING_COMPUTED, readOne, type Row } from '../resource/list.server.ts'
import type { Registered } from '../resource/uses.server.ts'
import { lockToChange } from '../resource/write.server.ts'
import { recordFileEndpoints } from './calls.ts'
import { addFile, readFiles, setThere, storedId, type FilesOf } from './record-file.server.ts'

/** The calls of the files of one resource's records, answered. Only what is logged keeps files: that they came and went is part of its history. */
export function recordFileCalls(service: Registered, { files }: Pick<Kernel, 'files'>): Served[] {
  const { resource, rules } = service
  if (!resource.audit) return []
  const endpoints = recordFileEndpoints(resource)
  /** Who sees the record sees its files; nobody else learns that there are any. */
  const look = async (call: Call): Promise<Row> => {
    const computed = rules.computed ?? NOTHING_COMPUTED
    const id = idParam(call)
    const row = await readOne(call.db, resource, call.staff, id, computed) ?? await readOne(call.db, resource, call.staff, id, computed, true)
    if (!row) throw notFound(resource.label)
    if (rules.guardsHistory) await rules.guard?.({ tx: call.db, staff: call.staff, row })
    return row
  }
  const lock = async (tx: Queryable, call: Call): Promise<FilesOf> => {
    const row = await lockToChange(tx, service, call.staff, idParam(call))
    return { resource, row, staff: call.staff }
  }
  return [
    handle(endpoints.list, async (call) => ({ items: await readFiles(call.db, resource, (await look(call)).id) })),
    handle(endpoints.add, (call) => call.transaction(async (tx) => addFile(tx, await lock(tx, call), call.input.file_id))),
    handle(endpoints.fetch, async (call) => {
      const { id } = await look(call)
      const file = await files.find(await storedId(call.db, resource, id, idParam(call, 'file')))
      if (!file) throw notFound('文件')
      return sendFile(call, files, file, call.input.download === '1')
    }),
    handle(endpoints.remove, (call) => call.transaction(async (tx) => setThere(tx, await lock(tx, call), idParam(call, 'file'), false))),
  ]
}
