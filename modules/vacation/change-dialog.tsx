import { useQuery } from '@tanstack/react-query'
import { Alert, App, Empty, Form, Modal, Radio, Skeleton, Table } from 'antd'
import { useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { formatMoney } from '../../core/field/number.ts'
import { formatDate } from '../../core/field/time.ts'
import { ReasonItem } from '../../core/form/reason-item.tsx'
import { validated } from '../../core/form/validated.tsx'
import type { RowDialogProps } from '../../core/resource/present.tsx'
import { useSend } from '../user/door.tsx'
import { changeClass, readChanges } from './calls.ts'
import type { vacationMember } from './member.ts'
import { MEMBER_STATE } from './state.ts'

const difference = (fen: number) => (fen === 0 ? '相同' : `${fen > 0 ? '贵' : '便宜'} ${formatMoney(Math.abs(fen))}`)

/** 换班: the classes that somebody could go to, each with its price, its places and what they would have missed. */
export function ChangeDialog({ row, reload, onClose }: RowDialogProps<typeof vacationMember>) {
  const { message } = App.useApp()
  const [form] = Form.useForm<{ reason: string }>()
  const [chosen, setChosen] = useState<number>()
  const { busy, problem, send } = useSend(form)
  const { data, error } = useQuery({ queryKey: ['class-changes', row.id], queryFn: ({ signal }) => call(readChanges, undefined, { params: { id: row.id }, signal, quiet: true }), staleTime: 0 })
  const change = () => send(async () => {
    const values = await validated(form)
    if (!values || chosen === undefined) return
    const { state } = await call(changeClass, { class_id: chosen, reason: values.reason }, { params: { id: row.id }, quiet: true })
    void message.success(state === MEMBER_STATE.in ? '已换班' : '已换班，新班满员，正在候补')
    reload()
    onClose()
  })
  return (
    <Modal open title={`换班 · ${row.student ?? ''}`} width={760} okText="换班" okButtonProps={{ disabled: chosen === undefined }} confirmLoading={busy} onOk={() => void change()} onCancel={onClose} mask={{ closable: false }}>
      {problem}
      {error ? <Alert type="error" showIcon title={error.message} /> : !data ? <Skeleton active /> : data.classes.length === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有同学科的其他班级" /> : (
        <Table size="small" pagination={false} rowKey="id" scroll={{ x: 640, y: 300 }} dataSource={data.classes} columns={[
          { title: '班级', render: (_value, { id, name, course, refusal }) => <Radio checked={chosen === id} disabled={refusal !== null} onChange={() => setChosen(id)}>{name}<div className="note">{refusal ?? course}</div></Radio> },
          { title: '主讲', width: 90, dataIndex: 'teacher_name' },
          { title: '开课', width: 110, render: (_value, { start_on }) => formatDate(start_on) },
          { title: '价格', width: 120, render: (_value, { price_difference }) => difference(price_difference) },
          { title: '余位', width: 80, render: (_value, { seats }) => (seats > 0 ? seats : '候补') },
          { title: '已错过', width: 80, render: (_value, { missed }) => (missed > 0 ? `${missed} 次` : '无') },
        ]} />
      )}
      <Form form={form} layout="vertical"><ReasonItem /></Form>
    </Modal>
  )
}
