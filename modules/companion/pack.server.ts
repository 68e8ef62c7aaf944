import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, invalid, notFound } from '../../core/error/error.ts'
import { present, readOne } from '../../core/resource/list.server.ts'
import { serve, type ResourceService } from '../../core/resource/serve.server.ts'
import { setDerived, touch } from '../../core/resource/touch.server.ts'
import { lockRow } from '../../core/resource/write.server.ts'
import type { Companion } from './companion.ts'
import { assetFacts, openAssets } from '../asset/door.server.ts'
import { screenId } from '../screens.ts'
import { companionEndpoints, packEndpoints, type Publication, type SharedPack, type TermAsset } from './calls.ts'
import type { PackItem } from './pack-item.ts'
import { difference, type PackTerm } from './pack-term.ts'
import { PACK_STATE } from './pack.ts'
import { TASK_STATE } from './task.ts'

const COMPUTED = {
  term_cnt: sql`select coalesce(jsonb_array_length(t.terms), 0)`,
  item_cnt: sql`select coalesce(jsonb_array_length(t.items), 0)`,
  task_cnt: sql`select count(*)::int from companion_task x where x.pack_id = t.id and x.deleted_at is null`,
}

const itemsOf = (row: object): PackItem[] => ((row as { items?: PackItem[] | null }).items ?? [])

const termsOf = (row: object): PackTerm[] => ((row as { terms?: PackTerm[] | null }).terms ?? [])

/** What a version holds; nothing where it was never published. */
async function versionOf(db: Queryable, packId: number, version: number): Promise<{ items: PackItem[]; terms: PackTerm[] }> {
  const [row] = await db.query<{ items: PackItem[]; terms: PackTerm[] }>(sql`select items, terms from pack_version where pack_id = ${packId} and version = ${version}`)
  return row ?? { items: [], terms: [] }
}

/** Ids of what terms sound and look like. */
const assetsOf = (terms: readonly PackTerm[]): number[] => [...new Set(terms.flatMap(({ sound_id, picture_id }) => [sound_id ?? [], picture_id ?? []].flat()))]

/** What terms sound and look like, for those who read them. */
async function termAssets(db: Queryable, terms: readonly PackTerm[]): Promise<TermAsset[]> {
  const ids = assetsOf(terms)
  if (ids.length === 0) return []
  const found = [...await assetFacts('audio')(db, ids), ...await assetFacts('image')(db, ids)]
  return found.map(({ id, name, url, health }) => ({ id, name, url, health }))
}

/** Refuses terms whose sound or picture is gone or something else, and items that use terms that are not there. */
async function checkTerms(tx: Queryable, terms: readonly PackTerm[], items: readonly PackItem[]): Promise<void> {
  const rows = await tx.query<{ id: number; kind: string }>(sql`select id, kind from asset where id = any(${sql.param(assetsOf(terms))}::bigint[]) and deleted_at is null`)
  const kinds = new Map(rows.map(({ id, kind }) => [id, kind]))
  for (const { word, sound_id, picture_id } of terms) {
    if (sound_id && kinds.get(sound_id) !== 'audio') throw invalid({ terms: `「${word}」的声音不存在或已被删除，请重新选择` })
    if (picture_id && kinds.get(picture_id) !== 'image') throw invalid({ terms: `「${word}」的图片不存在或已被删除，请重新选择` })
  }
  const known = new Set(terms.map(({ key }) => key))
  const astray = items.find((item) => item.terms?.some((key) => !known.has(key)))
  if (astray) throw invalid({ items: `「${astray.title}」用到的词条已被移除，请刷新后重试` })
}

/** Keeps what a pack holds now as its next version. @throws AppError when it holds nothing, or nothing new */
async function publish(tx: Queryable, { packs }: Companion, row: { id: number; version: number | null }, staffId: number, again: boolean): Promise<void> {
  const [items, terms] = [itemsOf(row), termsOf(row)]
  if (items.length === 0) throw badRequest('资料包还没有内容，请先添加')
  const version = row.version ?? 0
  if (JSON.stringify({ items, terms }) === JSON.stringify(await versionOf(tx, row.id, version))) {
    if (again) throw badRequest('内容没有变化，不需要发布新版本')
    return
  }
  await tx.query(sql`insert into pack_version (pack_id, version, items, terms, staff_id) values (${row.id}, ${version + 1}, ${JSON.stringify(items)}::jsonb, ${JSON.stringify(terms)}::jsonb, ${staffId})`)
  await setDerived(tx, packs, { version: version + 1 }, row.id)
}

/** Serves the lesson packs of a business. */
export function servePacks(companion: Companion): ResourceService {
  const { packs, kind } = companion
  return serve(packs)({
    computed: COMPUTED,
    async before({ tx, values, row }) {
      if (values.items === undefined && values.terms === undefined) return
      const items = itemsOf(values.items === undefined ? row ?? {} : values)
      const terms = termsOf(values.terms === undefined ? row ?? {} : values)
      await checkTerms(tx, terms, items)
      // Whoever reads the pack hears and sees its terms, with the library or without it.
      for (const screen of [packs.grant, ...(kind.screens.tutor ? [screenId(kind.screens.tutor.content)] : [])]) await openAssets(tx, assetsOf(terms), screen)
      if (values.items === undefined) return
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
  const { publish: again, publication, assets } = packEndpoints(packs)
  const read = async (db: Queryable, id: number | undefined, keyword: string | undefined) => db.query<SharedPack & Record<string, unknown>>(sql`select p.id, p.name, p.subject_id, s.name as subject_name, p.grade, p.season, p.note, p.version, p.cover, coalesce(jsonb_array_length(v.items), 0) as item_cnt
      ${id === undefined ? sql`` : sql`, v.items, v.terms`}
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
      return { lesson_packs: [{ ...pack, assets: await termAssets(call.db, pack.terms ?? []), used }], total: 1 }
    }),
    handle(assets, async (call) => {
      const row = await readOne(call.db, packs, call.staff, idParam(call), COMPUTED)
      if (!row) throw notFound(packs.label)
      return { items: await termAssets(call.db, termsOf(row)) }
    }),
    handle(publication, async (call) => {
      const row = await readOne(call.db, packs, call.staff, idParam(call), COMPUTED)
      if (!row) throw notFound(packs.label)
      const version = row.version ?? 0
      const before = await versionOf(call.db, row.id, version)
      // Tasks that are over change for nobody.
      const stays = await call.db.query<Publication['stays'][number] & Record<string, unknown>>(sql`select k.pack_version as version, count(distinct k.id)::int as tasks, count(distinct p.student_id)::int as students from companion_task k left join task_student p on p.task_id = k.id
        where k.pack_id = ${row.id} and k.pack_version is not null and k.state = ${TASK_STATE.running} and k.deleted_at is null group by k.pack_version order by k.pack_version desc limit 20`)
      return { version, items: difference(before.items, itemsOf(row), ({ title }) => title), terms: difference(before.terms, termsOf(row), ({ word }) => word), stays }
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
