import { defineJob, type JobDefinition } from '../../core/job/define.server.ts'
import { fileUrl } from '../../core/file/url.ts'
import { formatTime } from '../../core/field/time.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import { writeXlsx } from '../../core/sheet/write.server.ts'
import type { JobFile } from '../../core/transfer/calls.ts'
import { FILE_SECONDS, fileName, storeStream } from '../../core/transfer/export.server.ts'
import { countAll } from './compute.server.ts'
import { readTiles } from './read.server.ts'
import { DATA_RIGHTS } from './rights.ts'
import { askedStretch } from './asked.server.ts'
import { daysOf, type RangeName } from './stretch.ts'

export const REBUILD_JOB = 'stat rebuild'
export const EXPORT_JOB = 'stat export'

const DAY = 86_400
/** Days that a rebuild counts in one transaction, so that it can be followed and stopped. */
const PIECE = 31

interface RebuildInput { from: number; to: number }
interface ExportInput { range: RangeName; from?: number; to?: number; line: string; channel: string }

/** Counting days again, and a workbook of what is shown. */
export const statJobs = ({ figures, files }: Pick<Kernel, 'figures' | 'files'>): JobDefinition[] => [
  defineJob<RebuildInput>({
    kind: REBUILD_JOB,
    grants: () => [DATA_RIGHTS.id('rebuild')],
    async run({ db, input: { from, to }, signal, progress }) {
      const pieces = Math.ceil((to - from) / DAY / PIECE)
      const total = figures.length * pieces
      let done = 0
      progress(done, total)
      for (const figure of figures) {
        await countAll(db, figure, from, to, () => {
          signal.throwIfAborted()
          progress(++done, total)
          return Promise.resolve()
        }, PIECE)
      }
      return { days: Math.round((to - from) / DAY), figures: figures.length }
    },
  }),
  defineJob<ExportInput>({
    kind: EXPORT_JOB,
    grants: () => [DATA_RIGHTS.id('take')],
    async run({ db, staff, input, signal }): Promise<JobFile> {
      const { stretch } = await askedStretch(db, input)
      const { tiles } = await readTiles(db, staff, stretch, input)
      const dayWord = (at: number) => formatTime(at).slice(0, 10)
      const columns = [
        { key: 'day', label: '日期', type: 'text' as const },
        ...tiles.map(({ name, title, as }) => ({ key: name, label: as === 'share' ? `${title}（%）` : title, type: as === 'money' ? 'money' as const : 'number' as const })),
      ]
      const plain = (as: string, value: number) => (as === 'share' ? value / 100 : value)
      const line = (day: string, pick: (tile: (typeof tiles)[number]) => number) => ({ day, ...Object.fromEntries(tiles.map((tile) => [tile.name, plain(tile.as, pick(tile))])) })
      async function* rows() {
        yield line(`本期 ${dayWord(stretch.from)} 至 ${formatTime(stretch.to).slice(0, 16)}`, ({ value }) => value)
        yield line(`上期 ${dayWord(stretch.before.from)} 至 ${formatTime(stretch.before.to).slice(0, 16)}`, ({ before }) => before)
        for (const [at, day] of daysOf(stretch).entries()) yield line(dayWord(day), ({ values }) => values[at] ?? 0)
      }
      const meta = { name: fileName('数据中心', 'xlsx'), staffId: staff.id, expiresAt: Math.floor(Date.now() / 1000) + FILE_SECONDS }
      const { file, result } = await storeStream(files, meta, (target) => writeXlsx(target, { columns, rows: rows(), sheetName: '每日', signal }))
      return { file_id: file.id, url: fileUrl(file.id), rows: result }
    },
  }),
]
