import { execFile } from 'node:child_process'
import { Writable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { memoryTarget } from './fixture.server.ts'
import { writeCsv, writeXlsx, type WriteColumn } from './write.server.ts'

const columns: WriteColumn[] = [{ key: 'a', label: '文字', type: 'text' }, { key: 'b', label: '数', type: 'number' }]

/** Rows without end, which say how many were taken and whether they were closed. */
function endless(): { rows: AsyncGenerator<Record<string, unknown>>; taken(): number; closed(): boolean } {
  let taken = 0
  let closed = false
  async function* rows() {
    try {
      for (;;) yield { a: `第 ${Math.sin(++taken)} 行`, b: taken }
    } finally {
      closed = true
    }
  }
  return { rows: rows(), taken: () => taken, closed: () => closed }
}

async function* failing(): AsyncGenerator<Record<string, unknown>> {
  yield { a: '一' }
  throw new Error('数据库断开')
}

async function turns(count: number): Promise<void> {
  for (let done = 0; done < count; done++) await turn()
}

describe.each([['writeXlsx', writeXlsx], ['writeCsv', writeCsv]] as const)('%s', (_name, write) => {
  it('takes rows only as fast as the target does, and stops at once when told to', async () => {
    const source = endless()
    const target = new Writable({ write: () => {} })
    const stop = new AbortController()
    const writing = write(target, { columns, rows: source.rows, signal: stop.signal })
    await turns(2000)
    expect(source.taken()).toBeGreaterThan(0)
    expect(source.taken()).toBeLessThan(50_000)
    stop.abort(new Error('够了'))
    await expect(writing).rejects.toThrow('够了')
    await turns(10)
    expect(source.closed()).toBe(true)
    expect(target.destroyed).toBe(true)
  })

  it('stops also when the source hangs', async () => {
    const stop = new AbortController()
    const rows = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) }
    const writing = write(memoryTarget(), { columns, rows, signal: stop.signal })
    await turns(10)
    stop.abort(new Error('够了'))
    await expect(writing).rejects.toThrow('够了')
  })

  it('does not begin when already told to stop', async () => {
    const source = endless()
    await expect(write(memoryTarget(), { columns, rows: source.rows, signal: AbortSignal.abort(new Error('够了')) })).rejects.toThrow('够了')
    expect(source.taken()).toBe(0)
  })

  it('passes on what the source throws', async () => {
    const target = memoryTarget()
    await expect(write(target, { columns, rows: failing() })).rejects.toThrow('数据库断开')
    expect(target.destroyed).toBe(true)
  })

  it('passes on what the target throws, and closes the source', async () => {
    const source = endless()
    const target = new Writable({ write: (_chunk, _encoding, done) => done(new Error('连接已断开')) })
    await expect(write(target, { columns, rows: source.rows })).rejects.toThrow('连接已断开')
    await turns(10)
    expect(source.closed()).toBe(true)
  })
})

describe('200 000 rows', () => {
  // As objects the rows alone take more than this heap, so holding them ends the process.
  const HEAP = 40

  it('are written and read in a small heap', async () => {
    const script = `
      import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
      import { tmpdir } from 'node:os'
      import { join } from 'node:path'
      import { writeXlsx } from '${new URL('write.server.ts', import.meta.url)}'
      import { readSheet } from '${new URL('read.server.ts', import.meta.url)}'
      const folder = mkdtempSync(join(tmpdir(), 'sheet-'))
      async function* rows() { for (let n = 0; n < 200000; n++) yield { a: '学员' + n, b: n, c: '1380' + n, d: n * 3, e: '备注' + (n * 7919 % 200003) } }
      const columns = ['a', 'b', 'c', 'd', 'e'].map((key, index) => ({ key, label: key, type: index % 2 ? 'number' : 'text' }))
      try {
        await writeXlsx(createWriteStream(join(folder, 'a.xlsx')), { columns, rows: rows() })
        let count = 0, sum = 0
        for await (const row of readSheet(join(folder, 'a.xlsx'))) { count++; if (row.rowNumber > 1) sum += row.cells[1] }
        process.stdout.write(JSON.stringify({ count, sum }))
      } finally {
        rmSync(folder, { recursive: true })
      }
    `
    const { stdout } = await promisify(execFile)(process.execPath, [`--max-old-space-size=${HEAP}`, '--input-type=module', '-e', script])
    expect(JSON.parse(stdout)).toEqual({ count: 200_001, sum: 199_999 * 100_000 })
  })
})
