import { Alert, Result, Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { StateWord } from '../../../core/field/choice.tsx'
import { formatTime } from '../../../core/field/time.ts'
import { useMinute } from '../../../core/ui/use-minute.tsx'
import { isOverdue, PROGRESS_STATES, type Progress } from '../progress.ts'

const LATE = [{ value: 'late', label: '逾期', tone: 'error' }] as const

/** How a learner stands with a task, in a word. */
export function ProgressWord({ status, due }: { status: Progress; due: number }) {
  const now = useMinute()
  return isOverdue(status, due, now) ? <StateWord choices={LATE} value="late" /> : <StateWord choices={PROGRESS_STATES} value={status} />
}

/** What a screen shows until it has something: its failure in words, or that it loads. Who is no teacher reads whom to ask. */
export function Waiting({ error, rows = 8 }: { error: Error | null; rows?: number }): ReactNode {
  if (error) return error.message.startsWith('您还不是老师') ? <Result status="info" title={error.message} /> : <Alert type="error" showIcon title={error.message} />
  return <Skeleton active paragraph={{ rows }} />
}

/** A moment to the minute. */
export const minute = (at: number | null | undefined): string => (at === null || at === undefined ? '' : formatTime(Math.floor(at)).slice(5, 16))
