import { defineEndpoint } from '../endpoint/define.ts'

/** How long something can be taken back, in hours (domain: a day's work). */
export const UNDO_HOURS = 24

/** Something that this person did and may take back. */
export interface UndoInfo {
  id: number
  /** The kind of record: 学生. */
  label: string
  /** What was done, in words: 修改. */
  action_name: string
  /** What the record is called, as far as the person may know; null where there were several. */
  title: string | null
  count: number
  at: number
  /** The job that did it, where it was done to many. */
  job_id: number | null
  /** How many of the records it cannot be taken back of as things are. */
  kept: number
  /** What stands in the way, in one sentence; null when nothing does. */
  why: string | null
}

/** What came of taking something back: the job that does it, where it was done to many. */
export interface TakenBack {
  job_id?: number
}

const BASE = '/daoyuan/api/end/undo'

/** What this person did within the last day and may take back, newest first. */
export const listUndo = defineEndpoint<{ items: UndoInfo[] }>()({ method: 'GET', path: BASE, summary: '可撤销的操作', grant: 'staff' })

/** Takes something back, as a further change under the person's own rights. */
export const takeBack = defineEndpoint<TakenBack>()({ method: 'POST', path: `${BASE}/{id}`, summary: '撤销一次操作', grant: 'staff' })
