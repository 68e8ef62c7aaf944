import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Empty, Form, Input, Radio, Skeleton } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { choiceLabel } from '../../../core/field/choice.ts'
import { StateWord } from '../../../core/field/choice.tsx'
import { formatTime } from '../../../core/field/time.ts'
import { useCan } from '../../../core/session/staff-context.tsx'
import type { PracticeDetail } from '../bank/calls.ts'
import { STATUS } from '../bank/practice.ts'
import { useReloadPractices } from '../ui/use-moves.tsx'
import { VERIFY_SCREEN } from '../verify/state.ts'
import { practiceReports, reportPractice, type Report } from './calls.ts'
import { REPORT_KINDS, REPORT_STATUSES, REPORTS_PATH, type ReportKind } from './report.ts'

/** Where a report stands. */
function StatusOf({ report: { status, fixed_at } }: { report: Report }) {
  return <><StateWord choices={REPORT_STATUSES} value={status} />{fixed_at === null ? '' : '并修正'}</>
}

/** What was said to be wrong with a question, one line each. */
export function ReportList({ id }: { id: number }) {
  const { data, error, isPending, refetch } = useQuery({ queryKey: ['practice', id, 'reports'], queryFn: ({ signal }) => call(practiceReports, undefined, { params: { id }, signal, quiet: true }) })
  if (error) return <Alert type="error" title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  if (isPending) return <Skeleton active />
  if (data.items.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有报错" />
  return (
    <ul className="rail-labels" aria-label="报错">
      {data.items.map((report) => (
        <li key={report.id}>
          <span>
            <b>{choiceLabel(REPORT_KINDS, report.kind)}</b>
            {report.content && <span>{report.content}</span>}
            <small>{report.staff_name ?? '学员'} <time className="figure">{formatTime(report.at).slice(0, 16)}</time>{report.handled_at !== null && `，${report.handler_name ?? '系统'}处理`}</small>
          </span>
          <StatusOf report={report} />
        </li>
      ))}
    </ul>
  )
}

/** 报错 of a question, and a form to add one. */
export function ReportsPanel({ detail }: { detail: PracticeDetail }) {
  const { message } = App.useApp()
  const can = useCan()
  const navigate = useNavigate()
  const client = useQueryClient()
  const reload = useReloadPractices()
  const [form] = Form.useForm<{ kind: ReportKind; content?: string }>()
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const send = async ({ kind, content }: { kind: ReportKind; content?: string }) => {
    setBusy(true)
    try {
      await call(reportPractice, { kind, ...(content && { content }) }, { params: { id: detail.id } })
      void message.success('已提交报错')
      form.resetFields()
      setOpen(false)
      await Promise.all([client.invalidateQueries({ queryKey: ['practice', detail.id, 'reports'] }), reload()])
    } catch {
      // The shell has shown why; what was typed stays.
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="rail-panel">
      <span>
        <Button size="small" disabled={detail.status === STATUS.void} aria-expanded={open} onClick={() => setOpen(!open)}>报错</Button>
        {can(VERIFY_SCREEN) && <Button size="small" type="link" onClick={() => void navigate(`${REPORTS_PATH}&practice_id=${detail.pool === 'back' ? detail.origin_id ?? detail.id : detail.id}`)}>去处理</Button>}
      </span>
      {open && (
        <Form form={form} layout="vertical" onFinish={(values) => void send(values)}>
          <Form.Item name="kind" label="错误类型" rules={[{ required: true, message: '请选择错误类型' }]}><Radio.Group options={REPORT_KINDS.map(({ value, label }) => ({ value, label }))} /></Form.Item>
          <Form.Item name="content" label="说明"><Input.TextArea rows={3} maxLength={500} showCount placeholder="哪里错了，应该是什么" /></Form.Item>
          <Button type="primary" htmlType="submit" loading={busy}>提交</Button>
        </Form>
      )}
      <ReportList id={detail.id} />
    </div>
  )
}
