import { App, Form, Input, Modal } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { request } from '../../core/endpoint/call.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { present, type RowDialogProps } from '../../core/resource/present.tsx'
import { combination, detailPath } from './combination.ts'

type Row = WireRow<typeof combination>
const LONGEST = 80

/** Asks for the name of a copy, and goes to it. */
function CopyDialog({ row, onClose }: RowDialogProps<typeof combination>) {
  const { message } = App.useApp()
  const navigate = useNavigate()
  const [form] = Form.useForm<{ name: string }>()
  const [busy, setBusy] = useState(false)
  const copy = async ({ name }: { name: string }) => {
    setBusy(true)
    try {
      const { subject_id, tag_ids, cover, items } = row
      const made = await request<Row>('POST', combination.api.item, { name, subject_id, tag_ids, cover, items }, { quiet: true })
      void message.success('复制成功')
      onClose()
      await navigate(detailPath(made.id))
    } catch (error) {
      form.setFields([{ name: 'name', errors: [error instanceof Error ? error.message : '复制失败，请重试'] }])
      setBusy(false)
    }
  }
  return (
    <Modal open title="复制组合" okText="复制" confirmLoading={busy} onOk={() => form.submit()} onCancel={onClose}>
      <Form form={form} name="combination-copy" layout="vertical" initialValues={{ name: `${row.name}（副本）`.slice(0, LONGEST) }} onFinish={(values) => void copy(values)}>
        <Form.Item name="name" label="新组合名称" rules={[{ required: true, whitespace: true, message: '请填写名称' }, { max: LONGEST, message: `名称最多 ${LONGEST} 个字` }]}><Input /></Form.Item>
      </Form>
    </Modal>
  )
}

/** Goes to where one is put together. */
function Compose({ row, onClose }: RowDialogProps<typeof combination>) {
  const navigate = useNavigate()
  const go = useEffectEvent(() => {
    // The list is kept behind its tab: it must not go on when it comes back.
    onClose()
    void navigate(detailPath(row.id))
  })
  useEffect(() => go(), [])
  return null
}

/** Combinations: the name leads to where one is put together, and a new one is opened there. */
export default present(combination)({
  cells: {
    name: ({ value, row }) => <Link to={detailPath(row.id)}>{value}</Link>,
    item_count: ({ value, row }) => <Link className="figure" to={detailPath(row.id)}>{Number(value ?? 0)}</Link>,
  },
  bulkFields: ['tag_ids'],
  rowActions: [
    { key: 'compose', label: '编排内容', first: true, visible: (row) => row.deleted_at === null },
    { key: 'copy', label: '复制', visible: (row) => row.can.includes('edit') },
  ],
  afterCreate: (row, { open }) => open('compose', row),
  dialogs: { copy: CopyDialog, compose: Compose },
})
