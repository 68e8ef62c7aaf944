import { DeleteOutlined } from '@ant-design/icons'
import { Button, Empty, Form, Input, InputNumber, Modal, Segmented, Select, Space } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { Picker } from '../../core/field/reference.tsx'
import { validated } from '../../core/form/validated.tsx'
import { useSaid } from '../../core/undo/use-said.tsx'
import { useSend } from '../user/door.tsx'
import { findScanned, moveMatters, type Scanned } from './calls.ts'
import { MOVE_KINDS, PURPOSES } from './move.ts'
import { ScanBox, type Found } from './scan-box.tsx'
import { warehouse } from './warehouse.ts'
import './matter.css'

const KINDS = ['in', 'out', 'transfer', 'back'] as const
export type DocumentKind = (typeof KINDS)[number]

interface Row { item: Scanned; qty: number; print_no?: number | undefined }
interface Values { warehouse_id: number; peer_id?: number; purpose?: Exclude<(typeof PURPOSES)[number]['value'], 'order'>; receiver?: string; mobile?: string; order_no?: string; note?: string }

/** The picker with what the form gives to an input. */
function Place({ id, value, onChange, label }: { id?: string; value?: number; onChange?: (value: number | undefined) => void; label: string }) {
  return <Picker target={warehouse} label={label} id={id} value={value} onChange={(picked) => onChange?.(picked ?? undefined)} />
}

/** A further scan of what stands there already makes it more. */
function added(rows: readonly Row[], found: readonly Found[]): Row[] {
  return found.reduce<Row[]>((sum, { item, qty }) => {
    const at = sum.findIndex((row) => row.item.id === item.id)
    if (at < 0) return [...sum, { item, qty, print_no: undefined }]
    return sum.map((row, place) => (place === at ? { ...row, item, qty: row.qty + qty } : row))
  }, [...rows])
}

function Lines({ kind, rows, from, onChange }: { kind: DocumentKind; rows: readonly Row[]; from: number | undefined; onChange: (rows: Row[]) => void }) {
  if (rows.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有物料，先扫码或选择" />
  const set = (at: number, part: Partial<Row>) => onChange(rows.map((row, place) => (place === at ? { ...row, ...part } : row)))
  return (
    <ul className="matter-lines">
      {rows.map(({ item, qty, print_no }, at) => {
        const lies = from === undefined ? undefined : item.places.find(({ warehouse_id }) => warehouse_id === from)?.qty ?? 0
        const short = (kind === 'out' || kind === 'transfer') && lies !== undefined && lies < qty
        return (
          <li key={item.id}>
            <span className="matter-name"><b>{item.name}</b><small>{item.sku}{lies !== undefined && <> · <span data-short={short}>该仓 {lies.toLocaleString('zh-CN')} {item.unit}</span></>}</small></span>
            {kind === 'in' && item.prints.length > 0 && <Select<number> aria-label={`${item.name}的印次`} allowClear placeholder="不选印次" {...(print_no !== undefined && { value: print_no })} options={item.prints.map(({ no, left }) => ({ value: no, label: `第 ${no} 次印刷，在途 ${left.toLocaleString('zh-CN')}` }))} onChange={(no?: number) => set(at, { print_no: no })} />}
            <InputNumber aria-label={`${item.name}的数量`} min={1} max={10_000_000} precision={0} value={qty} suffix={item.unit} status={short ? 'error' : ''} onChange={(value) => set(at, { qty: value ?? 1 })} />
            <Button type="text" aria-label={`移除${item.name}`} icon={<DeleteOutlined />} onClick={() => onChange(rows.filter((_, place) => place !== at))} />
          </li>
        )
      })}
    </ul>
  )
}

const WORDS: Readonly<Record<DocumentKind, string>> = { in: '入库仓库', out: '出库仓库', transfer: '调出仓库', back: '退回仓库' }

/** 出入库: matters that are scanned, from where or to where, and who got them. */
export function MoveDialog({ start, matterId, onClose, onDone }: { start: DocumentKind; matterId?: number; onClose: () => void; onDone: () => void }) {
  const said = useSaid()
  const [kind, setKind] = useState<DocumentKind>(start)
  const [rows, setRows] = useState<readonly Row[]>([])
  const [form] = Form.useForm<Values>()
  const from = Form.useWatch('warehouse_id', form)
  const { busy, problem, send } = useSend(form)
  const first = useQuery({ queryKey: ['matter scan', matterId], enabled: matterId !== undefined, queryFn: ({ signal }) => call(findScanned, { id: matterId ?? 0 }, { signal, quiet: true }) })
  const [begun, setBegun] = useState(false)
  if (!begun && first.data) {
    setBegun(true)
    setRows(added(rows, first.data.items.map((item) => ({ item, qty: 1 }))))
  }
  const label = MOVE_KINDS.find(({ value }) => value === kind)?.label ?? ''
  const pieces = rows.reduce((sum, { qty }) => sum + qty, 0)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    if (rows.length === 0) throw new Error('先扫码或选择物料')
    const { doc } = await call(moveMatters, { ...values, kind, lines: rows.map(({ item, qty, print_no }) => ({ matter_id: item.id, qty, ...(kind === 'in' && print_no !== undefined && { print_no }) })) }, { quiet: true })
    said({ words: `已${label} ${rows.length} 种 ${pieces.toLocaleString('zh-CN')} 件，单号 ${doc}` })
    onDone()
    onClose()
  })
  return (
    <Modal open width={760} title={`物料${label}`} okText={rows.length === 0 ? label : `${label} ${pieces.toLocaleString('zh-CN')} 件`} confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem}
      <Form form={form} layout="vertical">
        <Form.Item><Segmented<DocumentKind> aria-label="类型" value={kind} onChange={setKind} options={KINDS.map((value) => ({ value, label: MOVE_KINDS.find((one) => one.value === value)?.label ?? '' }))} /></Form.Item>
        <Space wrap align="start" className="matter-parts">
          <Form.Item name="warehouse_id" label={WORDS[kind]} rules={[{ required: true, message: '请选择仓库' }]}><Place label="仓库" /></Form.Item>
          {kind === 'transfer' && <Form.Item name="peer_id" label="调入仓库" rules={[{ required: true, message: '请选择调入仓库' }]}><Place label="调入仓库" /></Form.Item>}
          {kind === 'out' && <Form.Item name="purpose" label="用途" rules={[{ required: true, message: '请选择用途' }]}><Select placeholder="请选择用途" options={PURPOSES.filter(({ value }) => value !== 'order')} /></Form.Item>}
          {(kind === 'out' || kind === 'back') && <Form.Item name="receiver" label={kind === 'out' ? '领用人' : '退回人'} rules={kind === 'out' ? [{ required: true, whitespace: true, message: '请填写领用人' }] : []}><Input maxLength={20} placeholder="姓名或单位" /></Form.Item>}
          {(kind === 'out' || kind === 'back') && <Form.Item name="mobile" label="手机号" rules={[{ pattern: /^1[3-9]\d{9}$/, message: '请输入正确的手机号' }]}><Input maxLength={11} placeholder="是用户的记到其名下" /></Form.Item>}
          {(kind === 'out' || kind === 'back') && <Form.Item name="order_no" label="订单号"><Input maxLength={24} /></Form.Item>}
        </Space>
        <ScanBox onFound={(found) => setRows((now) => added(now, found))} />
        <Lines kind={kind} rows={rows} from={from} onChange={setRows} />
        <Form.Item name="note" label="说明"><Input maxLength={200} /></Form.Item>
      </Form>
    </Modal>
  )
}
