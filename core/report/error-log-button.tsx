import { BugOutlined } from '@ant-design/icons'
import { Badge, Button } from 'antd'
import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
import { errorLog, watchErrorLog } from './report-errors.tsx'

const ErrorLogDialog = lazy(() => import('./error-log-dialog.tsx').then((file) => ({ default: file.ErrorLogDialog })))

/** Leads to the errors of this window; absent while there are none (shell.md 83, 85). */
export function ErrorLogButton() {
  const log = useSyncExternalStore(watchErrorLog, errorLog)
  const [open, setOpen] = useState(false)
  if (log.length === 0) return null
  return (
    <>
      <Badge dot offset={[-6, 6]}><Button type="text" icon={<BugOutlined />} aria-label={`错误日志，${log.length} 条`} title="错误日志" onClick={() => setOpen(true)} /></Badge>
      {open && <Suspense><ErrorLogDialog log={log} onClose={() => setOpen(false)} /></Suspense>}
    </>
  )
}
