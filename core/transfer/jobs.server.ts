import { sql } from 'drizzle-orm'
import { badRequest } from '../error/error.ts'
import { defineJob, type JobContext, type JobDefinition } from '../job/define.server.ts'
import type { Sweep } from '../job/sweep.server.ts'
import type { Kernel } from '../kernel/kernel.server.ts'
import type { Registered } from '../resource/uses.server.ts'
import type { RecordsState } from './over-records.server.ts'
import { runBulk, type BulkJob } from './bulk.server.ts'
import { bulkGrant, type CommitInput } from './calls.ts'
import { exportList, type ExportJob } from './export.server.ts'
import { checkFile, type ImportJob } from './import-check.server.ts'
import { commitRows } from './import-commit.server.ts'
import { undoImport, type UndoJob } from './import-undo.server.ts'
import type { ImportContext } from './import-verify.server.ts'

/** What a job that writes a checked file is asked for. */
export interface CommitJob extends Omit<CommitInput, 'job_id'> {
  resource: string
  /** The job that checked it. */
  rows_of: number
}

/** Stands for a right that nobody holds: the resource does not offer the action any more. */
const NOBODY = -1

/** Rows of sheets whose job nobody keeps any more. */
export function transferSweep({ db }: Pick<Kernel, 'db'>): Sweep {
  return { name: 'import_row', run: () => db.query(sql`delete from import_row r where not exists (select 1 from job where id = r.job_id)`) }
}

/** The kinds of jobs that move many records. */
export function transferJobs({ registry, files }: Pick<Kernel, 'registry' | 'files'>): JobDefinition[] {
  const serviceOf = (input: { resource: string }): Registered => {
    const service = registry.get(input.resource)
    if (!service) throw new Error(`no resource ${input.resource}`)
    return service
  }
  const actionsOf = (input: { resource: string }) => serviceOf(input).resource.actions
  const targets = new Map([...registry].map(([name, { resource }]) => [name, resource]))
  const updates = (input: { resource: string }, existing: CommitInput['existing'] | undefined) => (existing === 'update' ? [actionsOf(input).update ?? NOBODY] : [])
  const judged = ({ staff, signal, input }: JobContext<{ resource: string }>, jobId: number): ImportContext => ({ service: serviceOf(input), targets, staff, jobId, signal })

  return [
    defineJob<ExportJob>({
      kind: 'export',
      grants: (input) => [actionsOf(input).export ?? NOBODY, ...(input.plain ? [actionsOf(input).reveal ?? NOBODY] : [])],
      run: (context) => exportList(context, serviceOf(context.input), files),
    }),
    defineJob<ImportJob>({
      kind: 'import',
      grants: (input) => [actionsOf(input).import ?? NOBODY, ...updates(input, input.commit?.existing)],
      async run(context) {
        const checked = await checkFile(context, { service: serviceOf(context.input), targets, files })
        const { commit } = context.input
        if (!commit) return checked
        // Nobody is there to choose other columns: nothing was imported, so the job has failed.
        if (checked.problem) throw badRequest(checked.problem)
        await commitRows(context, judged(context, context.id), commit, checked)
      },
    }),
    defineJob<CommitJob>({
      kind: 'import_commit',
      grants: (input) => [actionsOf(input).import ?? NOBODY, ...updates(input, input.existing)],
      run: (context) => commitRows(context, judged(context, context.input.rows_of), context.input),
    }),
    defineJob<UndoJob>({
      kind: 'import_undo',
      grants: (input) => [actionsOf(input).import ?? NOBODY],
      run: (context) => undoImport(context, serviceOf(context.input), registry),
    }),
    defineJob<BulkJob, RecordsState>({
      kind: 'bulk',
      grants: (input) => [bulkGrant(serviceOf(input).resource, input.action) ?? NOBODY],
      run: (context) => runBulk(context, { service: serviceOf(context.input), targets, registry }),
    }),
  ]
}
