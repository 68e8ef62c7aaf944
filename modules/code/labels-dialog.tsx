import { Alert, Button, Drawer, Empty, InputNumber, Spin } from 'antd'
import { useId, useMemo, useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { displayKey } from '../../core/field/reference.ts'
import { formatDate } from '../../core/field/time.ts'
import type { RowDialogProps } from '../../core/resource/present.tsx'
import { codeEndpoints, MAX_LABELS, type Label } from './calls.ts'
import { groupCode } from './code-text.ts'
import type { CodeFamily, BatchResource } from './family.ts'
import { LabelPrinter } from './label-printer.tsx'
import { useCall } from './use-call.tsx'

/** 标签打印: labels of a batch's unused codes. */
export function LabelsDialog({ family, row, onClose }: RowDialogProps<BatchResource> & { family: CodeFamily }) {
  const id = useId()
  const [count, setCount] = useState(() => Math.min(row.left ?? 0, 240))
  const [labels, setLabels] = useState<readonly Label[]>()
  const { busy, problem, run } = useCall()
  const fetchAfter = (after: number) => run(async () => {
    const { items } = await call(codeEndpoints(family).labels, { after, count }, { params: { id: row.id }, quiet: true })
    setLabels(items)
  })
  const texts = useMemo(() => {
    const note = `${formatDate(row.redeem_before)} 前激活`
    return (labels ?? []).map(({ code }) => ({ code, shown: groupCode(code), title: String(row[displayKey(family.product.key)] ?? ''), note }))
  }, [labels, row, family])
  return (
    <Drawer open title={`标签打印 · ${row.name}`} size="100%" onClose={onClose} destroyOnHidden>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      <p className="note">只打印未使用的码，每次生成都会记入操作日志。打印时请选择 A4、无边距、100% 缩放。</p>
      <LabelPrinter labels={texts}>
        <label htmlFor={`${id}-count`}>数量</label>
        <InputNumber id={`${id}-count`} min={1} max={MAX_LABELS} precision={0} value={count} onChange={(next) => setCount(next ?? 1)} />
        <Button loading={busy} onClick={() => void fetchAfter(0)}>{labels ? '从头生成' : '生成标签'}</Button>
        {labels && labels.length === count && <Button loading={busy} onClick={() => void fetchAfter(labels.at(-1)?.id ?? 0)}>接着生成后面的</Button>}
      </LabelPrinter>
      {busy && !labels ? <Spin /> : labels && texts.length === 0 && <Empty description="没有未使用的码" />}
    </Drawer>
  )
}
