import { sql } from 'drizzle-orm'
import { badRequest } from '../../core/error/error.ts'
import { defineJob, type JobContext, type JobDefinition } from '../../core/job/define.server.ts'
import { forgetCounts } from '../../core/resource/list.server.ts'
import { listCondition, type Query } from '../../core/resource/where.server.ts'
import type { BulkDone } from '../../core/transfer/calls.ts'
import type { FileStore } from '../../core/file/store.server.ts'
import { actionOf, changeCodes, type ActionTerms } from './change.server.ts'
import type { CodeActionName } from './code-state.ts'
import { exportCodes, type CodeExportJob } from './export.server.ts'
import type { ServedFamily } from './hooks.server.ts'

/** Codes that are changed in one transaction. */
const PART = 1000
/** Codes that were left alone and are named with why. */
const NAMED = 200

/** What a job that acts on many codes is asked for. */
export interface ActJob extends ActionTerms {
  action: CodeActionName
  /** Which codes: those of a list query, which may name ids. */
  query: Query
  reason: string
}

interface ActState extends BulkDone {
  /** Codes up to this id are handled. */
  last: number
  /** Codes that came later are none of its business. */
  until: number
  total: number
}

/** Name of the job that acts on many codes of a family. */
export const actKind = ({ family }: Pick<ServedFamily, 'family'>): string => `${family.code.name} act`
export const exportKind = ({ family }: Pick<ServedFamily, 'family'>): string => `${family.code.name} export`

async function begin({ db, staff, input }: JobContext<ActJob, ActState>, { family }: ServedFamily): Promise<ActState> {
  const [found] = await db.query<{ n: number; until: number | null }>(
    sql`select count(*) as n, max(id) as until from ${sql.identifier(family.code.table)} where ${listCondition(family.code, staff, input.query)}`,
  )
  return { last: 0, until: found?.until ?? 0, total: found?.n ?? 0, done: 0, skipped: 0, reasons: [] }
}

/**
 * Does an action to many codes, part by part. A part and how far it came are one transaction, so that an interrupted job
 * goes on behind it. Codes that leave the query by the action itself do no harm: it goes by ids.
 */
async function runAct(context: JobContext<ActJob, ActState>, served: ServedFamily): Promise<BulkDone> {
  const { db, input: { action, query, reason, until, owner }, signal, progress } = context
  const { code } = served.family
  const state = context.saved ?? await begin(context, served)
  for (;;) {
    signal.throwIfAborted()
    progress(state.done + state.skipped, state.total)
    const ids = (await db.query<{ id: number }>(sql`select id from ${sql.identifier(code.table)}
      where ${listCondition(code, context.staff, query)} and id > ${state.last} and id <= ${state.until} order by id limit ${PART}`)).map(({ id }) => id)
    if (ids.length === 0) break
    const next: ActState = { ...state, reasons: [...state.reasons], last: ids.at(-1) ?? state.last }
    await db.transaction({ ...context.actor, action: `code_${action}`, reason }, async (tx) => {
      const { done, refused } = await changeCodes(tx, served, { staffId: context.staff.id, staff: context.staff }, action, ids, { until, owner }, Math.floor(Date.now() / 1000))
      next.done += done
      next.skipped += ids.length - done
      next.reasons.push(...refused.slice(0, NAMED - next.reasons.length))
      await context.save(tx, next)
    })
    Object.assign(state, next)
    forgetCounts(code.table)
    forgetCounts(served.family.batch.table)
  }
  return { done: state.done, skipped: state.skipped, reasons: state.reasons }
}

/** The kinds of jobs that work on many codes of a family. */
export function codeJobs(served: ServedFamily, files: FileStore): JobDefinition[] {
  const { batch, code } = served.family
  return [
    defineJob<ActJob, ActState>({
      kind: actKind(served),
      grants: ({ action }) => [code.rights.id(actionOf(action).right)],
      run: (context) => runAct(context, served),
    }),
    defineJob<CodeExportJob>({
      kind: exportKind(served),
      grants: () => [batch.rights.id('take')],
      run: (context) => exportCodes(context, served, files),
    }),
  ]
}

/** Refuses terms that an action needs and was not told. */
export function checkTerms(action: CodeActionName, { until, owner }: ActionTerms, now: number): void {
  if (action === 'extend' && until === undefined) throw badRequest('请选择延期到哪一天')
  if (action === 'extend' && until !== undefined && until <= now) throw badRequest('新的截止日期应晚于今天')
  if (action === 'transfer' && owner === undefined) throw badRequest('请选择新的归属')
}
