import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, invalid, notFound } from '../../core/error/error.ts'
import { present, readOne } from '../../core/resource/list.server.ts'
import { serve, type ResourceService } from '../../core/resource/serve.server.ts'
import { setDerived, touch } from '../../core/resource/touch.server.ts'
import { lockRow } from '../../core/resource/write.server.ts'
import type { Companion } from './companion.ts'
import { companionEndpoints, packEndpoints, type SharedPack } from './calls.ts'
import { differ, type PackItem } from './pack-item.ts'
import { PACK_STATE } from './pack.ts'

const COMPUTED = {
  item_cnt: sql`select coalesce(jsonb_array_length(t.items), 0)`,
  task_cnt: sql`select count(*)::int from companion_task x where x.pack_id = t.id and x.deleted_at is null`,
}

const itemsOf = (row: object): PackItem[] => ((row as { items?: PackItem[] | null }).items ?? [])

/** The items of a version; none where it was never published. */
export async function itemsOfVersion(db: Queryable, packId: number, version: number): Promise<PackItem[]> {
  const [row] = await db.query<{ items: PackItem[] }>(sql`select items from pack_version where pack_id = ${packId} and version = ${version}`)
  return row?.items ?? []
}

/** Keeps what a pack holds now as its next version. @throws AppError when it holds nothing, or nothing new */
async function publish(tx: Queryable, { packs }: Companion, row: { id: number; version: number | null }, staffId: number, again: boolean): Promise<void> {
  const items = itemsOf(row)
  if (items.length === 0) throw badRequest('资料包还没有内容，请先添加')
  const version = row.version ?? 0
  if (!differ(items, await itemsOfVersion(tx, row.id, version))) {
    if (again) throw badRequest('内容没有变化，不需要发布新版本')
    return
  }
  await tx.query(sql`insert into pack_version (pack_id, version, items, staff_id) values (${row.id}, ${version + 1}, ${JSON.stringify(items)}::jsonb, ${staffId})`)
  await setDerived(tx, packs, { version: version + 1 }, row.id)
}

/** Serves the lesson packs of a business. */
export function servePacks(companion: Companion): ResourceService {
  const { packs, kind } = companion
  return serve(packs)({
    computed: COMPUTED,
    async before({ tx, values }) {
      if (values.items === undefined) return
      const items = itemsOf(values)
      const wanted = { asset_id: ['asset', '素材'], paper_id: ['paper', '试卷'] } as const
      for (const [key, [table, label]] of Object.entries(wanted)) {
        const ids = [...new Set(items.flatMap((item) => item[key as keyof typeof wanted] ?? []))]
        if (ids.length === 0) continue
        const found = await tx.query<{ id: number }>(sql`select id from ${sql.identifier(table)} where id = any(${sql.param(ids)}::bigint[]) and deleted_at is null${table === 'paper' ? sql` and kind = ${kind.value}` : sql``}`)
        const gone = items.find((item) => item[key as keyof typeof wanted] && !found.some(({ id }) => id === item[key as keyof typeof wanted]))
        if (gone) throw invalid({ items: `「${gone.title}」所用的${label}不存在或已被删除` })
      }
    },
    effects: {
      async submit({ tx, staff, row }) {
        if (itemsOf(row).length === 0) throw badRequest('资料包还没有内容，请先添加')
        await touch(tx, packs, { submitted_by: staff.id }, row.id)
      },
      approve: ({ tx, staff, row }) => publish(tx, companion, row, staff.id, false),
      shelve: ({ tx, staff, row }) => publish(tx, companion, row, staff.id, false),
    },
  })
}

/** The spec's call for lesson packs, and a new version of one that is on the shelf. */
export function packCalls(companion: Companion): Served[] {
  const { packs, kind } = companion
  const { packs: shared } = companionEndpoints(companion)
  const { publish: again } = packEndpoints(packs)
  const read = async (db: Queryable, id: number | undefined, keyword: string | undefined) => db.query<SharedPack & Record<string, unknown>>(sql`select p.id, p.name, p.subject_id, s.name as subject_name, p.grade, p.season, p.note, p.version, p.cover, coalesce(jsonb_array_length(v.items), 0) as item_cnt
      ${id === undefined ? sql`` : sql`, v.items`}
    from lesson_pack p left join subject s on s.id = p.subject_id left join pack_version v on v.pack_id = p.id and v.version = p.version
    where p.kind = ${kind.value} and p.state = ${PACK_STATE.shelved} and p.deleted_at is null${id === undefined ? sql`` : sql` and p.id = ${id}`}${keyword ? sql` and p.name like ${`%${keyword.replace(/[\\%_]/g, '\\$&')}%`}` : sql``} order by p.sort, p.id limit 500`)
  return [
    handle(shared, async (call) => {
      const { lesson_pack_id: id, keyword } = call.input
      const lesson_packs = await read(call.db, id, keyword)
      if (id === undefined) return { lesson_packs, total: lesson_packs.length }
      const [pack] = lesson_packs
      if (!pack) throw notFound(packs.label)
      const used = await call.db.query<{ task_id: number; title: string; at: number }>(sql`select id as task_id, title, extract(epoch from created_at)::float8 as at from companion_task where pack_id = ${id} and deleted_at is null order by id desc limit 20`)
      return { lesson_packs: [{ ...pack, used }], total: 1 }
    }),
    handle(again, async (call) => {
      const id = await call.transaction(async (tx) => {
        const row = await lockRow(tx, packs, call.staff, idParam(call))
        if (row.state !== PACK_STATE.shelved) throw badRequest('只有已上架的资料包可以发布新版本')
        await publish(tx, companion, row, call.staff.id, true)
        return { id: row.id }
      }, { action: 'publish' })
      const row = await readOne(call.db, packs, call.staff, id.id, COMPUTED)
      if (!row) throw notFound(packs.label)
      return present(packs, call.staff, row)
    }),
  ]
}
