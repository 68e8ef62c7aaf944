import { call } from '../../../core/endpoint/call.tsx'
import { choiceLabel } from '../../../core/field/choice.ts'
import type { Notice } from '../../../core/module/notice.ts'
import { editorPath } from '../bank/practice.ts'
import { ownReports } from './calls.ts'
import { REPORT_KINDS, REPORT_STATUS } from './report.ts'

/** What was said to be wrong with questions that this person wrote, for the bell. */
export async function reportNotices(signal: AbortSignal): Promise<Notice[]> {
  const { items } = await call(ownReports, undefined, { signal, quiet: true })
  return items.map(({ id, practice_id, practice_no, pool, level, kind, content, status, at }) => ({
    key: String(id), title: `${practice_no} ${status === REPORT_STATUS.accepted ? '报错已采纳' : '有人报错'}：${choiceLabel(REPORT_KINDS, kind)}`, text: content ?? undefined,
    tone: status === REPORT_STATUS.accepted ? 'warning' : 'info', at, to: editorPath(level, pool, practice_id),
  }))
}
