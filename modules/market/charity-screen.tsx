import { Alert, App, Button, Checkbox, DatePicker, Form, InputNumber, Modal } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { ReasonItem } from '../../core/form/reason-item.tsx'
import { startOfDay } from '../../core/field/time.ts'
import { validated } from '../../core/form/validated.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { ListsPage } from '../../core/list/lists-page.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { extendPresentation, present, type RowDialogProps } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { presentApplies } from '../apply/door.tsx'
import { APPLY_STATUS } from '../apply/module.ts'
import { useSend } from '../user/door.tsx'
import { adjustCharity, lookAtEvidence, openPlaces, previewPlaces, recallCharity, type ListCheck } from './calls.ts'
import { CHARITY_PATH, charityApply, EVIDENCE, MOST_PLACES } from './charity-apply.ts'
import { ListChecked, openCount, PasteBox, pasteProblem, QuotaBar, QuotaLine } from './list-check.tsx'
import { splitLines } from './list.ts'
import { charityUser, OPENING } from './opening.ts'
import { bulkRecall, RecallDialog, type Recall } from './recall-dialog.tsx'

type Row = WireRow<typeof charityApply>

const { rights } = charityApply
const PIECES = ['单位证明', '困难证明', '学生名册', '联系人身份信息'] as const
const recall: Recall = { grant: rights.id('open'), words: '收回后该学员立即不能学习，名额可以给别人。', measure: '名', send: (ids, reason) => call(recallCharity, { ids, reason }, { quiet: true }) }

/** 核对材料: what was looked at is ticked before anybody approves. */
function Evidence({ row, reload }: { row: Row; reload: () => void }) {
  const can = useCan()
  const { message } = App.useApp()
  const [ticked, setTicked] = useState<string[]>([...row.evidence ?? []])
  const { busy, problem, send } = useSend()
  if (row.status !== APPLY_STATUS.waiting || !can(rights.id('audit'))) return null
  const save = () => send(async () => {
    await call(lookAtEvidence, { evidence: EVIDENCE.flatMap(({ value }) => (ticked.includes(value) ? [value] : [])), rev: row.rev }, { params: { id: row.id }, quiet: true })
    void message.success('已保存核对结果')
    reload()
  })
  return (
    <>
      <h4>核对材料</h4>
      {problem}
      <p className="note">看过困难证明后才能通过。</p>
      <Checkbox.Group value={ticked} onChange={setTicked} options={[...EVIDENCE]} /> <Button size="small" loading={busy} onClick={() => void save()}>保存核对</Button>
    </>
  )
}

/** 开通学员: pasted numbers, who they are, and whether the places are enough, before anything is written. */
function PlacesDialog({ row, reload, onClose }: RowDialogProps<typeof charityApply>) {
  const { message } = App.useApp()
  const [list, setList] = useState('')
  const [seen, setSeen] = useState<ListCheck>()
  const { busy, problem, send } = useSend()
  const wrong = pasteProblem(list)
  const next = () => send(async () => {
    const lines = splitLines(list)
    if (!seen) return setSeen(await call(previewPlaces, { lines }, { params: { id: row.id }, quiet: true }))
    const { opened } = await call(openPlaces, { lines }, { params: { id: row.id }, quiet: true })
    void message.success(`已开通 ${opened} 名受助学员`)
    reload()
    onClose()
  })
  const good = seen ? openCount(seen) : 0
  const short = seen?.quota ? seen.quota.used + good > seen.quota.quota : false
  return (
    <Modal open title={`开通学员 · ${row.org}`} width={680} okText={seen ? `开通 ${good} 人` : '核对名单'} okButtonProps={{ disabled: wrong !== undefined || (seen !== undefined && (good === 0 || short)) }} confirmLoading={busy}
      onOk={() => void next()} onCancel={onClose} cancelText={seen ? '返回修改' : '取消'} {...(seen && { cancelButtonProps: { onClick: () => setSeen(undefined) } })} mask={{ closable: false }}>
      {problem}
      {!seen && <PasteBox value={list} onChange={setList} />}
      {seen && <>{short && <Alert className="form-alert" type="error" showIcon title="名额不足，请减少人数，或先调整名额" />}<QuotaBar quota={seen.quota} more={good} /><ListChecked {...seen} /></>}
    </Modal>
  )
}

/** 续期: another last day and another number of places, for a school that goes on. */
function AdjustDialog({ row, reload, onClose }: RowDialogProps<typeof charityApply>) {
  const { message } = App.useApp()
  const [form] = Form.useForm<{ quota: number; due_at: Dayjs; reason: string }>()
  const { busy, problem, send } = useSend(form)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    await call(adjustCharity, { quota: values.quota, due_at: startOfDay(values.due_at.unix()), reason: values.reason, rev: row.rev }, { params: { id: row.id }, quiet: true })
    void message.success('已续期，在用学员的使用期一起改变')
    reload()
    onClose()
  })
  return (
    <Modal open title={`续期和名额 · ${row.org}`} okText="保存" confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} mask={{ closable: false }} destroyOnHidden>
      {problem}
      <Form form={form} name="charity-adjust" layout="vertical" initialValues={{ quota: row.quota, due_at: dayjs.unix(row.due_at) }}>
        <Form.Item name="due_at" label="公益到期" rules={[{ required: true, message: '请选择到期日' }]} extra="到期当天仍可使用"><DatePicker className="wide" /></Form.Item>
        <Form.Item name="quota" label="名额" rules={[{ required: true, message: '请填写名额' }]} extra={`在用 ${Number(row.used ?? 0)} 个`}><InputNumber className="wide" min={1} max={MOST_PLACES} precision={0} suffix="个" /></Form.Item>
        <ReasonItem />
      </Form>
    </Modal>
  )
}

const people = present(charityUser)({
  bulkFields: ['remark'],
  cells: { apply_id: ({ row }) => <Link to={`${CHARITY_PATH}?open=${row.apply_id}`}>{row.apply_name}</Link>, offer_id: ({ row }) => <span title={row.offer_name ?? undefined}>{row.offer_name}</span> },
  slots: { bulk: bulkRecall(recall) },
  rowActions: [{ key: 'recall', label: '收回', danger: true, first: true, grant: recall.grant, visible: (row) => row.state === OPENING.active }],
  dialogs: { recall: ({ row, reload, onClose }: RowDialogProps<typeof charityUser>) => <RecallDialog recall={recall} ids={[row.id]} title={row.name} onClose={onClose} onDone={reload} /> },
})

const Places = ({ row }: { row: { id: number } }) => <ListPage resource={charityUser} presentation={people} embedded={{ fixed: { apply_id: [String(row.id)] } }} />

/** Schools in need: evidence beside the form, who is admitted, until when. */
export const applications = extendPresentation(extendPresentation(present(charityApply)({
  cells: {
    used: ({ value, row }) => (row.status === APPLY_STATUS.passed ? <QuotaLine used={Number(value ?? 0)} quota={row.quota} /> : null),
    left: ({ value, row }) => (row.status === APPLY_STATUS.passed ? <span className="figure">{Number(value ?? 0)}</span> : null),
    offer_id: ({ row }) => <span title={row.offer_name ?? undefined}>{row.offer_name}</span>,
  },
  slots: { details: [{ key: 'places', label: '受助学员', Content: Places }] },
  rowActions: [
    { key: 'places', label: '开通学员', first: true, grant: rights.id('open'), visible: (row) => row.status === APPLY_STATUS.passed },
    { key: 'adjust', label: '续期和名额', grant: rights.id('audit'), visible: (row) => row.status === APPLY_STATUS.passed },
  ],
  dialogs: { places: PlacesDialog, adjust: AdjustDialog },
}), presentApplies({ resource: charityApply, path: CHARITY_PATH, pieces: PIECES })), present(charityApply)({
  slots: { head: ({ row, reload }) => <Evidence key={row.rev} row={row} reload={reload} /> },
}))

/** 公益用户: schools in need, and who learns for nothing. */
export default function CharityScreen() {
  return <ListsPage label="公益申请或受助学员" views={[
    { key: 'schools', label: '公益申请', resource: charityApply, presentation: applications },
    { key: 'people', label: '受助学员', resource: charityUser, presentation: people },
  ]} />
}
