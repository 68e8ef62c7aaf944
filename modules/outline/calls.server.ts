import { sql } from 'drizzle-orm'
import { handle, idParam, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, notFound } from '../../core/error/error.ts'
import { blockKind } from './block-kind.server.ts'
import {
  changeOutline, copyOutline, decideOrigin, discardOutline, findTargets, guessOutline, originNews, outlineImpact, outlineNews, outlineSources, outlineVersion, outlineVersions, OUTLINE_STATE, publishedOutline, publishOutline,
  readOutline, receiveLearnRecords, rollBackOutline, type PublishedBody,
} from './calls.ts'
import { copyInto, decide, originOf, sourcesFor } from './copy.server.ts'
import { above, inOrder } from './draft.ts'
import { applyToOutline, clashesOf, newsOf } from './edit.server.ts'
import { guessNodes } from './guess.ts'
import { takeRecords } from './learn.server.ts'
import { LESSON } from './node.ts'
import { hasOwners } from './owner.server.ts'
import { finishDiscard, impactOf, publish, requireSeen, returnTo, tokenOf } from './publish.server.ts'
import { outlineContent, readVersion } from './read.server.ts'
import { findOutline, readStored } from './store.server.ts'

const numberParam = (call: Pick<Call, 'params'>) => {
  const no = Number(call.params['no'])
  return Number.isSafeInteger(no) && no > 0 && no < 2 ** 31 ? no : 0
}

/** Calls of learners' apps. */
const appCalls = (): Served[] => [
  handle(receiveLearnRecords, (call) => call.transaction((tx) => takeRecords(tx, call.input.records))),
  handle(publishedOutline, async (call) => {
    const [row] = await call.db.query<{ no: number; body: PublishedBody }>(sql`select v.no, v.body from outline o join outline_version v on v.outline_id = o.id and v.no = o.version_no where o.id = ${idParam(call)}`)
    if (!row) throw notFound('课程目录')
    return row
  }),
]

/** Calls of the editor. */
const editCalls = (): Served[] => [
  handle(readOutline, async (call) => outlineContent(call.db, call.staff, await findOutline(call.db, call.staff, idParam(call), 'view'))),
  handle(outlineNews, async (call) => newsOf(call.db, (await findOutline(call.db, call.staff, idParam(call), 'view')).row, Number(call.input.rev))),
  handle(changeOutline, (call) => call.transaction(async (tx) => {
    const { row, owner } = await findOutline(tx, call.staff, idParam(call), 'edit', true)
    const { rev, changes } = call.input
    const { row: after, draft } = await applyToOutline(tx, call.staff.id, row, owner, changes)
    return newsOf(tx, after, rev, await clashesOf(tx, row.id, call.staff.id, rev, changes, draft))
  })),
  handle(findTargets, async (call) => {
    const { owner, facts } = await findOutline(call.db, call.staff, idParam(call), 'edit')
    const { kind, keyword = '' } = call.input
    const target = owner.blocks.includes(kind) ? blockKind(kind)?.target : undefined
    if (!target) throw badRequest('内容类型不正确')
    return { items: (await target.find(call.db, call.staff, keyword, facts.subject_id)).map((fact) => ({ ...fact, kind })) }
  }),
  handle(guessOutline, async (call) => {
    const { row } = await findOutline(call.db, call.staff, idParam(call), 'edit')
    const { draft: { nodes } } = await readStored(call.db, row.id)
    const placed = inOrder(nodes).filter(({ gone }) => !gone)
    const parents = new Set(placed.map(({ node }) => node.parent))
    const lessons = placed.filter(({ node }) => node.kind === LESSON || !parents.has(node.key)).map(({ node: { key, name } }) => ({ key, name, above: above(nodes, key).map((one) => nodes.get(one)?.name ?? '') }))
    const guesses = guessNodes(call.input.names, lessons)
    return { items: call.input.names.map((name, index) => ({ name, guesses: guesses[index] ?? [] })) }
  }),
]

/** Calls of versions. */
const versionCalls = (): Served[] => [
  handle(outlineImpact, async (call) => {
    const { row } = await findOutline(call.db, call.staff, idParam(call), 'publish')
    const impact = await impactOf(call.db, row, (await readStored(call.db, row.id)).draft)
    return { ...impact, token: tokenOf(row, impact) }
  }),
  handle(publishOutline, (call) => call.transaction(async (tx) => {
    const { row } = await findOutline(tx, call.staff, idParam(call), 'publish', true)
    await requireSeen(tx, row, call.input.token)
    return { no: await publish(tx, call.staff.id, row, call.input.note ?? '') }
  })),
  handle(discardOutline, (call) => call.transaction(async (tx) => {
    const found = await findOutline(tx, call.staff, idParam(call), 'edit', true)
    if (found.row.version_no === 0) throw badRequest('目录还没有发布过，没有可以回到的版本')
    if (found.row.state !== OUTLINE_STATE.changed) throw badRequest('目录没有未发布的改动')
    const row = await returnTo(tx, call.staff.id, found, found.row.version_no)
    return { rev: await finishDiscard(tx, row) }
  })),
  handle(outlineVersions, async (call) => {
    const { row } = await findOutline(call.db, call.staff, idParam(call), 'view')
    const items = await call.db.query<{ no: number; at: number; staff_name: string | null; note: string; lessons: number; minutes: number }>(sql`select v.no, extract(epoch from v.at)::int as at, s.name as staff_name, v.note, n.lessons, n.minutes
      from outline_version v left join staff s on s.id = v.staff_id cross join lateral (select count(*) filter (where (e->>'kind')::int = ${LESSON})::int as lessons, coalesce(sum((e->>'minutes')::numeric), 0)::float8 as minutes
        from jsonb_array_elements(v.body->'nodes') e where e->>'gone_since' is null) n where v.outline_id = ${row.id} order by v.no desc`)
    return { items, total: items.length }
  }),
  handle(outlineVersion, async (call) => {
    const { row } = await findOutline(call.db, call.staff, idParam(call), 'view')
    const no = numberParam(call)
    const body = await readVersion(call.db, row.id, no)
    if (!body) throw notFound('目录版本')
    return { no, body }
  }),
  handle(rollBackOutline, (call) => call.transaction(async (tx) => {
    const found = await findOutline(tx, call.staff, idParam(call), 'publish', true)
    const no = numberParam(call)
    await requireSeen(tx, found.row, call.input.token)
    return { no: await publish(tx, call.staff.id, await returnTo(tx, call.staff.id, found, no), `回滚到 v${no}`) }
  })),
]

/** Calls of copies and their origins. */
const copyCalls = (): Served[] => [
  handle(outlineSources, async (call) => ({ items: await sourcesFor(call.db, call.staff, (await findOutline(call.db, call.staff, idParam(call), 'edit')).row.id, call.input.keyword ?? '') })),
  handle(copyOutline, (call) => call.transaction(async (tx) => {
    const found = await findOutline(tx, call.staff, idParam(call), 'edit', true)
    const from = await findOutline(tx, call.staff, call.input.from_id, 'view')
    return { rev: (await copyInto(tx, call.staff.id, found, from.row)).rev }
  })),
  handle(originNews, async (call) => originOf(call.db, (await findOutline(call.db, call.staff, idParam(call), 'view')).row)),
  handle(decideOrigin, (call) => call.transaction(async (tx) => {
    const found = await findOutline(tx, call.staff, idParam(call), 'edit', true)
    const { rev, latest, decisions } = call.input
    return newsOf(tx, await decide(tx, call.staff.id, found, latest, decisions), rev)
  })),
]

/** The calls of outlines, answered. Where nobody has outlines those of the editor would be nobody's. */
export const outlineCalls = (): Served[] => [...appCalls(), ...(hasOwners() ? [...editCalls(), ...versionCalls(), ...copyCalls()] : [])]
