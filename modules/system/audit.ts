import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import type { FieldWords } from '../../core/resource/field-words.ts'
import { screenId } from '../screens.ts'

/** One change, wherever it was made. */
export interface AuditEntry {
  id: number
  at: number
  staff_id: number | null
  staff_name: string | null
  ip: string | null
  request_id: string | null
  action: string
  /** What the action is called. */
  action_name: string
  reason: string | null
  /** Table of the record. */
  entity: string
  /** What such a record is called. */
  entity_label: string
  entity_id: number
  /** What this record is called, now or when it was last there. */
  title: string | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

/** A kind of records that the log can be narrowed to. */
export interface AuditEntity {
  entity: string
  label: string
  /** Screen by which its records may be opened; the screen of a part of something else is not its own. */
  path: string | null
  /** Actions that it has beside those that all have. */
  actions: { name: string; label: string }[]
}

const number = z.string().check(z.regex(/^\d{1,15}$/, '筛选条件有误'))
const words = z.union([z.string(), z.array(z.string())])

export interface AuditPage {
  items: AuditEntry[]
  total?: number
  next?: string
  /** How to show the values of the entries, by kind of record and field. */
  fields: Record<string, Record<string, FieldWords>>
}

/** Changes of all records, newest first; `next` is the cursor of the following page. */
export const auditLogs = defineEndpoint<AuditPage>()({
  method: 'GET',
  path: '/daoyuan/api/end/audit_logs',
  summary: '操作日志',
  grant: [screenId('/system/audit')],
  input: z.object({
    staff_id: z.optional(number),
    entity: z.optional(words),
    entity_id: z.optional(number),
    action: z.optional(words),
    start_time: z.optional(number),
    end_time: z.optional(number),
    cursor: z.optional(number),
    page_size: z.optional(number),
  }),
})

/** People whose changes the log can be narrowed to; those who left stay in it. */
export const auditPeople = defineEndpoint<{ items: { id: number; name: string }[] }>()({
  method: 'GET', path: '/daoyuan/api/end/audit_logs/people', summary: '操作日志的操作人', grant: [screenId('/system/audit')],
  input: z.object({ keyword: z.optional(z.string()), ids: z.optional(words) }),
})

/** Kinds of records that the log can be narrowed to. */
export const auditEntities = defineEndpoint<{ items: AuditEntity[]; total: number }>()({
  method: 'GET', path: '/daoyuan/api/end/audit_logs/entities', summary: '操作日志的对象类型', grant: [screenId('/system/audit')],
})
