import { Alert, App, Button, Form, Space } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { call, newKey } from '../../core/endpoint/call.tsx'
import { CallError } from '../../core/endpoint/wire.ts'
import { formatTime } from '../../core/field/time.ts'
import { Problems, type FieldProblem } from '../../core/form/problems.tsx'
import { useUnsaved } from '../../core/form/unsaved.tsx'
import type { Resource } from '../../core/resource/define.ts'
import { useIsFront } from '../../core/ui/front.tsx'
import { orderEndpoints, type OrderDraft } from './calls.ts'
import { asSent, checkPart, draftItems, draftShips, draftSums, type DraftBody } from './draft-body.ts'
import { emptyParties, GOODS_TURN, labelOf, PART_VIEWS, partiesOf } from './entry-parts.tsx'
import { EntrySum } from './entry-sum.tsx'
import { inputFields, wireName, type OrderLine } from './line.ts'
import { partsOf } from './new-order.ts'
import { useDraft, type Saving } from './use-draft.tsx'
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

/** What fields of the buyer are until somebody says otherwise: a switch that shows 否 says so. */
const usualOf = (line: OrderLine) => Object.fromEntries(Object.entries(inputFields(line)).flatMap(([key, field]) => ('initial' in field && field.initial !== undefined ? [[wireName(key, field), field.initial] as const] : [])))

/** Values of all parts, so that no input begins without one; a new order has its first line. */
const firstBody = (line: OrderLine, body: DraftBody, fresh: boolean): DraftBody => {
  const items = body.order_info?.['items']
  return { ...body, user_info: { ...usualOf(line), ...body.user_info }, order_info: { biz_type: 1, virtual: false, ...body.order_info, items: fresh && (!Array.isArray(items) || items.length === 0) ? [{ kind: line.goods[0]?.kind, qty: 1 }] : items ?? [] } }
}

const nameOf = (path: string) => path.split('.').map((word) => (/^\d+$/.test(word) ? Number(word) : word))

/** Writing an order down on one page: who buys, what, where it goes, what came in. Kept on the server as it is typed, and gone on with whenever one likes. */
export function OrderEntry({ line, orders, draft, start, onMade, onLeave }: Props) {
  const { modal, message } = App.useApp()
  const isFront = useIsFront()
  const [form] = Form.useForm()
  const [first] = useState(() => firstBody(line, draft ? draft.body : start, !draft))
  const [wrong, setWrong] = useState<{ sentence: string; fields: readonly FieldProblem[] }>()
  const [busy, setBusy] = useState(false)
  const page = useRef<HTMLElement>(null)
  const key = useRef(newKey())
  const sending = useRef(false)
  const keeper = useDraft(orders, draft, onMade)
  const watched = Form.useWatch([], { form, preserve: true }) as DraftBody | undefined
  const body: DraftBody = watched && Object.keys(watched).length > 0 ? watched : first
  useUnsaved(keeper.saving.state === 'saving' || keeper.saving.state === 'failed', `录入${line.label}`)
  // A new order leads along: who buys, then what. One that is gone on with has been begun in an order of its own.
  const named = partiesOf(line).length > 0
  const begun = draftItems(body).length !== 1 || draftItems(body).some(({ ref_id }) => ref_id)
  const [turn] = draft || !named ? [] : [...emptyParties(line, body), ...(begun ? [] : [GOODS_TURN])]
  useEffect(() => {
    if (!draft && !named) page.current?.querySelector<HTMLInputElement>('.entry-part input')?.focus()
  }, [draft, named])

  const read = () => asSent(line, form.getFieldsValue(true) as DraftBody)
  const changed = () => keeper.change(read())
  const go = (path: string) => form.scrollToField(nameOf(path), { behavior: 'smooth', block: 'center', focus: true })
  const tell = (sentence: string, faults: Readonly<Record<string, string>>) => {
    form.setFields(Object.entries(faults).map(([path, text]) => ({ name: nameOf(path), errors: [text] })))
    setWrong({ sentence, fields: Object.entries(faults).map(([path, text]) => ({ name: path, label: labelOf(line, path), text })) })
    const [one] = Object.keys(faults)
    if (one) go(one)
  }
  const send = async (paysAll: boolean) => {
    if (sending.current) return
    sending.current = true
    setBusy(true)
    setWrong(undefined)
    try {
      if (paysAll) form.setFieldValue(['package_price', 'paid'], Number(body.package_price?.['paid'] || 0) || draftSums(body).amount)
      changed()
      await keeper.flush()
      const current = keeper.current()
      if (!current) return
      const order = await call(orderEndpoints(orders).placeDraft, undefined, { params: { draft_id: current.id }, quiet: true, idempotencyKey: key.current })
      void message.success('提交成功')
      onLeave(order.id)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      key.current = newKey()
      tell(error.message, error.fields)
    } finally {
      sending.current = false
      setBusy(false)
    }
  }
  const submit = (paysAll: boolean) => {
    if (busy) return
    const typed = read()
    const faults: Record<string, string> = {}
    for (const { key: part } of partsOf(line)) for (const [path, text] of Object.entries(checkPart(line, part, typed))) faults[`${part}.${path}`] = text
    // What has a list price has it filled in by now.
    for (const [index, { kind, price }] of draftItems(typed).entries()) if (kind && typeof price !== 'number') faults[`order_info.items.${index}.price`] ??= '请填写单价'
    if (paysAll && !typed.package_price?.['pay_channel']) faults['package_price.pay_channel'] = '请选择支付方式'
    const [sentence] = Object.values(faults)
    if (sentence) return tell(sentence, faults)
    // domain 1.19: a price of nothing is confirmed.
    if (draftSums(typed).amount > 0) return void send(paysAll)
    modal.confirm({ title: '价格为 0，确认免费开通？', okText: '确认开通', onOk: () => void send(false) })
  }
  const pressed = (event: React.KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat || !isFront()) return
    event.preventDefault()
    // A list of choices would open by it.
    event.stopPropagation()
    submit(event.shiftKey)
  }
  const stale = keeper.saving.stale
  return (
    // Ctrl and Enter submit from whatever field has the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section className="order-entry" aria-label={`录入${line.label}`} ref={page} onKeyDownCapture={pressed}>
      <header>
        <h2>录单</h2>
        <Space wrap><SavingNote saving={keeper.saving} /><Button onClick={() => void keeper.flush().then(() => onLeave())}>返回列表</Button></Space>
      </header>
      {stale && (
        <Alert className="form-alert" type="warning" showIcon title="这份草稿已在其他窗口修改" action={(
          <Space>
            <Button size="small" onClick={() => { form.setFieldsValue(firstBody(line, stale.body, false)); keeper.overwrite(stale.rev, stale.body) }}>用对方的</Button>
            <Button size="small" type="primary" onClick={() => keeper.overwrite(stale.rev, read())}>用我的</Button>
          </Space>
        )} />
      )}
      <Form form={form} layout="vertical" initialValues={first} onValuesChange={() => { setWrong(undefined); changed() }}>
        <div className="entry-columns">
          <div className="entry-main">
            {wrong && <Problems title={wrong.sentence} fields={wrong.fields} onGo={go} />}
            {partsOf(line).filter(({ key: part }) => part !== 'receiving_info' || draftShips(line, body)).map(({ key: part, title }) => {
              const View = PART_VIEWS[part]
              return <section key={part} className="entry-part" aria-label={title}><h3>{title}</h3><View line={line} orders={orders} form={form} body={body} onChanged={changed} turn={turn} /></section>
            })}
          </div>
          <EntrySum line={line} orders={orders} body={body} busy={busy} onSubmit={submit} />
        </div>
      </Form>
    </section>
  )
}
