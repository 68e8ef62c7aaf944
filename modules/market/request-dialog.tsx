import { App, Form, Modal } from 'antd'
import { useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import type { AnyField } from '../../core/field/any-field.ts'
import { Picker } from '../../core/field/reference.tsx'
import { useCloseGuard } from '../../core/form/close-guard.tsx'
import { FieldItem } from '../../core/form/field-item.tsx'
import { validated } from '../../core/form/validated.tsx'
import type { RowDialogProps } from '../../core/resource/present.tsx'
import { bookLine } from '../book/module.ts'
import { useSend } from '../user/door.tsx'
import { previewList, replaceList, requestOpenings, type ListCheck } from './calls.ts'
import { ListChecked, openCount, PasteBox, pasteProblem, QuotaBar } from './list-check.tsx'
import { splitLines } from './list.ts'
import { marketApply } from './market-apply.ts'

interface Values {
  org: string
  applicant: string
  mobile: string
  region_code: string
  offer_id?: number
  purpose: 1 | 2 | 3
  days: number
  reason?: string | null
  licence?: string[] | null
  list: string
}

const fields = marketApply.fields as Readonly<Record<string, AnyField>>

function Offer({ id, value, onChange }: { id?: string; value?: number; onChange?: (value: number | undefined) => void }) {
  return <Picker target={bookLine.offers} id={id} label="开通商品" narrow={{ offered: '1' }} value={value} onChange={(picked) => onChange?.(picked ?? undefined)} />
}

const listRules = [{ validator: (_rule: unknown, value: string | undefined) => { const wrong = pasteProblem(value); return wrong === undefined ? Promise.resolve() : Promise.reject(new Error(wrong)) } }]

/** 申请开通: for whom and what, the list, and what becomes of each of its lines before anything is sent. */
export function RequestDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const { message } = App.useApp()
  const [form] = Form.useForm<Values>()
  const [seen, setSeen] = useState<ListCheck>()
  const { busy, problem, send } = useSend(form)
  const values = Form.useWatch([], form) ?? {}
  const close = useCloseGuard((values.list ?? '') !== '' || (values.org ?? '') !== '', '申请开通', onClose)
  const next = () => send(async () => {
    const sent = await validated(form)
    if (!sent) return
    const { list, reason, licence, offer_id = 0, ...rest } = sent
    const lines = splitLines(list)
    if (!seen) return setSeen(await call(previewList, { offer_id, lines }, { quiet: true }))
    const { named, left_out } = await call(requestOpenings, { ...rest, offer_id, licence: licence ?? [], ...(reason && { reason }), lines }, { quiet: true }).catch((failure: unknown) => { setSeen(undefined); throw failure })
    void message.success(left_out.length > 0 ? `已提交 ${named} 人，${left_out.length} 行没有列入` : `已提交 ${named} 人，等待审核`)
    onDone()
    onClose()
  })
  const good = seen ? openCount(seen) : 0
  const item = (name: keyof Values & string) => {
    const field = fields[name]
    return field && <FieldItem field={field} name={name} values={{ ...values }} />
  }
  return (
    <Modal open title="申请开通" width={760} okText={seen ? `提交 ${good} 人` : '核对名单'} okButtonProps={{ disabled: seen !== undefined && good === 0 }} confirmLoading={busy} onOk={() => void next()} onCancel={close}
      cancelText={seen ? '返回修改' : '取消'} {...(seen && { cancelButtonProps: { onClick: () => setSeen(undefined) } })} mask={{ closable: false }}>
      {problem}
      <Form<Values> form={form} name="market-request" layout="vertical" initialValues={{ purpose: 2, days: 30, list: '' }} hidden={seen !== undefined}>
        <div className="market-form">
          {item('org')}{item('region_code')}{item('applicant')}{item('mobile')}
          <Form.Item name="offer_id" label="开通商品" rules={[{ required: true, message: '请选择开通商品' }]}><Offer /></Form.Item>
          {item('days')}
          <div className="whole">{item('purpose')}</div>
          <div className="whole">{item('reason')}</div>
          <div className="whole">{item('licence')}</div>
          <Form.Item className="whole" name="list" label="名单" required rules={listRules}><PasteBox /></Form.Item>
        </div>
      </Form>
      {seen && <><QuotaBar quota={seen.quota} more={good} /><ListChecked {...seen} /><p className="note">只提交「已有账号」和「新用户」，其余不列入。由另一人审核通过后开通，占用本月名额。</p></>}
    </Modal>
  )
}

/** 修改名单: another list in the place of the one that waits. */
export function ReplaceDialog({ row, reload, onClose }: RowDialogProps<typeof marketApply>) {
  const { message } = App.useApp()
  const [form] = Form.useForm<{ list: string }>()
  const [seen, setSeen] = useState<ListCheck>()
  const { busy, problem, send } = useSend(form)
  const next = () => send(async () => {
    const sent = await validated(form)
    if (!sent) return
    const lines = splitLines(sent.list)
    if (!seen) return setSeen(await call(previewList, { offer_id: row.offer_id, lines }, { quiet: true }))
    const { named } = await call(replaceList, { lines, rev: row.rev }, { params: { id: row.id }, quiet: true })
    void message.success(`名单已改为 ${named} 人`)
    reload()
    onClose()
  })
  const good = seen ? openCount(seen) : 0
  return (
    <Modal open title={`修改名单 · ${row.org}`} width={680} okText={seen ? `改为 ${good} 人` : '核对名单'} okButtonProps={{ disabled: seen !== undefined && good === 0 }} confirmLoading={busy} onOk={() => void next()} onCancel={onClose}
      cancelText={seen ? '返回修改' : '取消'} {...(seen && { cancelButtonProps: { onClick: () => setSeen(undefined) } })} mask={{ closable: false }}>
      {problem}
      <p className="note">新名单代替原来的 {Number(row.people_cnt ?? 0)} 人。</p>
      <Form form={form} name="market-list" layout="vertical" initialValues={{ list: '' }} hidden={seen !== undefined}><Form.Item name="list" label="名单" required rules={listRules}><PasteBox /></Form.Item></Form>
      {seen && <><QuotaBar quota={seen.quota} more={good} /><ListChecked {...seen} /></>}
    </Modal>
  )
}
