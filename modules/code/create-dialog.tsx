import { Alert, App, Button, Drawer, Form, Radio, Space } from 'antd'
import { useState } from 'react'
import { call, newKey, request } from '../../core/endpoint/call.tsx'
import type { AnyField } from '../../core/field/any-field.ts'
import { useCloseGuard } from '../../core/form/close-guard.tsx'
import { FieldItem } from '../../core/form/field-item.tsx'
import { startOfDay } from '../../core/field/time.ts'
import { useWide } from '../../core/ui/use-media.tsx'
import { batchProblems } from './batch-rules.ts'
import { codeEndpoints } from './calls.ts'
import { guessesPerHit } from './code-text.ts'
import type { CodeFamily } from './family.ts'
import { QuotaLine, useQuota } from './quota.tsx'
import { useCall } from './use-call.tsx'

type Values = Record<string, unknown>
type Validity = 'months' | 'until'

const DAY = 86_400
/** Codes are to be activated within half a year unless told. */
const REDEEM_DAYS = 180

/** Guesses as people say them: 68 万, 7 亿. */
function inWords(guesses: number): string {
  if (guesses >= 1e12) return `${Math.floor(guesses / 1e12).toLocaleString('zh-CN')} 万亿`
  if (guesses >= 1e8) return `${Math.floor(guesses / 1e8).toLocaleString('zh-CN')} 亿`
  return `${Math.floor(guesses / 1e4).toLocaleString('zh-CN')} 万`
}

/** Months that a product is made for, when its record says so. */
async function monthsOf(family: CodeFamily, id: number): Promise<number | undefined> {
  const path = family.product.months?.(id)
  // Only fills in what is usual; without it the person types the months.
  const row = path ? await request<Values>('GET', path, {}, { quiet: true }).catch(() => undefined) : undefined
  return typeof row?.['months'] === 'number' ? row['months'] : undefined
}

/** Makes a batch with its codes: what may still be issued is shown, and everything is checked while it is typed. */
export function CreateDialog({ family, start = {}, onClose, onDone }: { family: CodeFamily; start?: Values; onClose: () => void; onDone: () => void }) {
  const { message } = App.useApp()
  const { batch, owner, product } = family
  const wide = useWide('md')
  const [form] = Form.useForm<Values>()
  const [base] = useState<Values>(() => ({
    ...Object.fromEntries(Object.entries(batch.fields).map(([key, field]) => [key, field.initial ?? null])),
    redeem_before: startOfDay(Date.now() / 1000) + REDEEM_DAYS * DAY, ...start,
  }))
  const [validity, setValidity] = useState<Validity>('months')
  const [dirty, setDirty] = useState(false)
  const [key] = useState(newKey)
  const values = (Form.useWatch([], form) as Values | undefined) ?? base
  const quota = useQuota(family, values[owner.key])
  const { busy, problem, run, say } = useCall((fields) => form.setFields(Object.entries(fields).map(([name, text]) => ({ name, errors: [text] }))))
  const close = useCloseGuard(dirty, `新增${batch.label}`, onClose)
  const count = Number(values['count'] ?? 0)
  const field = (name: string): AnyField => {
    const found = batch.fields[name]
    if (!found) throw new Error(`no field ${name}`)
    return found
  }
  const item = (name: string) => <FieldItem key={name} name={name} field={field(name)} values={values} />

  const submit = async () => {
    const filled = await form.validateFields().catch((failure: { errorFields?: { name: string[]; errors: string[] }[] }) => {
      const [first] = failure.errorFields ?? []
      say(first?.errors[0])
      if (first) form.scrollToField(first.name, { behavior: 'smooth', block: 'center', focus: true })
      return undefined
    })
    if (!filled) return
    const sent: Values = { ...filled, [validity === 'months' ? 'valid_until' : 'valid_months']: null }
    const problems = batchProblems(sent, Date.now() / 1000)
    if (Object.keys(problems).length > 0) {
      form.setFields(Object.entries(problems).map(([name, text]) => ({ name, errors: [text] })))
      return say(Object.values(problems)[0])
    }
    if (await run(() => call(codeEndpoints(family).create, sent, { idempotencyKey: key, quiet: true }))) {
      setDirty(false)
      void message.success(`已生成 ${count.toLocaleString('zh-CN')} 个${family.label}`)
      onDone()
      onClose()
    }
  }
  const changed = (part: Values) => {
    setDirty(true)
    say(undefined)
    const chosen = part[product.key]
    if (typeof chosen === 'number') void monthsOf(family, chosen).then((months) => months !== undefined && form.setFieldValue('valid_months', months))
  }

  return (
    <Drawer open title={`新增${batch.label}`} size={wide ? 640 : '100%'} onClose={close} mask={{ closable: !dirty }} destroyOnHidden
      footer={<Space className="form-footer"><Button onClick={close} disabled={busy}>取消</Button><Button type="primary" loading={busy} onClick={() => void submit()}>{busy ? '正在生成…' : '生成'}</Button></Space>}>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      <Form form={form} name={batch.name} layout="vertical" initialValues={base} onValuesChange={changed} scrollToFirstError>
        <fieldset className="form-section">
          <legend className="form-legend">发给谁</legend>
          {[owner.key, product.key, ...Object.keys(family.batchFields).filter((name) => !batch.fields[name]?.readonly), 'name', 'purpose', 'price'].map(item)}
        </fieldset>
        <QuotaLine quota={quota} count={count} />
        <fieldset className="form-section">
          <legend className="form-legend">码</legend>
          {['count', 'prefix', 'code_len', 'per_user_limit'].map(item)}
        </fieldset>
        {count > 0 && <p className="note">平均每猜 {inWords(guessesPerHit(Number(values['code_len'] ?? 0), count))}次才可能猜中一个。</p>}
        <fieldset className="form-section">
          <legend className="form-legend">期限</legend>
          {item('redeem_before')}
          <Form.Item label="有效期">
            <Radio.Group value={validity} onChange={(event) => setValidity(event.target.value as Validity)} options={[{ value: 'months', label: '激活后按月' }, { value: 'until', label: '到固定日期' }]} />
          </Form.Item>
          {item(validity === 'months' ? 'valid_months' : 'valid_until')}
        </fieldset>
        <fieldset className="form-section">{item('remark')}</fieldset>
      </Form>
    </Drawer>
  )
}
