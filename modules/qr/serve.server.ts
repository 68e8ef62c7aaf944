import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, invalid, notFound } from '../../core/error/error.ts'
import { startOfDay } from '../../core/field/time.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import type { Sweep } from '../../core/job/sweep.server.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import { present, readOne } from '../../core/resource/list.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { checkRev, insertRow, lockRow } from '../../core/resource/write.server.ts'
import { addAssetUser } from '../asset/door.server.ts'
import { blockKind, describeBlocks, openBlocks } from '../outline/door.server.ts'
import { ALL_PAPERS, LESSONS } from '../paper/module.ts'
import { printedBase } from './base-url.server.ts'
import { qrEndpoints, type ScanDay } from './calls.ts'
import { checkHealth } from './health.server.ts'
import { visitorSweep } from './hits.server.ts'
import { pictureArchive, qrSvg, type Drawn } from './picture.server.ts'
import { QR_CHANNEL, QR_HEALTH, QR_STATE, type QrFamily, type QrResource } from './qr-code.ts'
import { targetProblem } from './qr-text.ts'
import { freshCode, QR_COMPUTED, serveList, type QrRow } from './rules.server.ts'
import { Scans } from './scan.server.ts'
import type { NotesOf } from './target.server.ts'
import { codesAsUsers, usedByCodes } from './uses.server.ts'

const DAY = 86_400
/** Days that the curve of a code shows. */
const SHOWN_DAYS = 30
/** Most codes of one archive: those of a thick book. */
const MOST_DRAWN = 2000

interface Wanted { kind: string; ref_id?: number | undefined; url?: string | undefined }

/** What a code is to lead to, as it is stored. @throws AppError when it cannot lead there */
async function targetOf(tx: Queryable, codes: QrResource, { kind, ref_id, url }: Wanted) {
  if (kind === 'url') {
    const problem = url ? targetProblem(url) : '请填写网址'
    if (problem || !url) throw invalid({ url: problem ?? '请填写网址' })
    return { target_kind: kind, ref_id: null, url, target_name: new URL(url).host }
  }
  if (ref_id === undefined) throw invalid({ ref_id: '请选择内容' })
  const [fact] = await describeBlocks(tx, [{ kind, ref_id }])
  if (!fact) throw invalid({ ref_id: '内容不存在或已被删除，请重新选择' })
  if (fact.health.tone === 'bad') throw invalid({ ref_id: `「${fact.name}」${fact.health.words}，不能指向` })
  await openBlocks(tx, [{ kind, ref_id }], codes.grant)
  return { target_kind: kind, ref_id, url: null, target_name: fact.name.slice(0, 120) }
}

async function rowOf(call: Pick<Call, 'params' | 'staff' | 'db'>, codes: QrResource, computed: Readonly<Record<string, SQL>>): Promise<QrRow> {
  const row = await readOne(call.db, codes, call.staff, idParam(call), computed)
  if (!row) throw notFound(codes.label)
  return row as QrRow
}

/** The address that pictures carry. @throws AppError when the site has none */
async function baseOf(call: Pick<Call, 'db' | 'request'>, { config }: Pick<Kernel, 'config'>): Promise<string> {
  return await printedBase(call.db, config) ?? `${call.request.protocol}://${call.request.host}`
}

function listCalls(kernel: Kernel, codes: QrResource, computed: Readonly<Record<string, SQL>> = QR_COMPUTED): Served[] {
  const endpoints = qrEndpoints(codes)
  return [
    handle(endpoints.retarget, (call) => {
      const { reason, rev, ...wanted } = call.input
      return call.transaction(async (tx) => {
        const row = await lockRow(tx, codes, call.staff, idParam(call))
        await checkRev(tx, row, rev, (stale) => present(codes, call.staff, stale))
        if (row.state !== QR_STATE.draft && reason === undefined) throw invalid({ reason: '二维码已付印，改指向请填写原因' })
        await touch(tx, codes, { ...await targetOf(tx, codes, wanted), health: QR_HEALTH.unknown, health_note: null, checked_at: null }, row.id)
        await tx.query(sql`select pg_notify(${QR_CHANNEL}, ${row.code})`)
        const saved = await readOne(tx, codes, call.staff, row.id, computed)
        if (!saved) throw notFound(codes.label)
        return present(codes, call.staff, saved)
      }, { action: 'retarget', ...(reason !== undefined && { reason }) })
    }),
    handle(endpoints.targets, async (call) => {
      const { kind, keyword = '' } = call.input
      const target = blockKind(kind)?.target
      return { items: target ? (await target.find(call.db, call.staff, keyword, null)).map((fact) => ({ ...fact, kind })) : [] }
    }),
    handle(endpoints.scans, async (call) => {
      const { id } = await rowOf(call, codes, computed)
      const from = startOfDay(Date.now() / 1000) - (SHOWN_DAYS - 1) * DAY
      const rows = await call.db.query<ScanDay & Record<string, unknown>>(sql`select day, n, people from qr_hit_day where qr_id = ${id} and day >= to_timestamp(${from}) order by day`)
      const known = new Map(rows.map((row) => [Number(row.day), row]))
      return { days: Array.from({ length: SHOWN_DAYS }, (_, at) => ({ day: from + at * DAY, n: 0, people: 0, ...known.get(from + at * DAY) })) }
    }),
    handle(endpoints.picture, async (call) => {
      const { code } = await rowOf(call, codes, computed)
      call.reply.type('image/svg+xml')
      return call.reply.send(qrSvg(await baseOf(call, kernel), code))
    }),
    handle(endpoints.pictures, async (call) => {
      const drawn = await call.db.query<Drawn & Record<string, unknown>>(sql`select code, name, section, page_no from qr_target where ${listCondition(codes, call.staff, { book_id: call.input.book_id })}
        order by section nulls first, page_no, id limit ${MOST_DRAWN}`)
      if (drawn.length === 0) throw badRequest('这本书还没有二维码')
      call.reply.headers({ 'content-type': 'application/zip', 'content-disposition': `attachment; filename="qr.zip"; filename*=UTF-8''${encodeURIComponent('二维码.zip')}` })
      return call.reply.send(pictureArchive(await baseOf(call, kernel), drawn))
    }),
  ]
}

/** A code as it is made where content is given its place in a book. */
interface NewCode {
  readonly book_id: number
  readonly level: number
  readonly name: string
  readonly section: string | null
  readonly page_no: number | null
  readonly kind: string
  readonly ref_id: number
}

/** Where a code stands that was not said to stand elsewhere: on a page. */
const ON_PAGE = 3

/**
 * Makes a code that leads to content. The right and the book were looked at.
 * @returns its id and its text
 * @throws AppError when it cannot lead there, or the book has a code of that name
 */
export async function addCode(tx: Queryable, staff: Staff, codes: QrResource, { kind, ref_id, ...values }: NewCode): Promise<{ id: number; code: string }> {
  const target = await targetOf(tx, codes, { kind, ref_id })
  const code = await freshCode(tx)
  const row = await insertRow(tx, codes, staff.id, { ...values, ...target, code, place: ON_PAGE }, QR_COMPUTED)
  return { id: Number(row.id), code }
}

/** Serves one more list of codes that are there already: those that lead to one kind of content. */
export function serveCodeList(codes: QrResource, more: Readonly<Record<string, SQL>>) {
  const computed = { ...QR_COMPUTED, ...more }
  return { services: [serveList(codes, computed)], calls: (kernel: Kernel): Served[] => listCalls(kernel, codes, computed) }
}

/** Serves codes: their lists, and whoever scans them. @param notesOf what is to be known about a printed page */
export function serveQrCodes(family: QrFamily, notesOf?: NotesOf) {
  addAssetUser(codesAsUsers(family))
  return {
    services: family.lists.map((codes) => serveList(codes)),
    calls: (kernel: Kernel): Served[] => [...family.lists.flatMap((codes) => listCalls(kernel, codes)), ...new Scans(kernel, family, notesOf).calls()],
    sweeps: (kernel: Kernel): Sweep[] => [visitorSweep(kernel.db), { name: 'qr_health', every: DAY, run: () => checkHealth(kernel, family) }],
    uses: [...usedByCodes('paper', ALL_PAPERS), ...usedByCodes('micro', LESSONS)],
  }
}
