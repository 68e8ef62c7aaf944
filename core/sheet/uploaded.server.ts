import type { Call } from '../endpoint/serve.server.ts'
import { badRequest, notFound } from '../error/error.ts'
import type { FileStore } from '../file/store.server.ts'
import type { SheetRow } from './cell.ts'
import { readSheet } from './read.server.ts'

/** Rows of a sheet that is read at once; the largest tree of a subject has a tenth of that. */
const MOST = 20_000

/** The rows of a sheet that the person has uploaded. */
export async function rowsOf(files: FileStore, call: Pick<Call, 'staff'>, fileId: string): Promise<SheetRow[]> {
  const file = await files.find(fileId)
  if (!file || file.staffId !== call.staff.id) throw notFound('上传的文件')
  return files.withPath(file.id, async (path) => {
    const rows: SheetRow[] = []
    for await (const row of readSheet(path)) if (rows.push(row) > MOST) throw badRequest(`一次最多导入 ${MOST} 行`)
    return rows
  })
}
