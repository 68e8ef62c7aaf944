import { Alert, Button, Drawer, Empty, InputNumber, Pagination, Select, Space, Spin } from 'antd'
import { useEffect, useId, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { call } from '../../core/endpoint/call.tsx'
import { twinKey } from '../../core/field/reference.ts'
import { formatDate } from '../../core/field/time.ts'
import type { RowDialogProps } from '../../core/resource/present.tsx'
import { codeEndpoints, MAX_LABELS, type Label } from './calls.ts'
import type { CodeFamily } from './family.ts'
import { LABEL_LAYOUTS, sheetsOf } from './label-layout.ts'
import { LabelSheet, type LabelText } from './label-sheet.tsx'
import { useCall } from './use-call.tsx'

const [firstLayout] = LABEL_LAYOUTS

/** 标签打印: labels with QR codes of a batch's unused codes, sheet by sheet as they come out of the printer. */
export function LabelsDialog({ family, row, onClose }: RowDialogProps & { family: CodeFamily }) {
  const id = useId()
  const [layoutKey, setLayoutKey] = useState(firstLayout?.key)
  const layout = LABEL_LAYOUTS.find(({ key }) => key === layoutKey) ?? firstLayout
  const [count, setCount] = useState(() => Math.min(Number(row['left']), 240))
  const [labels, setLabels] = useState<readonly Label[]>()
  const [page, setPage] = useState(1)
  const [printing, setPrinting] = useState(false)
  const { busy, problem, run } = useCall()
  const fetchAfter = (after: number) => run(async () => {
    const { items } = await call(codeEndpoints(family).labels, { after, count }, { params: { id: row.id }, quiet: true })
    setLabels(items)
    setPage(1)
  })
  useEffect(() => {
    const over = () => setPrinting(false)
    window.addEventListener('afterprint', over)
    return () => window.removeEventListener('afterprint', over)
  }, [])
  useEffect(() => {
    document.body.classList.toggle('printing-labels', printing)
    return () => document.body.classList.remove('printing-labels')
  }, [printing])
  if (!layout) return null
  const title = String(row[twinKey(family.product.key)] ?? '')
  const texts: LabelText[] = (labels ?? []).map(({ code }) => ({ code, title, note: `${formatDate(Number(row['redeem_before']))} 前激活` }))
  const sheets = sheetsOf(texts, layout)
  const print = () => {
    // The sheets have to stand there when the browser takes its picture.
    flushSync(() => setPrinting(true))
    window.print()
  }
  return (
    <Drawer open title={`标签打印 · ${String(row['name'])}`} size="100%" onClose={onClose} destroyOnHidden
      extra={<Button type="primary" disabled={sheets.length === 0} onClick={print}>打印 {sheets.length > 0 ? `${sheets.length} 张` : ''}</Button>}>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      <Space wrap className="form-alert">
        <label htmlFor={`${id}-layout`}>标签纸</label>
        <Select id={`${id}-layout`} value={layout.key} onChange={setLayoutKey} options={LABEL_LAYOUTS.map(({ key, label }) => ({ value: key, label }))} popupMatchSelectWidth={false} />
        <label htmlFor={`${id}-count`}>数量</label>
        <InputNumber id={`${id}-count`} min={1} max={MAX_LABELS} precision={0} value={count} onChange={(next) => setCount(next ?? 1)} />
        <Button loading={busy} onClick={() => void fetchAfter(0)}>{labels ? '从头生成' : '生成标签'}</Button>
        {labels && labels.length === count && <Button loading={busy} onClick={() => void fetchAfter(labels.at(-1)?.id ?? 0)}>接着生成后面的</Button>}
      </Space>
      <p className="note">只打印未使用的码，每次生成都会记入操作日志。打印时请选择 A4、无边距、100% 缩放。</p>
      {busy && !labels ? <Spin /> : labels && (texts.length === 0 ? <Empty description="没有未使用的码" /> : (
        <>
          {sheets.length > 1 && <Pagination className="form-alert" current={page} pageSize={1} total={sheets.length} showSizeChanger={false} onChange={setPage} />}
          <div className="label-stage"><LabelSheet labels={sheets[page - 1] ?? []} layout={layout} /></div>
        </>
      ))}
      {printing && createPortal(<div className="label-print">{sheets.map((sheet) => <LabelSheet key={sheet[0]?.code} labels={sheet} layout={layout} />)}</div>, document.body)}
    </Drawer>
  )
}
