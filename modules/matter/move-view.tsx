import { Form, Modal } from 'antd'
import { call } from '../../core/endpoint/call.tsx'
import { NONE } from '../../core/field/view.tsx'
import { ReasonItem } from '../../core/form/reason-item.tsx'
import { validated } from '../../core/form/validated.tsx'
import { present, type RowDialogProps } from '../../core/resource/present.tsx'
import { useSaid } from '../../core/undo/use-said.tsx'
import { OrderLink } from '../order/door.tsx'
import { useSend } from '../user/door.tsx'
import { reverseMove } from './calls.ts'
import { matterMove } from './move.ts'
import { MATTER_RIGHTS } from './rights.ts'
import './matter.css'

/** 冲销: the opposite of a wrong line, with why. */
function ReverseDialog({ row, reload, onClose }: RowDialogProps<typeof matterMove>) {
  const said = useSaid()
  const [form] = Form.useForm<{ reason: string }>()
  const { busy, problem, send } = useSend(form)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    const { doc } = await call(reverseMove, values, { params: { id: row.id }, quiet: true })
    said({ words: `已冲销，单号 ${doc}` })
    reload()
    onClose()
  })
  return (
    <Modal open title={`冲销 ${row.doc}`} okText="冲销" okButtonProps={{ danger: true }} confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem}
      <p className="note">写一条相反的流水，原流水不变{row.kind === 'transfer' ? '；调拨的两边一起冲销' : ''}。</p>
      <Form form={form} layout="vertical"><ReasonItem /></Form>
    </Modal>
  )
}

/** How the stock book looks: what came with a plus, what went with a minus. */
export default present(matterMove)({
  cells: {
    qty: ({ value }) => <span className="figure move-qty" data-in={(value ?? 0) > 0}>{(value ?? 0) > 0 ? '+' : '−'}{Math.abs(value ?? 0).toLocaleString('zh-CN')}</span>,
    order_no: ({ value }) => <OrderLink no={value} />,
    print_no: ({ value }) => (value ? `第 ${value} 次` : NONE),
    reversed: ({ value }) => (value ? <span className="note">由 {String(value)} 冲销</span> : NONE),
  },
  rowActions: [{ key: 'reverse', label: '冲销', danger: true, grant: MATTER_RIGHTS.id('move'), visible: (row) => ['in', 'out', 'transfer', 'back'].includes(row.kind) && !row.reverse_of && !row.reversed }],
  dialogs: { reverse: ReverseDialog },
})
