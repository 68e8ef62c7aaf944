import { useQuery } from '@tanstack/react-query'
import { Alert, Button, InputNumber, Modal, Skeleton, Space, Table } from 'antd'
import { useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { useCloseGuard } from '../../core/form/close-guard.tsx'
import type { RowDialogProps } from '../../core/resource/present.tsx'
import { packPlan, setPackPlan, type PackPlan } from './calls.ts'
import type { mustLine } from './line.ts'
import { daysOf, evenDays, MOST_DAYS, MOST_PER_DAY, setDay, type PlanPart } from './plan.ts'

const wordsOf = (parts: readonly PlanPart[]) => (parts.length === 0 ? '休息' : parts.map(({ name, from, to }) => `${name} 第 ${from === to ? from : `${from}–${to}`} 题`).join('；'))

/** The days of a plan, each with its questions; a day's number is typed or stepped by the arrow keys. */
function Days({ plan: { papers, counts: first, stale }, pack, reload, onClose }: Pick<RowDialogProps<typeof mustLine.offers>, 'reload' | 'onClose'> & { plan: PackPlan; pack: RowDialogProps<typeof mustLine.offers>['row'] }) {
  const [counts, setCounts] = useState<readonly number[]>(first)
  const [length, setLength] = useState(first.length)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const total = counts.reduce((sum, one) => sum + one, 0)
  const dirty = counts.join() !== first.join()
  const close = useCloseGuard(dirty && !busy, '日计划', onClose)
  const save = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      await call(setPackPlan, { counts: [...counts], rev: pack.rev }, { params: { id: pack.id }, quiet: true })
      reload()
      onClose()
    } catch (error) {
      setProblem(error instanceof Error ? error.message : '保存失败')
      setBusy(false)
    }
  }
  const days = daysOf(papers, counts)
  return (
    <Modal open title={`日计划 · ${pack.title}`} width={720} okText="保存" okButtonProps={{ disabled: !dirty && !stale }} confirmLoading={busy} onOk={() => void save()} onCancel={close} mask={{ closable: false }}>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      {stale && <Alert className="form-alert" type="warning" showIcon title="试卷的题数变了，已按新的题数重新平均，保存后生效" />}
      {total === 0 ? <Alert type="info" showIcon title="题包里还没有试题，请先编辑题包，选择试卷" /> : (
        <>
          <Space className="form-alert" wrap>
            <span>共 {papers.length} 份试卷、{total} 题，</span>
            <InputNumber aria-label="天数" min={1} max={MOST_DAYS} precision={0} value={length} onChange={(value) => setLength(value ?? 1)} suffix="天" />
            <Button onClick={() => setCounts(evenDays(total, length))}>平均到每天</Button>
          </Space>
          <Table size="small" pagination={false} virtual scroll={{ x: 560, y: 360 }} rowKey={({ day }) => day} dataSource={days.map((parts, day) => ({ day, parts, count: counts[day] ?? 0 }))} columns={[
            { title: '天', width: 80, render: (_value, { day }) => `第 ${day + 1} 天` },
            { title: '题数', width: 110, render: (_value, { day, count }) => <InputNumber aria-label={`第 ${day + 1} 天的题数`} size="small" min={0} max={MOST_PER_DAY} precision={0} value={count} disabled={day === counts.length - 1} onChange={(value) => setCounts(setDay(counts, day, value ?? 0))} /> },
            { title: '内容', ellipsis: true, render: (_value, { parts }) => <span title={wordsOf(parts)}>{wordsOf(parts)}</span> },
          ]} />
        </>
      )}
    </Modal>
  )
}

/** 日计划 of a pack: its papers over its days. */
export function PlanDialog({ row, reload, onClose }: RowDialogProps<typeof mustLine.offers>) {
  const { data, error } = useQuery({ queryKey: ['pack-plan', row.id, row.rev], queryFn: ({ signal }) => call(packPlan, undefined, { params: { id: row.id }, signal, quiet: true }), staleTime: 0, gcTime: 0 })
  if (data) return <Days plan={data} pack={row} reload={reload} onClose={onClose} />
  return <Modal open title={`日计划 · ${row.title}`} footer={null} onCancel={onClose}>{error ? <Alert type="error" showIcon title={error.message} /> : <Skeleton active />}</Modal>
}
