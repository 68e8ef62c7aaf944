import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { invalid, notFound } from '../../core/error/error.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { assetFacts, findAssetFacts, openAssets } from '../asset/door.server.ts'
import { addBelow, blocksByNode, editAtOnce, inOrder, newBlock, newKey, placesAmong, readOwned, shiftTo, type Change, type EditedAtOnce, type OutlineBlock, type OwnedOutline } from '../outline/door.server.ts'
import { addVideo, dropVideo, lessonVideos, setVideo, videosToAdd, type LessonVideo, type VideoInput } from './calls.ts'
import { findLesson, lessonToEdit } from './find.server.ts'
import { OUTLINE_KIND, videoRights } from './lesson.ts'
import { LOOSE, sectionOf } from './section.server.ts'
import { VIDEO_SLOTS } from './slots.ts'

const STEP = 10
const TRIAL = 4
const LECTURE = 1
const kind = OUTLINE_KIND

interface Placed { readonly block: OutlineBlock; readonly node: { readonly key: string; readonly name: string; readonly free: number | null }; readonly sort: number }

/** The videos of a course in their order, with their place among those of their section. */
function placedVideos({ draft }: OwnedOutline): Placed[] {
  const blocks = blocksByNode(draft.blocks)
  return inOrder(draft.nodes).flatMap(({ node, gone }) => (gone ? [] : (blocks.get(node.key) ?? []).filter((block) => block.kind === 'video').map((block, index) => ({ block, node, sort: (index + 1) * STEP }))))
}

/** Videos as calls of the specification know them. */
async function videosOf(db: Queryable, outline: OwnedOutline): Promise<LessonVideo[]> {
  const placed = placedVideos(outline)
  const ids = [...new Set(placed.map(({ block }) => block.ref_id))]
  const facts = new Map((await assetFacts('video')(db, ids)).map((one) => [one.id, one]))
  const seconds = new Map((await db.query<{ id: number; seconds: number | null }>(sql`select id, seconds::float8 as seconds from asset where id = any(${sql.param(ids)}::bigint[])`)).map((one) => [one.id, one.seconds]))
  const nodes = [...new Set(placed.map(({ node }) => outline.nodeIds.get(node.key) ?? 0))]
  const stats = new Map((await db.query<{ node_id: number; begun: number; finished: number }>(sql`select node_id, count(*)::int as begun, count(*) filter (where done)::int as finished from learn_stat
    where node_id = any(${sql.param(nodes)}::bigint[]) group by node_id`)).map((one) => [one.node_id, one]))
  return placed.map(({ block, node, sort }) => {
    const [fact, loose, nodeId] = [facts.get(block.ref_id), node.key === LOOSE.key, outline.nodeIds.get(node.key) ?? 0]
    return {
      id: outline.blockIds.get(block.key) ?? 0, section_id: loose ? null : nodeId, section_name: loose ? null : node.name, type: block.slot ?? LECTURE, title: block.title || (fact?.name ?? ''),
      asset_id: block.ref_id, vod_id: String(block.ref_id), url: fact?.url ?? '', cover: fact?.cover ?? null, duration: seconds.get(block.ref_id) ?? null, trial: block.slot === TRIAL || (node.free ?? 0) > 0, sort,
      begun: stats.get(nodeId)?.begun ?? 0, finished: stats.get(nodeId)?.finished ?? 0, health: fact?.health ?? { tone: 'bad', words: '已被删除' },
    }
  })
}

/** The videos of a course. */
export const readVideos = async (db: Queryable, lessonId: number): Promise<LessonVideo[]> => videosOf(db, await readOwned(db, kind, lessonId))

/** The video of the library that is meant, by either of its names. */
const assetIn = ({ asset_id, vod_id }: VideoInput): number | undefined => asset_id ?? (vod_id === undefined ? undefined : Number(vod_id))
const slotIn = ({ type, trial }: VideoInput): number | undefined => type ?? (trial === true || trial === 1 ? TRIAL : undefined)

/** Key of the node that a section's id names; that of what stands in no section without one. */
const nodeIn = (outline: OwnedOutline, sectionId: number | null | undefined): string => (typeof sectionId === 'number' ? sectionOf(outline, sectionId).key : LOOSE.key)

/** Makes the node of what stands in no section where there is none, or brings it back. */
function looseNode({ draft }: OwnedOutline): Change[] {
  const known = draft.nodes.get(LOOSE.key)
  if (known) return known.gone ? [{ do: 'restore', keys: [LOOSE.key] }] : []
  return addBelow(draft, null, [{ ...LOOSE, kind: 4, free: null, trial_minutes: null, unlock: 0, unlock_score: null, open_at: null, label_ids: [], chapter_id: null }])
}

/** The video before which one with this place comes. */
const before = (outline: OwnedOutline, node: string, sort: number | undefined, without?: string): string | undefined =>
  (sort === undefined ? undefined : placedVideos(outline).find((one) => one.node.key === node && one.block.key !== without && one.sort >= sort)?.block.key)

/** Changes that put videos into sections, behind each other. */
function binding(outline: OwnedOutline, videos: readonly (VideoInput & { key: string })[]): Change[] {
  const changes: Change[] = videos.some(({ section_id }) => typeof section_id !== 'number') ? looseNode(outline) : []
  for (const [node, own] of Map.groupBy(videos, ({ section_id }) => nodeIn(outline, section_id))) {
    const siblings = blocksByNode(outline.draft.blocks).get(node) ?? []
    const { ords, spread } = placesAmong(siblings, own.length, before(outline, node, own[0]?.sort))
    if (spread.length > 0) changes.push({ do: 'shift', node, blocks: [...spread] })
    changes.push({ do: 'bind', blocks: own.map((video, index) => newBlock({ key: video.key, node, ord: ords[index] ?? 'a0', kind: 'video', ref_id: assetIn(video) ?? 0 }, { slot: slotIn(video) ?? LECTURE, title: video.title ?? '' })) })
  }
  return changes
}

/** Puts videos of the library into a course. @throws AppError when one names none */
export async function addVideos(tx: Queryable, staff: Staff, lesson: { readonly id: number }, videos: readonly VideoInput[]): Promise<EditedAtOnce & { keys: string[] }> {
  const keyed = videos.map((video) => ({ ...video, key: newKey() }))
  const lacking = keyed.findIndex((video) => !assetIn(video))
  if (lacking >= 0) throw invalid({ vod_id: videos.length > 1 ? `第 ${lacking + 1} 个视频没有选择素材` : '请选择视频' })
  const edited = await editAtOnce(tx, staff.id, { kind, id: lesson.id }, '新增视频', (outline) => binding(outline, keyed))
  // The outline opens them to those who edit sections; here to those who look after videos.
  await openAssets(tx, keyed.flatMap((video) => assetIn(video) ?? []), videoRights.screen)
  return { ...edited, keys: keyed.map(({ key }) => key) }
}

/** The block that a video's id names. @throws AppError when there is none */
function videoOf(outline: OwnedOutline, id: number): OutlineBlock {
  const found = placedVideos(outline).find(({ block }) => outline.blockIds.get(block.key) === id)
  if (!found) throw notFound('视频')
  return found.block
}

/** Changes of one video; another of the library takes its place under the same id. */
function changing(outline: OwnedOutline, id: number, input: VideoInput): Change[] {
  const block = videoOf(outline, id)
  const [asset, slot] = [assetIn(input), slotIn(input)]
  const values = { ...(input.title !== undefined && { title: input.title }), ...(slot !== undefined && { slot }) }
  const node = input.section_id === undefined ? block.node : nodeIn(outline, input.section_id)
  const moves = node !== block.node || input.sort !== undefined
  return [
    ...(asset !== undefined && asset !== block.ref_id ? [{ do: 'unbind' as const, keys: [block.key] }, { do: 'bind' as const, blocks: [{ ...block, ref_id: asset }] }] : []),
    ...(Object.keys(values).length > 0 ? [{ do: 'block' as const, keys: [block.key], values }] : []),
    ...(node === LOOSE.key && moves ? looseNode(outline) : []),
    ...(moves ? shiftTo(outline.draft, [block.key], node, before(outline, node, input.sort, block.key)) : []),
  ]
}

/** One video as it is answered. */
async function shown(tx: Queryable, edited: EditedAtOnce, id: number): Promise<LessonVideo> {
  const found = (await videosOf(tx, edited)).find((one) => one.id === id)
  if (!found) throw notFound('视频')
  return { ...found, waits: edited.waits }
}

/** spec 7: clients name the type beside the path. @throws AppError when it is none */
function typed(call: Call<VideoInput>): VideoInput {
  const asked = (call.request.query as Readonly<Record<string, unknown>>)['type']
  if (asked === undefined || call.input.type !== undefined) return call.input
  if (!VIDEO_SLOTS.some(({ value }) => String(value) === asked)) throw invalid({ type: '视频类型应为 1 正课、2 预习、3 答疑、4 试看' })
  return { ...call.input, type: Number(asked) }
}

/** The calls of videos, answered. */
export function videoCalls(): Served[] {
  return [
    handle(lessonVideos, async (call) => {
      const { id } = await findLesson(call.db, call.staff, idParam(call))
      const { type, section_id } = call.input
      const items = (await readVideos(call.db, id)).filter((one) => (type === undefined || one.type === Number(type)) && (section_id === undefined || one.section_id === Number(section_id)))
      return { items, total: items.length }
    }),
    handle(addVideo, (call) => call.transaction(async (tx) => {
      const edited = await addVideos(tx, call.staff, await lessonToEdit(tx, call.staff, idParam(call)), [typed(call)])
      return shown(tx, edited, edited.blockIds.get(edited.keys[0] ?? '') ?? 0)
    })),
    handle(setVideo, (call) => call.transaction(async (tx) => {
      const [{ id }, videoId] = [await lessonToEdit(tx, call.staff, idParam(call)), idParam(call, 'videoId')]
      const edited = await editAtOnce(tx, call.staff.id, { kind, id }, '修改视频', (outline) => changing(outline, videoId, call.input))
      const asset = assetIn(call.input)
      if (asset !== undefined) await openAssets(tx, [asset], videoRights.screen)
      return shown(tx, edited, videoId)
    })),
    handle(dropVideo, (call) => call.transaction(async (tx) => {
      const [{ id }, videoId] = [await lessonToEdit(tx, call.staff, idParam(call)), idParam(call, 'videoId')]
      const { waits } = await editAtOnce(tx, call.staff.id, { kind, id }, '移除视频', (outline) => [{ do: 'unbind', keys: [videoOf(outline, videoId).key] }])
      return { waits }
    })),
    handle(videosToAdd, async (call) => {
      await findLesson(call.db, call.staff, idParam(call))
      return { items: (await findAssetFacts('video')(call.db, call.staff, call.input.keyword ?? '')).map(({ id, name, note, cover }) => ({ id, name, note, cover })) }
    }),
  ]
}
