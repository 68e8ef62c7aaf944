import { Alert, App, Button, Form, Space, Steps } from 'antd'
import { useRef, useState } from 'react'
import { call, newKey } from '../../core/endpoint/call.tsx'
import { CallError } from '../../core/endpoint/wire.ts'
import { formatTime } from '../../core/field/time.ts'
import { useUnsaved } from '../../core/form/unsaved.tsx'
import type { Resource } from '../../core/resource/define.ts'
import { useWide } from '../../core/ui/use-media.tsx'
import { orderEndpoints, type OrderDraft } from './calls.ts'
import { checkPart, draftSums, type DraftBody } from './draft-body.ts'
import type { OrderLine } from './line.ts'
import { stepsOf, type OrderPart } from './new-order.ts'
import { useDraft, type Saving } from './use-draft.tsx'
import { STEP_VIEWS } from './wizard-steps.tsx'
import './order.css'

interface Props {
  line: OrderLine
  orders: Resource
  /** The draft that is gone on with. */
  draft: OrderDraft | undefined
  /** What a new one starts with. */
  start: DraftBody
  onMade: (id: number) => void
  /** Back to the list; to an order when one was placed. */
  onLeave: (orderId?: number) => void
}

function SavingNote({ saving }: { saving: Saving }) {
  const words = { idle: '', saving: '正在保存…', saved: `草稿已保存 ${saving.at ? formatTime(saving.at).slice(11, 16) : ''}`, failed: saving.problem ?? '保存失败' }
  return <span className={saving.state === 'failed' ? 'problem' : 'note'} aria-live="polite">{words[saving.state]}</span>
}

/** Values of all parts, so that no input begins without one. */
const firstBody = (start: DraftBody): DraftBody => ({ ...start, order_info: { items: [], biz_type: 1, virtual: false, ...start.order_info } })

/** Writing an order down step by step (domain 0.4), in those of the five that its line asks for: kept on the server as it is typed, and gone on with whenever one likes. */
export function OrderWizard({ line, orders, draft, start, onMade, onLeave }: Props) {
  const { modal, message } = App.useApp()
  const wide = useWide('md')
  const [form] = Form.useForm()
  const [first] = useState(() => firstBody(draft ? draft.body : start))
  const steps = stepsOf(line)
  const [step, setStep] = useState(Math.min(draft?.step ?? 0, steps.length - 1))
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const key = useRef(newKey())
  const keeper = useDraft(orders, draft, onMade)
  const watched = Form.useWatch([], { form, preserve: true }) as DraftBody | undefined
  const body: DraftBody = watched && Object.keys(watched).length > 0 ? watched : first
  useUnsaved(keeper.saving.state === 'saving' || keeper.saving.state === 'failed', `录入${line.label}`)

  const read = () => form.getFieldsValue(true) as DraftBody
  const changed = () => keeper.change(step, read())
  const show = (part: OrderPart, errors: Readonly<Record<string, string>>) => {
    form.setFields(Object.entries(errors).map(([path, text]) => ({ name: [part, ...path.split('.').map((word) => (/^\d+$/.test(word) ? Number(word) : word))], errors: [text] })))
    setProblem(Object.values(errors)[0])
  }
  const go = (next: number) => {
    setStep(next)
    keeper.change(next, read())
  }
  const forward = () => {
    const part = steps[step]?.key
    const errors = part ? checkPart(line, part, read()) : {}
    if (part && Object.keys(errors).length > 0) return show(part, errors)
    setProblem(undefined)
    go(step + 1)
  }
  const send = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      keeper.change(step, read())
      await keeper.flush()
      const current = keeper.current()
      if (!current) return
      const order = await call(orderEndpoints(orders).placeDraft, undefined, { params: { draft_id: current.id }, quiet: true, idempotencyKey: key.current })
      void message.success('提交成功')
      onLeave(order.id)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      key.current = newKey()
      const [path = ''] = Object.keys(error.fields)
      const index = steps.findIndex(({ key: part }) => path.startsWith(`${part}.`))
      const part = steps[index]?.key
      if (part) {
        setStep(index)
        show(part, { [path.slice(part.length + 1)]: error.message })
      } else setProblem(error.message)
    } finally {
      setBusy(false)
    }
  }
  const submit = () => {
    for (const [index, { key: part }] of steps.entries()) {
      const errors = checkPart(line, part, read())
      if (Object.keys(errors).length === 0) continue
      setStep(index)
      return show(part, errors)
    }
    // domain 1.19: a price of nothing is confirmed.
    if (draftSums(read()).amount > 0) return void send()
    modal.confirm({ title: '价格为 0，确认免费开通？', okText: '确认开通', onOk: () => void send() })
  }
  const stale = keeper.saving.stale
  const last = step === steps.length - 1
  return (
    <section className="order-wizard" aria-label={`录入${line.label}`}>
      <header>
        <h2>录入{line.label}</h2>
        <Space wrap><SavingNote saving={keeper.saving} /><Button onClick={() => void keeper.flush().then(() => onLeave())}>返回列表</Button></Space>
      </header>
      {stale && (
        <Alert className="form-alert" type="warning" showIcon title="这份草稿已在其他窗口修改" action={(
          <Space>
            <Button size="small" onClick={() => { form.setFieldsValue(firstBody(stale.body)); keeper.overwrite(stale.rev, stale.step, stale.body) }}>用对方的</Button>
            <Button size="small" type="primary" onClick={() => keeper.overwrite(stale.rev, step, read())}>用我的</Button>
          </Space>
        )} />
      )}
      <Steps className="wizard-steps" size="small" current={step} orientation={wide ? 'horizontal' : 'vertical'} responsive={false} onChange={go} items={steps.map(({ title }) => ({ title }))} />
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      <Form form={form} layout="vertical" initialValues={first} onValuesChange={() => { setProblem(undefined); changed() }}>
        {steps.map(({ key: part }, index) => {
          const View = STEP_VIEWS[part]
          return <div key={part} hidden={index !== step}><View line={line} orders={orders} form={form} body={body} onChanged={changed} /></div>
        })}
      </Form>
      <footer>
        {step > 0 && <Button onClick={() => go(step - 1)}>上一步</Button>}
        {!last && <Button type="primary" onClick={forward}>下一步</Button>}
        {last && <Button type="primary" loading={busy} onClick={submit}>提交订单</Button>}
      </footer>
    </section>
  )
}
