import { useQuery } from '@tanstack/react-query'
import { Alert, Form, InputNumber, Modal, Radio, Select, Skeleton, Space, Button, Table } from 'antd'
import { useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { formatDate } from '../../core/field/time.ts'
import { useCloseGuard } from '../../core/form/close-guard.tsx'
import { ReasonItem } from '../../core/form/reason-item.tsx'
import { validated } from '../../core/form/validated.tsx'
import { useSaid } from '../../core/undo/use-said.tsx'
import { useSend } from '../user/door.tsx'
import { changeValidity, openableOffers, previewValidity, type OpenableOffer, type ValidityAsk, type ValidityRow } from './validity-calls.ts'
import { VALIDITY_STATUS } from './validity.ts'

/** Lengths that are given often, in days. */
const USUAL = [7, 30, 90] as const

const columns = [
  { title: '用户', dataIndex: 'user', width: 100, ellipsis: true },
  { title: '产品', render: (_value: unknown, one: ValidityRow) => <>{one.product}<br /><small className="note">{one.line_name}</small></> },
  { title: '现在到期', width: 104, render: (_value: unknown, one: ValidityRow) => (one.before === null ? '没有' : formatDate(one.before)) },
  { title: '改为', width: 200, render: (_value: unknown, one: ValidityRow) => (one.why ? <span className="bad">{one.why}</span> : <b>{one.before === null ? `${formatDate(one.start_at)} 至 ` : ''}{formatDate(one.after ?? 0)}</b>) },
]

/** What a change is about, one by one. */
export const ValidityRows = ({ rows }: { rows: readonly ValidityRow[] }) => <Table<ValidityRow> size="small" rowKey="key" pagination={rows.length > 50 ? { pageSize: 50 } : false} scroll={{ x: 560, y: 300 }} dataSource={[...rows]} columns={columns} />

/** Shows what becomes of everything before it is done, asks why, and does it or hands it to a second person. */
function AskDialog({ title, verb, ask, children, onClose, onDone }: { title: string; verb: string; ask: ValidityAsk | undefined; children: React.ReactNode; onClose: () => void; onDone: () => void }) {
  const said = useSaid()
  const [form] = Form.useForm<{ reason: string }>()
  const { busy, problem, send } = useSend(form)
  const { data, error, isFetching } = useQuery({ queryKey: ['validity-preview', ask], enabled: ask !== undefined, retry: false, queryFn: ({ signal }) => (ask ? call(previewValidity, { ask }, { signal, quiet: true }) : Promise.reject(new Error('没有内容'))) })
  const reason = Form.useWatch('reason', form)
  const close = useCloseGuard(Boolean(reason), title, onClose)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values || !ask || !data) return
    const { status, undo } = await call(changeValidity, { ask, reason: values.reason }, { quiet: true })
    said(status === VALIDITY_STATUS.waiting ? { words: '已提交，等待另一人批准' } : { words: `已${verb} ${data.good} 项`, undo })
    onDone()
    onClose()
  })
  const good = data?.good ?? 0
  return (
    <Modal open title={title} width={760} okText={data?.second ? `提交审批 ${good} 项` : `${verb} ${good} 项`} okButtonProps={{ disabled: good === 0 || isFetching }} confirmLoading={busy} onOk={() => void submit()} onCancel={close} destroyOnHidden>
      {problem}
      {children}
      {error && <Alert className="form-alert" type="error" showIcon title={error.message} />}
      {ask && !error && (data ? <ValidityRows rows={data.rows} /> : <Skeleton active />)}
      {data?.second && <Alert className="form-alert" type="warning" showIcon title={`${data.second}，要由另一个人批准后才生效`} />}
      <Form form={form} layout="vertical"><ReasonItem /></Form>
    </Modal>
  )
}

/** 延期: more time for chosen entitlements. */
export function ExtendValidity({ ids, onClose, onDone }: { ids: readonly number[]; onClose: () => void; onDone: () => void }) {
  const [days, setDays] = useState<number | null>(30)
  return (
    <AskDialog title={`延期 · ${ids.length} 项权益`} verb="延期" onClose={onClose} onDone={onDone} ask={days === null ? undefined : { kind: 'extend', ids: [...ids], days }}>
      <Space wrap className="form-alert"><InputNumber aria-label="延期天数" min={1} max={3650} precision={0} value={days} suffix="天" onChange={setDays} />{USUAL.map((usual) => <Button key={usual} type={usual === days ? 'primary' : 'default'} ghost={usual === days} onClick={() => setDays(usual)}>{usual} 天</Button>)}</Space>
    </AskDialog>
  )
}

/** 补开: a course for people that should have it. */
export function OpenValidity({ people, onClose, onDone }: { people: readonly { id: number; name: string; mobile: string; frozen: boolean }[]; onClose: () => void; onDone: () => void }) {
  const [keyword, setKeyword] = useState('')
  const [offer, setOffer] = useState<OpenableOffer>()
  const [gift, setGift] = useState(false)
  const [users, setUsers] = useState(() => people.filter(({ frozen }) => !frozen).map(({ id }) => id))
  const { data, isFetching } = useQuery({ queryKey: ['openable-offers', keyword], queryFn: ({ signal }) => call(openableOffers, keyword ? { keyword } : {}, { signal, quiet: true }) })
  const items = data?.items ?? []
  return (
    <AskDialog title="补开课程" verb="补开" onClose={onClose} onDone={onDone} ask={offer && users.length > 0 ? { kind: 'open', user_ids: users, line: offer.line, offer_id: offer.id, gift } : undefined}>
      <Space orientation="vertical" className="wide form-alert">
        <Select className="wide" mode="multiple" aria-label="用户" placeholder="选择用户" maxTagCount={4} value={users} onChange={setUsers} showSearch={{ optionFilterProp: 'label' }} options={people.map(({ id, name, mobile }) => ({ value: id, label: `${name} ${mobile}` }))} />
        <Select className="wide" aria-label="课程" placeholder="输入课程名称查找" loading={isFetching} value={offer?.id} showSearch={{ filterOption: false, onSearch: setKeyword }} notFoundContent="没有可以补开的课程"
          onChange={(id: number) => setOffer(items.find((one) => one.id === id))} options={items.map((one) => ({ value: one.id, label: `${one.line_name} · ${one.title}（${one.valid}）` }))} />
        <Radio.Group aria-label="开通方式" value={gift} onChange={(event) => setGift(event.target.value === true)} options={[{ value: false, label: '补开（应有未开）' }, { value: true, label: '赠送' }]} />
      </Space>
    </AskDialog>
  )
}
