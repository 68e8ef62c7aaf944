import { badRequest } from '../../core/error/error.ts'
import { defineJob, type JobContext, type JobDefinition } from '../../core/job/define.server.ts'
import { undoOfJob } from '../../core/resource/keep-undo.server.ts'
import type { Query } from '../../core/resource/where.server.ts'
import { overRecords, type RecordsState } from '../../core/transfer/over-records.server.ts'
import type { BulkDone } from '../../core/transfer/calls.ts'
import type { FileStore } from '../../core/file/store.server.ts'
import { keepBack } from './back.server.ts'
import { actionOf, changeCodes, type ActionTerms } from './change.server.ts'
import type { CodeActionName } from './code-state.ts'
import { exportCodes, type CodeExportJob } from './export.server.ts'
import type { ServedFamily } from './hooks.server.ts'

/** Codes that are changed in one transaction. */
const PART = 1000

/** What a job that acts on many codes is asked for. */
export interface ActJob extends ActionTerms {
  action: CodeActionName
  /** Which codes: those of a list query, which may name ids. */
  query: Query
  reason: string
}

/** Name of the job that acts on many codes of a family. */
export const actKind = ({ family }: Pick<ServedFamily, 'family'>): string => `${family.code.name} act`
export const exportKind = ({ family }: Pick<ServedFamily, 'family'>): string => `${family.code.name} export`

/** Does an action to many codes, part by part; those of a part are changed together. */
async function runAct(context: JobContext<ActJob, RecordsState>, served: ServedFamily): Promise<BulkDone> {
  const { id, db, staff, input: { action, query, reason, until, owner } } = context
  const outcome = await overRecords(context, { resource: served.family.code, query, size: PART, action: `code_${action}`, reason }, async (tx, ids, tally) => {
    const acted = await changeCodes(tx, served, staff, action, ids, { until, owner }, Math.floor(Date.now() / 1000))
    tally.done(acted.done)
    for (const one of acted.refused) await tally.refuse(one.id, one.reason, () => one.name)
    await keepBack(tx, served, staff, action, acted, id)
    return undefined
  })
  const undo = await undoOfJob(db, id)
  return { ...outcome, ...(undo !== undefined && { undo }) }
}

/** The kinds of jobs that work on many codes of a family. */
export function codeJobs(served: ServedFamily, files: FileStore): JobDefinition[] {
  const { batch, code } = served.family
  return [
    defineJob<ActJob, RecordsState>({
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
