import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Drawer, Form, Input, Modal, Radio, Skeleton, Space } from 'antd'
import { useMemo, useState } from 'react'
import { call, request } from '../../core/endpoint/call.tsx'
import { Picker } from '../../core/field/reference.tsx'
import { NONE } from '../../core/field/view.tsx'
import { formatTime } from '../../core/field/time.ts'
import { ListButton } from '../../core/list/list-button.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { present, type BulkProps, type RowDialogProps } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { useSaid } from '../../core/undo/use-said.tsx'
import { LabelPrinter } from '../code/door.tsx'
import { schoolStudent } from '../study-room/module.ts'
import { padCommand } from './device/command.ts'
import { CommandDialog, ConnectDialog, PolicyDialog } from './device/device-dialogs.tsx'
import { padPolicy } from './device/policy.ts'
import { selfMember } from './member.ts'
import { bindPad, movePads, pad, PAD_RIGHTS, PAD_STATUS, unbindPad } from './pad.ts'
import { anyRoom } from './room.ts'
import { seat } from './seat.ts'

const sentence = (failure: unknown) => (failure instanceof Error ? failure.message : '操作失败')

/** Whom a pad is given to, and by which of its own fields those are narrowed who may be. */
const HOLDERS = [
  { key: 'seat_id', label: '座位', target: seat, by: 'room_id' },
  { key: 'student_id', label: '学生', target: schoolStudent, by: 'school_id' },
  { key: 'member_id', label: '会员', target: selfMember, by: 'school_id' },
] as const

/** 绑定: gives a pad to a seat, a student or a member. */
function BindDialog({ row, reload, onClose }: RowDialogProps<typeof pad>) {
  const { message } = App.useApp()
  const [key, setKey] = useState<(typeof HOLDERS)[number]['key']>('seat_id')
  const [id, setId] = useState<number | null>(null)
  const [problem, setProblem] = useState<string>()
  const holder = HOLDERS.find((one) => one.key === key) ?? HOLDERS[0]
  const run = async () => {
    if (id === null) return setProblem(`请选择${holder.label}`)
    try {
      await call(bindPad, { [key]: id }, { params: { id: row.id }, quiet: true })
      void message.success('绑定成功')
      reload()
      onClose()
    } catch (failure) {
      setProblem(sentence(failure))
    }
  }
  return (
    <Modal open title={`绑定 · ${row.sn}`} okText="绑定" onOk={run} onCancel={onClose}>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      <Form layout="vertical">
        <Form.Item label="绑定到"><Radio.Group value={key} onChange={(event) => { setKey(event.target.value as typeof key); setId(null) }} options={HOLDERS.map((one) => ({ value: one.key, label: one.label }))} /></Form.Item>
        <Form.Item label={holder.label} htmlFor="bind-to"><Picker key={key} id="bind-to" target={holder.target} label={holder.label} narrow={{ [holder.by]: row[holder.by] }} value={id ?? undefined} onChange={setId} /></Form.Item>
      </Form>
    </Modal>
  )
}

/** 调拨: sends pads to another room, or back to the store. */
function MoveDialog({ ids, many, onClose, onDone }: { ids: readonly number[]; many: string; onClose: () => void; onDone: () => void }) {
  const said = useSaid()
  const [roomId, setRoomId] = useState<number | null>(null)
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<string>()
  const run = async () => {
    try {
      const { moved, undo } = await call(movePads, { ids: [...ids], ...(roomId !== null && { room_id: roomId }), ...(reason.trim() && { reason }) }, { quiet: true })
      said({ words: `已调拨 ${moved} 台`, undo })
      onDone()
      onClose()
    } catch (failure) {
      setProblem(sentence(failure))
    }
  }
  return (
    <Modal open title={`调拨：${many}`} okText="调拨" onOk={run} onCancel={onClose}>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      <Form layout="vertical">
        <Form.Item label="调往自习室" htmlFor="move-to" extra="不选则退回总仓"><Picker id="move-to" target={anyRoom} label="自习室" value={roomId ?? undefined} onChange={setRoomId} /></Form.Item>
        <Form.Item label="原因" htmlFor="move-why"><Input id="move-why" maxLength={200} value={reason} onChange={(event) => setReason(event.target.value)} /></Form.Item>
      </Form>
    </Modal>
  )
}

/** Right to tell pads something. */
const TELL = PAD_RIGHTS.id('command')

/** Pads whose names are asked for at a time. */
const NAMES = 100
const LABEL_NOTE = '道远自习室 资产标签'

/** 打印标签: the serial numbers of pads, to be stuck on their backs. */
function PadLabels({ ids, onClose }: { ids: readonly number[]; onClose: () => void }) {
  const { data, error } = useQuery({
    queryKey: ['pad labels', ids],
    queryFn: async ({ signal }) => {
      const parts = Array.from({ length: Math.ceil(ids.length / NAMES) }, (_unused, at) => ids.slice(at * NAMES, (at + 1) * NAMES))
      const answers = await Promise.all(parts.map((part) => request<{ items: { id: number; name: string }[] }>('GET', pad.optionsPath, { ids: part.map(String) }, { signal, quiet: true })))
      return answers.flatMap(({ items }) => items).sort((a, b) => a.name.localeCompare(b.name))
    },
  })
  const labels = useMemo(() => (data ?? []).map(({ name }) => ({ code: name, shown: name, title: '平板', note: LABEL_NOTE })), [data])
  return (
    <Drawer open title={`打印标签：${ids.length} 台平板`} size="100%" onClose={onClose} destroyOnHidden>
      <p className="note">二维码是平板的 SN 码。打印时请选择 A4、无边距、100% 缩放。</p>
      {error ? <Alert type="error" showIcon title={error.message} /> : data ? <LabelPrinter labels={labels} /> : <Skeleton active />}
    </Drawer>
  )
}

/** What is done with the selected pads together. */
function PadsTogether({ selected, query, onDone }: BulkProps) {
  const can = useCan()
  const [open, setOpen] = useState<'move' | 'labels' | 'policy' | 'reboot' | 'update'>()
  if (query) return null
  const close = () => setOpen(undefined)
  return (
    <>
      {can(PAD_RIGHTS.id('move')) && <Button size="small" onClick={() => setOpen('move')}>调拨</Button>}
      {can(TELL) && <Button size="small" onClick={() => setOpen('policy')}>策略下发</Button>}
      {can(TELL) && <Button size="small" onClick={() => setOpen('update')}>推送更新</Button>}
      {can(TELL) && <Button size="small" onClick={() => setOpen('reboot')}>远程重启</Button>}
      <Button size="small" onClick={() => setOpen('labels')}>打印标签</Button>
      {open === 'move' && <MoveDialog ids={selected} many={`${selected.length} 台`} onClose={close} onDone={onDone} />}
      {open === 'labels' && <PadLabels ids={selected} onClose={close} />}
      {open === 'policy' && <PolicyDialog ids={selected} many={`${selected.length} 台`} onClose={close} onDone={onDone} />}
      {(open === 'reboot' || open === 'update') && <CommandDialog kind={open} ids={selected} many={`${selected.length} 台`} onClose={close} onDone={onDone} />}
    </>
  )
}

/** 远程指令: what the pad was told, and what came of it. */
function CommandsTab({ row }: { row: WireRow<typeof pad> }) {
  return <ListPage resource={padCommand} embedded={{ fixed: { pad_id: [String(row.id)] } }} />
}

/** When the pad was last found, leading to where. */
function PadLocation({ value, row }: { value: number | null; row: WireRow<typeof pad> }) {
  if (value === null) return NONE
  return <a className="figure" href={`https://uri.amap.com/marker?position=${row.lng},${row.lat}&coordinate=wgs84&name=${encodeURIComponent(row.sn)}`} target="_blank" rel="noopener noreferrer">{formatTime(value).slice(0, 16)}</a>
}

/** Whether a pad can be told anything: it is connected and still one of ours. */
const listens = (row: WireRow<typeof pad>) => row.deleted_at === null && row.connected_at !== null && row.status !== PAD_STATUS.retired

const TOLD = [{ key: 'locate', label: '定位' }, { key: 'reboot', label: '远程重启' }, { key: 'update', label: '推送更新' }] as const
const one = ({ row, reload, onClose }: RowDialogProps<typeof pad>) => ({ ids: [row.id], many: row.sn, onClose, onDone: reload })

export default present(pad)({
  cells: { located_at: PadLocation },
  slots: {
    bulk: PadsTogether,
    toolbar: () => <Space wrap><ListButton resource={padPolicy} label="管控策略" /><ListButton resource={padCommand} label="远程指令" /></Space>,
    details: [{ key: 'commands', label: '远程指令', Content: CommandsTab }],
  },
  rowActions: [
    { key: 'bind', label: '绑定', grant: PAD_RIGHTS.id('bind'), visible: (row) => row.room_id !== null && (row.status === PAD_STATUS.stock || row.status === PAD_STATUS.in_use) },
    {
      key: 'unbind', label: '解绑', grant: PAD_RIGHTS.id('bind'), visible: (row) => row.status === PAD_STATUS.in_use,
      run: (row, { reload }) => call(unbindPad, {}, { params: { id: row.id } }).then(reload, () => undefined),
    },
    { key: 'move', label: '调拨', grant: PAD_RIGHTS.id('move'), visible: (row) => row.status === PAD_STATUS.stock },
    { key: 'policy', label: '策略下发', grant: TELL, visible: listens },
    ...TOLD.map((told) => ({ ...told, grant: TELL, visible: listens })),
    { key: 'connect', label: '接入码', grant: PAD_RIGHTS.id('connect'), visible: (row) => row.deleted_at === null },
    { key: 'labels', label: '打印标签' },
  ],
  dialogs: {
    locate: (props) => <CommandDialog kind="locate" {...one(props)} />,
    reboot: (props) => <CommandDialog kind="reboot" {...one(props)} />,
    update: (props) => <CommandDialog kind="update" {...one(props)} />,
    policy: (props) => <PolicyDialog {...one(props)} />,
    connect: ConnectDialog,
    bind: BindDialog,
    move: (props) => <MoveDialog {...one(props)} />,
    labels: ({ row, onClose }) => <PadLabels ids={[row.id]} onClose={onClose} />,
  },
})
