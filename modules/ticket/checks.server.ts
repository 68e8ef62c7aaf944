import { sql } from 'drizzle-orm'
import { questionChecks } from '../../core/kernel/self-check.server.ts'
import { LIVING, TICKET_STATE } from './sla.ts'

const running = LIVING.filter((state) => state !== TICKET_STATE.user)

/** A clock runs exactly while a ticket waits for us. */
export const ticketChecks = questionChecks('反馈', [
  ['ticket_due', '反馈的时限与状态不一致', sql`select id, state from ticket where deleted_at is null and merged_into_id is null and (state in (${sql.raw(running.join(', '))})) <> (due_at is not null)`],
])
