import { App, Button, Form, Modal } from 'antd'
import { useState, type ComponentType } from 'react'
import { ReasonItem } from '../../core/form/reason-item.tsx'
import { validated } from '../../core/form/validated.tsx'
import type { BulkProps } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { useSend } from '../user/door.tsx'

/** What takes openings back, and what that means. */
export interface Recall {
  readonly grant: number
  readonly words: string
  readonly measure: string
  send(ids: number[], reason: string): Promise<{ recalled: number }>
}

/** 收回: why, for one or many. */
export function RecallDialog({ recall, ids, title, onClose, onDone }: { recall: Recall; ids: readonly number[]; title: string; onClose: () => void; onDone: () => void }) {
  const { message } = App.useApp()
  const [form] = Form.useForm<{ reason: string }>()
  const { busy, problem, send } = useSend(form)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    const { recalled } = await recall.send([...ids], values.reason)
    void message.success(`已收回 ${recalled} ${recall.measure}`)
    onDone()
    onClose()
  })
  return (
    <Modal open title={`收回 · ${title}`} okText="收回" okButtonProps={{ danger: true }} confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem}
      <p className="note">{recall.words}</p>
      <Form form={form} layout="vertical" name="recall"><ReasonItem /></Form>
    </Modal>
  )
}

/** The button that takes back what is chosen in a list. */
export const bulkRecall = (recall: Recall): ComponentType<BulkProps> => function BulkRecall({ selected, query, many, onDone }: BulkProps) {
  const can = useCan()
  const [shown, setShown] = useState(false)
  // What somebody chose is taken back, not whatever filters leave.
  if (!can(recall.grant) || query) return null
  return (
    <>
      <Button size="small" danger onClick={() => setShown(true)}>收回</Button>
      {shown && <RecallDialog recall={recall} ids={selected} title={many} onClose={() => setShown(false)} onDone={onDone} />}
    </>
  )
}
