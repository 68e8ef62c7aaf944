import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../../core/endpoint/serve.server.ts'
import { badRequest, notGranted } from '../../../core/error/error.ts'
import { handedImport, onImportUndo, writeImportItems, type HandedItem } from '../../practice/door.server.ts'
import { MAX_ITEMS, MAX_SECTIONS, NO_FRONT, type PaperBody } from '../compose/body.ts'
import { mayEdit } from '../content.server.ts'
import { placesOf } from '../kind.ts'
import { makePaper } from '../make.server.ts'
import { PAPERS, screenOfPaper } from '../paper.ts'
import { subjectOf } from '../smart/subject.server.ts'
import { importedPaper, paperFromImport, type ImportedPaper } from './calls.ts'
import { planPaper, type PlannedItem } from './plan.ts'

type Handed = Awaited<ReturnType<typeof handedImport>>

const planned = ({ ord, place, question, section }: HandedItem): PlannedItem => ({ ord, place, section, score: question?.score ?? null, parts: question?.children.map(({ score }) => score) ?? [] })
const taken = ({ skip, practice_id }: HandedItem) => !skip || practice_id !== null
/** The paper that was made of an import and is still there. */
const madeOf = async (db: Queryable, importId: number) => (await db.query<{ id: number; name: string; kind: string; level: number }>(sql`select p.id, p.name, p.kind, p.level from paper_import f join paper p on p.id = f.paper_id where f.import_id = ${importId} and p.deleted_at is null`))[0]

/** The one subject of all questions. */
function subjectIdOf({ batch, items }: Handed): number {
  const ids = [...new Set(items.filter(taken).flatMap(({ subject_id }) => subject_id ?? []))]
  if (ids.length > 1) throw badRequest('这份文件的试题属于不同学科，不能成为一份试卷')
  const id = ids[0] ?? batch.subject_id
  if (id === null || id === undefined) throw badRequest('试题还没有学科，请先统一设置学科')
  return id
}

function checkWhole({ batch, items }: Handed): void {
  if (batch.state !== 'ready' && batch.state !== 'done') throw badRequest(batch.state === 'parsing' ? '文件正在解析，请稍候' : '这次导入已经撤销')
  if (batch.head === null) throw badRequest('这个文件不是整份试卷，请用“入库”')
  const count = items.filter(taken).length
  if (count === 0) throw badRequest('没有可以成卷的试题')
  if (count > MAX_ITEMS) throw badRequest(`试题最多 ${MAX_ITEMS} 道，这份文件有 ${count} 道`)
}

const bare = (name: string) => name.replace(/\.\w+$/, '')
const isAlike = ({ like_id, like_kind, like_no, practice_id }: HandedItem) => practice_id === null && like_id !== null && like_kind !== null && like_no !== null

async function preview(db: Queryable, handed: Handed, subject: { name: string }): Promise<ImportedPaper> {
  const { batch, items } = handed
  const made = await madeOf(db, batch.id)
  const present = items.filter(taken)
  const { sections, notes } = planPaper(present.map(planned), batch.head?.total ?? null)
  return {
    made: made ? { id: made.id, name: made.name, detail: placesOf(screenOfPaper(made), made.id).detail } : null,
    name: batch.head?.title || bare(batch.file_name).slice(0, 100), subject_name: subject.name, minutes: batch.head?.minutes ?? null, secret: batch.head?.secret ?? '', notices: batch.head?.notices ?? [],
    sections: sections.map(({ part, name, title, items: own }) => ({ part, title: title || name, questions: own.length, points: own.reduce((all, { score }) => all + score, 0) })),
    alike: present.filter(isAlike).map(({ ord, place, like_kind, like_no, like_id }) => ({ ord, place, kind: like_kind ?? 'same', no: like_no ?? '', practice_id: like_id ?? 0 })),
    problems: present.filter(({ state, practice_id }) => practice_id === null && state === 'problem').map(({ place }) => place),
    left_out: items.filter((item) => !taken(item)).map(({ place }) => place), notes,
  }
}

/** The calls of papers made of imported files, answered. */
export function importPaperCalls(): Served[] {
  return [
    handle(importedPaper, async (call) => {
      const handed = await handedImport(call.db, call.staff, idParam(call))
      checkWhole(handed)
      return preview(call.db, handed, await subjectOf(call.db, call.staff, subjectIdOf(handed)))
    }),
    handle(paperFromImport, (call) => call.transaction(async (tx) => {
      const { name, problems, choices = [] } = call.input
      const handed = await handedImport(tx, call.staff, idParam(call), true)
      const { batch, items } = handed
      checkWhole(handed)
      const made = await madeOf(tx, batch.id)
      if (made) throw badRequest(`这个文件已经成卷「${made.name}」`)
      const subject = await subjectOf(tx, call.staff, subjectIdOf(handed))
      const resource = PAPERS.base[subject.level]
      if (!resource || !mayEdit(call.staff, { kind: 'base', level: subject.level })) throw notGranted('试卷 · 新增和编辑')
      const present = items.filter(taken)
      const chosen = new Map(choices.map(({ ord, use }) => [ord, use]))
      const open = present.filter((item) => isAlike(item) && item.like_kind !== 'same' && !chosen.has(item.ord))
      if (open.length > 0) throw badRequest(`${open.map(({ place }) => place).slice(0, 5).join('、')} 与题库的题相似，请选择用题库的题还是作为新题`)
      const ofBank = (item: HandedItem) => isAlike(item) && (chosen.get(item.ord) ?? 'bank') === 'bank'
      const fresh = present.filter((item) => item.practice_id === null && !ofBank(item))
      const unread = fresh.filter(({ question, subject_id }) => question === null || subject_id === null)
      if (unread.length > 0) throw badRequest(`${unread.map(({ place }) => place).slice(0, 5).join('、')} 没有读出来，请修改或跳过`)
      const doubtful = fresh.filter(({ state }) => state === 'problem')
      if (!problems && doubtful.length > 0) throw badRequest(`还有 ${doubtful.length} 道题有问题（${doubtful.map(({ place }) => place).slice(0, 5).join('、')}），请先修改、核对或跳过`)
      const written = await writeImportItems(tx, call.staff, batch.id, fresh.map(({ ord }) => ord))
      const ids = new Map(present.map((item) => [item.ord, item.practice_id ?? (ofBank(item) ? item.like_id : written.get(item.ord)) ?? 0]))
      const twins = present.filter((item, index) => present.findIndex((other) => ids.get(other.ord) === ids.get(item.ord)) !== index)
      if (twins.length > 0) throw badRequest(`${twins.map(({ place }) => place).slice(0, 5).join('、')} 与前面的题对应题库的同一道题，请选择作为新题或跳过`)
      const versions = new Map((await tx.query<{ id: number; version_no: number; subject_id: number }>(sql`select id, version_no::int as version_no, subject_id from practice where id = any(${sql.param([...ids.values()])}::bigint[]) and deleted_at is null`)).map((row) => [row.id, row]))
      const gone = present.find((item) => versions.get(ids.get(item.ord) ?? 0)?.subject_id !== subject.id)
      if (gone) throw badRequest(`${gone.place} 对应的题库试题已删除或不属于「${subject.name}」，请作为新题`)
      const { sections } = planPaper(present.map(planned), null)
      if (sections.length > MAX_SECTIONS) throw badRequest(`大题最多 ${MAX_SECTIONS} 个`)
      const { secret = '', notices = [], minutes = null } = batch.head ?? {}
      const body: PaperBody = {
        ...((secret || notices.length > 0) && { front: { ...NO_FRONT, secret, notices: notices.join('\n').slice(0, 2000) } }),
        sections: sections.map(({ part, items: own, ...words }) => ({
          ...words, ...(part && { part }), items: own.map(({ ord, score, sub_scores }) => ({ practice_id: ids.get(ord) ?? 0, version_no: versions.get(ids.get(ord) ?? 0)?.version_no ?? 1, score, sub_scores })),
        })),
      }
      const id = await makePaper(tx, call.staff.id, resource, { name, subject_id: subject.id, level: subject.level, ...(minutes !== null && minutes <= 600 && { duration: minutes }) }, body)
      await tx.query(sql`insert into paper_import (import_id, paper_id) values (${batch.id}, ${id}) on conflict (import_id) do update set paper_id = excluded.paper_id`)
      return { id, name, detail: placesOf(screenOfPaper({ kind: 'base', level: subject.level }), id).detail, written: written.size, reused: present.filter(ofBank).length }
    })),
  ]
}

/** Papers keep the imports that they were made of. */
export function keepImports(): void {
  onImportUndo(async (tx, importId) => {
    const made = await madeOf(tx, importId)
    return made ? `这次导入已经成卷「${made.name}」，请先删除试卷` : null
  })
}
