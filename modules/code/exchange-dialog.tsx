import { Alert, App, Form, Modal } from 'antd'
import { useState } from 'react'
import { call, newKey } from '../../core/endpoint/call.tsx'
import type { AnyField } from '../../core/field/any-field.ts'
import { formatMoney } from '../../core/field/number.ts'
import { startOfDay } from '../../core/field/time.ts'
import { FieldItem } from '../../core/form/field-item.tsx'
import { validated } from '../../core/form/validated.tsx'
import type { RowDialogProps } from '../../core/resource/present.tsx'
import { batchProblems } from './batch-rules.ts'
import { codeEndpoints } from './calls.ts'
import type { CodeFamily, BatchResource } from './family.ts'
import { useQuota } from './quota.tsx'
import { useCall } from './use-call.tsx'

type Values = Record<string, unknown>

const DAY = 86_400
/** Codes that were exchanged are to be activated within half a year by default. */
const REDEEM_DAYS = 180

/** 置换: codes that nobody has activated become as many of another batch, for a fee. */
export function ExchangeDialog({ family, row, reload, onClose }: RowDialogProps<BatchResource> & { family: CodeFamily }) {
  const { modal } = App.useApp()
  const { batch, product, owner } = family
  const [form] = Form.useForm<Values>()
  const fresh = (row.left ?? 0) + (row.expired ?? 0)
  const [base] = useState<Values>(() => ({
    name: `${row.name} 置换`.slice(0, 40), [product.key]: row[product.key], count: fresh, valid_months: row.valid_months ?? 12, code_len: row.code_len, prefix: row.prefix,
    redeem_before: startOfDay(Date.now() / 1000) + REDEEM_DAYS * DAY,
  }))
  const values = (Form.useWatch([], form) as Values | undefined) ?? base
  const quota = useQuota(family, row[owner.key])
  const [key] = useState(newKey)
  const { busy, problem, run, say } = useCall((fields) => form.setFields(Object.entries(fields).map(([name, text]) => ({ name, errors: [text] }))))
  const count = Number(values['count'] ?? 0)
  const item = (name: string) => {
    const field: AnyField | undefined = batch.fields[name]
    return field && <FieldItem key={name} name={name} field={field} values={values} />
  }
  const submit = async () => {
    const filled = await validated(form)
    if (!filled) return
    const sent = { ...base, ...filled }
    const [first] = Object.values(batchProblems(sent, Date.now() / 1000))
    if (first) return say(first)
    const done = await run(async () => {
      const { fee } = await call(codeEndpoints(family).exchange, sent, { params: { id: row.id }, idempotencyKey: key, quiet: true })
      modal.success({ title: '置换成功', content: `已作废 ${count.toLocaleString('zh-CN')} 个旧码，生成 ${count.toLocaleString('zh-CN')} 个新码${fee > 0 ? `，扣除置换服务费 ${formatMoney(fee)}` : ''}` })
    })
    if (!done) return
    reload()
    onClose()
  }
  return (
    <Modal open title={`置换 · ${row.name}`} okText="置换" okButtonProps={{ danger: true, disabled: fresh === 0 }} confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} width={640} destroyOnHidden>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      <Alert className="form-alert" type="warning" showIcon title={`旧码作废且不能恢复，换成同样数量的新码，不占名额。置换服务费每个 ${formatMoney(quota?.fee ?? 0)}，共 ${formatMoney((quota?.fee ?? 0) * count)}，从${owner.label}余额扣除。`} />
      <p className="note">本批次有 {fresh.toLocaleString('zh-CN')} 个没有激活过的码，先生成的先置换。</p>
      <Form form={form} layout="vertical" initialValues={base}>
        <fieldset className="form-section">{['count', product.key, 'name', 'valid_months', 'redeem_before'].map(item)}</fieldset>
      </Form>
    </Modal>
  )
}
