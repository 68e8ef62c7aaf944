import { PassThrough, type Readable } from 'node:stream'
import type { Call } from '../../../core/endpoint/serve.server.ts'
import { badRequest, notFound } from '../../../core/error/error.ts'
import type { FileStore } from '../../../core/file/store.server.ts'
import type { SheetRow } from '../../../core/sheet/cell.ts'
import { readSheet } from '../../../core/sheet/read.server.ts'
import { writeXlsx } from '../../../core/sheet/write.server.ts'
import { levelColumns, type FactColumn } from './outline.ts'

/** Rows of one sheet; the largest tree of a subject has a tenth of that. */
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

/** Answers a tree as a workbook that can be read again. */
export function sendOutline(
  call: Pick<Call, 'reply'>, name: string, depth: number, facts: readonly FactColumn[], extra: readonly { key: string; label: string }[], nodes: readonly { path: string[]; node: Record<string, unknown> }[],
): Readable {
  const levels = levelColumns(depth)
  async function* rows() {
    for (const { path, node } of nodes) {
      yield {
        ...Object.fromEntries(path.map((part, level) => [`l${level}`, part])),
        ...Object.fromEntries(facts.map((fact) => [fact.key, fact.write(node[fact.key])])),
        ...Object.fromEntries(extra.map(({ key }) => [key, node[key]])),
      }
    }
  }
  const target = new PassThrough()
  const columns = [...levels.map(({ key, label }) => ({ key, label, type: 'text' as const })), ...facts.map(({ key, label }) => ({ key, label, type: 'text' as const })), ...extra.map(({ key, label }) => ({ key, label, type: 'number' as const }))]
  // A failure destroys the target, which breaks the answer off.
  writeXlsx(target, { columns, rows: rows(), sheetName: name }).catch(() => {})
  call.reply.header('content-type', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
  call.reply.header('content-disposition', `attachment; filename="labels.xlsx"; filename*=UTF-8''${encodeURIComponent(`${name}.xlsx`)}`)
  return target
}
