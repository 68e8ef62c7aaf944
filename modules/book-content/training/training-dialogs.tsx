import { Alert, Checkbox, Form, Input, InputNumber, Modal } from 'antd'
import { useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { validated } from '../../../core/form/validated.tsx'
import { TRAINING_GROUPS } from '../sets.ts'
import { setBookTargets, type Training } from './calls.ts'

/** What most books have: three examples, eight to choose from, four that go deeper. */
const USUAL: Readonly<Record<number, number>> = { 1: 3, 2: 8, 3: 4 }

/** What a dialog's work came to: it says what is wrong, and is busy meanwhile. */
function useWork() {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true)
    setProblem(undefined)
    try {
      await work()
    } catch (reason) {
      setProblem(reason instanceof Error ? reason.message : '未能完成，请重试')
      setBusy(false)
    }
  }
  return { busy, run, problem: problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" /> }
}

type Targets = Record<string, number | null> & { only_new?: never }

/** How many questions the sets of many chapters should have. */
export function TargetDialog({ bookId, chapterIds, onDone, onClose }: { bookId: number; chapterIds: readonly number[]; onDone: (training: Training) => void; onClose: () => void }) {
  const [form] = Form.useForm<Targets>()
  const [onlyNew, setOnlyNew] = useState(false)
  const { busy, problem, run } = useWork()
  const save = () => run(async () => {
    const values = await validated(form)
    if (!values) return
    const targets = TRAINING_GROUPS.flatMap(({ value }) => (values[value] ? [{ group_key: value, target_n: values[value] }] : []))
    onDone(await call(setBookTargets, { targets, only_new: onlyNew, ...(chapterIds.length > 0 && { chapter_ids: [...chapterIds] }) }, { params: { id: bookId }, quiet: true }))
  })
  return (
    <Modal open title={`设目标 · ${chapterIds.length > 0 ? `选中的 ${chapterIds.length} 章` : '全部最下级章节'}`} okText="设目标" confirmLoading={busy} onOk={() => void save()} onCancel={onClose}>
      {problem}
      <Form<Targets> form={form} layout="vertical" name="training-targets" initialValues={USUAL}>
        {TRAINING_GROUPS.map(({ value, label }) => <Form.Item key={value} name={String(value)} label={`每章${label}`}><InputNumber className="wide" min={1} max={200} precision={0} suffix="道" placeholder="不改" /></Form.Item>)}
      </Form>
      <Checkbox checked={onlyNew} onChange={(event) => setOnlyNew(event.target.checked)}>已有目标的不改</Checkbox>
    </Modal>
  )
}

/** Asks for the name of something that is made. */
export function NameDialog({ title, note, initial, onSave, onClose }: { title: string; note: string; initial: string; onSave: (name: string) => Promise<unknown>; onClose: () => void }) {
  const [name, setName] = useState(initial.slice(0, 80))
  const { busy, problem, run } = useWork()
  return (
    <Modal open title={title} okText="生成" okButtonProps={{ disabled: name.trim() === '' }} confirmLoading={busy} onOk={() => void run(() => onSave(name.trim()))} onCancel={onClose}>
      {problem}
      <Form layout="vertical"><Form.Item label="名称" htmlFor="bc-name" extra={note}><Input id="bc-name" maxLength={80} showCount value={name} onChange={(event) => setName(event.target.value)} /></Form.Item></Form>
    </Modal>
  )
}
