import { sql } from 'drizzle-orm'
import { handle, idParam, type Call, type Served } from '../../../core/endpoint/serve.server.ts'
import { invalid, notFound, notGranted, wrongState } from '../../../core/error/error.ts'
import { choiceLabel } from '../../../core/field/choice.ts'
import { fileIdsIn } from '../../../core/file/url.ts'
import type { Kernel } from '../../../core/kernel/kernel.server.ts'
import { readHistory } from '../../../core/resource/history.server.ts'
import { checkRevision, lockPractice, reachable } from '../bank/access.server.ts'
import { readDetail } from '../bank/detail.server.ts'
import { checkAction } from '../bank/held.server.ts'
import { bankGrant, practice, STATUS, STATUSES } from '../bank/practice.ts'
import { EDITABLE } from '../bank/state.ts'
import { claimContent, insertPractices, readInput, readWritten, updatePractice } from '../bank/write.server.ts'
import { notePairs } from '../compare/pairs.server.ts'
import { usesOf } from '../compare/uses.server.ts'
import { picturesOf } from '../content/fingerprint.ts'
import { contentSchema } from '../content/question.ts'
import { hashPictures } from '../picture/hash.server.ts'
import { alike } from './alike.server.ts'
import {
  createPractice, dropDraft, findAlike, keepDraft, practiceHistory, practiceUses, practiceVersion, practiceVersions, readDraft, restoreVersion, savePractice, type Draft, type Version, type Written,
} from './calls.ts'

/** Longest draft, as JSON. */
const MAX_DRAFT = 1_000_000

/** Locks a question whose text this person may change now. */
async function lockEditable(tx: Parameters<typeof lockPractice>[0], call: Pick<Call, 'staff' | 'params'>, rev: number | undefined) {
  const row = await lockPractice(tx, call.staff, idParam(call))
  checkAction(call.staff, row, 'edit', '新增和编辑')
  if (row.pool !== 'back' || !EDITABLE.includes(row.status)) throw wrongState('编辑', choiceLabel(STATUSES, row.status))
  await checkRevision(tx, call.staff, row, rev)
  return row
}

/** Refuses questions that the person may not see. */
async function checkSeen(call: Pick<Call, 'db' | 'staff' | 'params'>): Promise<number> {
  const id = idParam(call)
  const [seen] = await call.db.query(sql`select 1 from practice p where p.id = ${id} and p.deleted_at is null and ${reachable(call.staff)}`)
  if (!seen) throw notFound('试题')
  return id
}

const versionColumns = sql.raw('v.version_no, v.at, s.name as staff_name, v.note, v.published')

/** The calls of the editor, answered. */
export function editCalls({ files, words }: Pick<Kernel, 'files' | 'words'>): Served[] {
  const dropOwn = (tx: Parameters<typeof lockPractice>[0], staffId: number, practiceId: number, level: number) =>
    tx.query(sql`delete from practice_draft where staff_id = ${staffId} and practice_id = ${practiceId} and level = ${level}`)
  return [
    handle(createPractice, async (call) => {
      const { level, note, ...sent } = call.input
      if (!call.staff.modules.has(bankGrant('back', level, 'edit'))) throw notGranted('新增和编辑')
      const input = await readInput(call.db, call.staff, level, sent)
      await hashPictures(call.db, files, picturesOf(input.content))
      return call.transaction(async (tx) => {
        await claimContent(tx, call.staff, level, input.content, input.facts)
        const [id = 0] = await insertPractices(tx, call.staff.id, [{ ...input, pool: 'back', level, status: STATUS.draft, owner_id: call.staff.id }], note)
        await notePairs(tx, { id, subject_id: input.facts.subject_id, origin_id: null, content: input.content })
        await dropOwn(tx, call.staff.id, 0, level)
        return readDetail(tx, call.staff, id)
      })
    }),
    handle(savePractice, async (call) => {
      const { rev, note, ...sent } = call.input
      await hashPictures(call.db, files, fileIdsIn(JSON.stringify(sent.content ?? null)))
      return call.transaction(async (tx) => {
        const row = await lockEditable(tx, call, rev)
        const input = await readInput(tx, call.staff, row.level, sent, [{ exam_year: row.exam_year }])
        await claimContent(tx, call.staff, row.level, input.content, input.facts)
        await updatePractice(tx, call.staff.id, row, input, { note })
        await notePairs(tx, { ...row, subject_id: input.facts.subject_id, content: input.content })
        await dropOwn(tx, call.staff.id, row.id, row.level)
        return readDetail(tx, call.staff, row.id)
      })
    }),
    handle(practiceVersions, async (call) => {
      const id = await checkSeen(call)
      const items = await call.db.query<Version>(sql`select ${versionColumns} from practice_version v left join staff s on s.id = v.staff_id where v.practice_id = ${id} order by v.version_no desc limit 500`)
      return { items, total: items.length }
    }),
    handle(practiceVersion, async (call) => {
      const id = await checkSeen(call)
      const [version] = await call.db.query<Version & { snapshot: Written }>(sql`select ${versionColumns}, v.snapshot from practice_version v left join staff s on s.id = v.staff_id where v.practice_id = ${id} and v.version_no = ${idParam(call, 'no')}`)
      if (!version) throw notFound('历史版本')
      return version
    }),
    handle(restoreVersion, async (call) => {
      const no = idParam(call, 'no')
      return call.transaction(async (tx) => {
        const row = await lockEditable(tx, call, call.input.rev)
        const [version] = await tx.query<{ snapshot: Written }>(sql`select snapshot from practice_version where practice_id = ${row.id} and version_no = ${no}`)
        const now = await readWritten(tx, row.id)
        if (!version || !now) throw notFound('历史版本')
        // Labels and chapters that are gone since then stay as they are today.
        const { labels, chapter_ids } = now
        const kept = [{ exam_year: version.snapshot.facts.exam_year }]
        const input = await readInput(tx, call.staff, row.level, { ...version.snapshot }, kept).catch(() => readInput(tx, call.staff, row.level, { ...version.snapshot, labels, chapter_ids }, kept))
        await updatePractice(tx, call.staff.id, row, input, { note: `恢复到版本 ${no}` })
        return readDetail(tx, call.staff, row.id)
      }, { action: 'revert' })
    }),
    handle(readDraft, async (call) => {
      const { practice_id, level } = call.input
      const [row] = await call.db.query<{ body: Partial<Written>; base_rev: number | null; at: number }>(
        sql`select body, base_rev, at from practice_draft where staff_id = ${call.staff.id} and practice_id = ${Number(practice_id)} and level = ${Number(level)}`)
      const draft: Draft | null = row ? { written: row.body, base_rev: row.base_rev, at: row.at } : null
      return { draft }
    }),
    handle(keepDraft, async (call) => {
      const { practice_id, level, base_rev, written } = call.input
      const body = JSON.stringify(written)
      if (body.length > MAX_DRAFT) throw invalid({ written: '内容太长，不能自动保存' })
      if (body.includes('\\u0000')) throw invalid({ written: '内容含有不能保存的字符' })
      return call.transaction(async (tx) => {
        const [row] = await tx.query<{ at: number }>(sql`insert into practice_draft (staff_id, practice_id, level, base_rev, body, at) values (${call.staff.id}, ${practice_id}, ${level}, ${base_rev}, ${body}::jsonb, now())
          on conflict (staff_id, practice_id, level) do update set base_rev = excluded.base_rev, body = excluded.body, at = excluded.at returning at`)
        return { at: row?.at ?? 0 }
      })
    }),
    handle(dropDraft, (call) => call.transaction(async (tx) => {
      await dropOwn(tx, call.staff.id, Number(call.input.practice_id), Number(call.input.level))
      return {}
    })),
    handle(practiceUses, async (call) => {
      const items = await usesOf(call.db, call.staff, await checkSeen(call))
      return { items, total: items.length }
    }),
    handle(practiceHistory, async (call) => readHistory(call.db, words, practice, await checkSeen(call), { page: call.input.page ?? '0' }, true)),
    handle(findAlike, async (call) => {
      const read = contentSchema.safeParse(call.input.content)
      if (!read.success) throw invalid({ content: read.error.issues[0]?.message ?? '内容格式不正确' })
      await hashPictures(call.db, files, picturesOf(read.data))
      const items = await alike(call.db, call.staff, read.data, call.input.cat_id, call.input.except_id)
      return { items, total: items.length }
    }),
  ]
}
