import { createWriteStream } from 'node:fs'
import { writeCsv, writeXlsx } from '../core/sheet/write.server.ts'

const columns = ['姓名', '手机', '家长手机', '学号', '性别', '年级', '班级'].map((label) => ({ key: label, label, type: 'text' as const }))

export interface StudentRow {
  姓名: string
  手机: string
  年级: string
  班级: string
  学号?: string
}

/** Writes students as a school would send them. */
export async function writeStudents(path: string, rows: readonly StudentRow[]): Promise<void> {
  async function* all() {
    yield* rows as unknown as Record<string, unknown>[]
  }
  const write = path.endsWith('.csv') ? writeCsv : writeXlsx
  await write(createWriteStream(path), { columns, rows: all() })
}
