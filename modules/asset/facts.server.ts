import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import { sizeText } from '../../core/file/size.ts'
import { fileIdsIn } from '../../core/file/url.ts'
import { hasPieces, holds } from '../../core/resource/where.server.ts'
import { assetPath, ASSET_STATE, ASSET_STATES, ASSETS, type AssetKind } from './asset.ts'
import { clock } from './timing.ts'

/** What modules that show assets need to say of one. */
export interface AssetFacts {
  id: number
  name: string
  note: string
  minutes: number
  health: { tone: 'ok' | 'wait' | 'bad'; words: string }
  /** Assets have no versions that somebody could hold on to. */
  version_no: null
  cover: string | null
  path: string | null
  /** The address that plays. */
  url: string
}

/** What a person may choose from at once. */
const OFFERED = 50

interface Row { id: number; kind: AssetKind; name: string; state: number; seconds: number | null; bytes: number | null; width: number | null; height: number | null; cover: string | null; url: string; subtitled: boolean; expired: boolean }

function healthOf({ state, expired }: Row): AssetFacts['health'] {
  if (expired) return { tone: 'bad', words: '授权已到期' }
  if (state === ASSET_STATE.ready) return { tone: 'ok', words: '可用' }
  // What is looked at again still plays; what is switched off goes on where it is used.
  if (state === ASSET_STATE.checking || state === ASSET_STATE.off) return { tone: 'wait', words: choiceLabel(ASSET_STATES, state) }
  return { tone: 'bad', words: `素材${choiceLabel(ASSET_STATES, state)}，不能播放` }
}

function noteOf({ seconds, width, height, bytes, subtitled }: Row): string {
  const facts = [
    ...(seconds === null ? [] : [clock(seconds)]), ...(width === null || seconds !== null ? [] : [`${width}×${height}`]),
    ...(seconds === null && width === null && bytes !== null ? [sizeText(bytes)] : []), ...(subtitled ? ['有字幕'] : []),
  ]
  return facts.join(' · ')
}

async function read(db: Queryable, where: SQL): Promise<AssetFacts[]> {
  const rows = await db.query<Row & Record<string, unknown>>(sql`select t.id, t.kind, t.name, t.state, t.seconds::float8 as seconds, t.bytes, t.width, t.height, t.cover, t.url,
    coalesce(jsonb_array_length(t.subtitles), 0) > 0 as subtitled, coalesce(t.licence_until < now(), false) as expired from asset t where t.deleted_at is null and ${where}`)
  return rows.map((row) => ({
    id: row.id, name: row.name, note: noteOf(row), minutes: row.seconds === null ? 0 : Math.ceil(row.seconds / 60), health: healthOf(row), version_no: null,
    cover: row.cover ?? (row.kind === 'image' ? row.url : null), path: assetPath(row.kind, row.id), url: row.url,
  }))
}

/** What is to be said of assets of a kind; one that was removed is absent. */
export const assetFacts = (kind: AssetKind) => (db: Queryable, ids: readonly number[]): Promise<AssetFacts[]> => read(db, sql`t.kind = ${kind} and t.id = any(${sql.param([...ids])}::bigint[])`)

/** Assets of a kind that can be used in something new, the newest first, narrowed by words or a number; at most fifty. */
export const findAssetFacts = (kind: AssetKind) => (db: Queryable, _staff: unknown, words: string): Promise<AssetFacts[]> => {
  const resource = ASSETS[kind]
  const named = words.length > 1 ? sql`(${holds(sql`t.name`, words)} and ${hasPieces(resource, words, 't.')})` : holds(sql`t.name`, words)
  const asked = words === '' ? sql`true` : /^\d{1,15}$/.test(words) ? sql`(t.id = ${Number(words)} or ${named})` : named
  return read(db, sql`t.kind = ${kind} and t.state = ${ASSET_STATE.ready} and not coalesce(t.licence_until < now(), false) and ${asked} order by t.id desc limit ${OFFERED}`)
}

/**
 * Opens the files of assets to those who may see a screen on which they are used: an editor of courses need not have the
 * library. In the transaction that uses them.
 * @param screen id of that screen
 */
export async function openAssets(tx: Queryable, ids: readonly number[], screen: number): Promise<void> {
  if (ids.length === 0) return
  const rows = await tx.query<{ url: string; cover: string | null; subtitles: unknown }>(sql`select url, cover, subtitles from asset where id = any(${sql.param([...new Set(ids)])}::bigint[])`)
  const files = fileIdsIn(JSON.stringify(rows))
  if (files.length > 0) await tx.query(sql`update file set screens = screens || ${screen}::int where id = any(${sql.param(files)}::uuid[]) and not ${screen}::int = any(screens)`)
}

/** What was opened for the file of an asset is opened for the file that takes its place. @param screen id of the library's own screen, on which versions stay */
export async function handOverFile(tx: Queryable, from: string, to: string, screen: number): Promise<void> {
  const [[old], [next]] = [fileIdsIn(from), fileIdsIn(to)]
  if (old === undefined || next === undefined || old === next) return
  await tx.query(sql`update file n set screens = array(select distinct unnest(n.screens || o.screens)) from file o where n.id = ${next}::uuid and o.id = ${old}::uuid`)
  await tx.query(sql`update file set screens = array[${screen}::int] where id = ${old}::uuid and ${screen}::int = any(screens)`)
}
