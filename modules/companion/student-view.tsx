import { Button, Form, Modal } from 'antd'
import { useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { Picker } from '../../core/field/reference.tsx'
import { ReasonItem } from '../../core/form/reason-item.tsx'
import { validated } from '../../core/form/validated.tsx'
import { present, type BulkProps, type Presentation } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { useSaid } from '../../core/undo/use-said.tsx'
import { useSend } from '../user/door.tsx'
import { companionEndpoints } from './calls.ts'
import type { Companion } from './companion.ts'
import { RankButton } from './rank-view.tsx'
import { LIVING } from './student.ts'
import { companionTeacher } from './teacher.ts'

/** The picker with what the form gives to an input. */
export function TeacherInput({ id, value, onChange }: { id?: string; value?: number; onChange?: (value: number | undefined) => void }) {
  return <Picker target={companionTeacher} label="教师" id={id} value={value} onChange={(picked) => onChange?.(picked ?? undefined)} />
}

/** 分配教师: learners to one teacher, with what it is for. */
export function AssignDialog({ companion, ids, many, onClose, onDone }: { companion: Companion; ids: readonly number[]; many: string; onClose: () => void; onDone: () => void }) {
  const said = useSaid()
  const [form] = Form.useForm<{ teacher_id: number; reason: string }>()
  const { busy, problem, send } = useSend(form)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    const { assigned, undo } = await call(companionEndpoints(companion).assign, { ids: [...ids], ...values }, { quiet: true })
    said({ words: `已分配 ${assigned} 名学生`, undo })
    onDone()
    onClose()
  })
  return (
    <Modal open title={`分配教师 · ${many}`} okText="分配" confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem}
      <p className="note">未批改的任务一起转给新教师，已批改的仍记在原教师名下。</p>
      <Form form={form} layout="vertical">
        <Form.Item name="teacher_id" label="教师" rules={[{ required: true, message: '请选择教师' }]}><TeacherInput /></Form.Item>
        <ReasonItem />
      </Form>
    </Modal>
  )
}

/** The learners of a business: the standard list, teachers for many of them, and where they are selected, their scores. */
export function presentStudents(companion: Companion): Presentation {
  const { students, kind } = companion
  const assign = students.rights.id('assign')
  function Bulk({ selected, query, many, onDone }: BulkProps) {
    const can = useCan()
    const [shown, setShown] = useState(false)
    // A teacher is given those that somebody chose, not whatever filters leave.
    if (!can(assign) || query) return null
    return (
      <>
        <Button size="small" onClick={() => setShown(true)}>分配教师</Button>
        {shown && <AssignDialog companion={companion} ids={selected} many={many} onClose={() => setShown(false)} onDone={onDone} />}
      </>
    )
  }
  return present(students)({
    cells: { risk: ({ row }) => (row.risk ? <span title={row.risk_why ?? ''}>{row.risk_why ?? ''}</span> : '正常') },
    bulkFields: ['remark'],
    slots: { bulk: Bulk, ...(kind.ranked && { toolbar: ({ reload }: { reload: () => void }) => <RankButton companion={companion} reload={reload} /> }) },
    rowActions: [{ key: 'assign', label: '分配教师', grant: assign, visible: (row) => LIVING.includes(row.status ?? 0) }],
    dialogs: { assign: ({ row, reload, onClose }) => <AssignDialog companion={companion} ids={[row.id]} many={row.name} onClose={onClose} onDone={reload} /> },
  })
}
