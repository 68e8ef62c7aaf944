import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Form, Input, InputNumber, Modal, Steps, Table } from 'antd'
import { useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { Picker } from '../../core/field/reference.tsx'
import { ReasonItem } from '../../core/form/reason-item.tsx'
import { validated } from '../../core/form/validated.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { useSaid } from '../../core/undo/use-said.tsx'
import { useSend } from '../user/door.tsx'
import type { Companion } from './companion.ts'
import { rankEndpoints, type Ranked, type ScoreLine } from './rank-calls.ts'

/** Lines as they are pasted from a sheet: a number, a gap, a score. */
export const scoreLines = (pasted: string): { key: string; score: string }[] => pasted.split(/\r?\n/).map((line) => line.trim()).filter(Boolean).map((line) => {
  const [key = '', score = ''] = line.split(/[\s,，;；]+/)
  return { key, score }
})

function Sheet({ companion, classId, onSaved }: { companion: Companion; classId: number; onSaved: (saved: number) => void }) {
  const calls = rankEndpoints(companion)
  const [pasted, setPasted] = useState('')
  const [found, setFound] = useState<ScoreLine[]>()
  const { busy, problem, send } = useSend()
  const input = () => ({ class_id: classId, lines: scoreLines(pasted) })
  const good = found?.filter(({ why }) => why === null).length ?? 0
  return (
    <>
      {problem}
      <Input.TextArea rows={6} value={pasted} placeholder={'从表格复制两列：手机号 成绩\n13800138000 96.5'} aria-label="成绩" onChange={(event) => { setPasted(event.target.value); setFound(undefined) }} />
      {found && <Table<ScoreLine> size="small" rowKey="row" virtual scroll={{ y: 220, x: 420 }} pagination={false} dataSource={found} columns={[
        { title: '行', dataIndex: 'row', width: 60 }, { title: '学生', dataIndex: 'name', width: 120 }, { title: '成绩', dataIndex: 'score', width: 90, align: 'right' }, { title: '说明', dataIndex: 'why' },
      ]} />}
      <p>
        <Button disabled={pasted.trim() === ''} loading={busy && !found} onClick={() => void send(async () => setFound((await call(calls.checkScores, input(), { quiet: true })).items))}>检查</Button>{' '}
        <Button type="primary" disabled={good === 0} loading={busy && found !== undefined} onClick={() => void send(async () => onSaved((await call(calls.scores, input(), { quiet: true })).saved))}>录入 {good} 人</Button>
      </p>
    </>
  )
}

function CutLine({ companion, classId, onDone }: { companion: Companion; classId: number; onDone: () => void }) {
  const calls = rankEndpoints(companion)
  const said = useSaid()
  const [form] = Form.useForm<{ next_class_id: number; reason: string }>()
  const [line, setLine] = useState(60)
  const { busy, problem, send } = useSend(form)
  const { data, error } = useQuery({ queryKey: ['ranking', companion.kind.value, classId, line], queryFn: ({ signal }) => call(calls.ranking, { class_id: classId, line }, { signal, quiet: true }), placeholderData: (before) => before })
  const next = companion.classes[1]
  const promote = () => send(async () => {
    const values = await validated(form)
    if (!values || !data) return
    const { up, out, undo } = await call(calls.promote, { class_id: classId, line, expected: data.above, ...values }, { quiet: true })
    said({ words: `晋级 ${up} 人，淘汰 ${out} 人`, undo })
    onDone()
  })
  return (
    <>
      {problem}
      {error && <Alert type="error" showIcon title={error.message} />}
      <p>分数线 <InputNumber min={0} max={1000} value={line} aria-label="分数线" onChange={(value) => setLine(value ?? 0)} /> <b aria-live="polite">{data?.above ?? 0}</b> / {data?.items.length ?? 0} 人达到</p>
      <Table<Ranked> size="small" rowKey="student_id" virtual scroll={{ y: 260, x: 420 }} pagination={false} dataSource={data?.items ?? []} locale={{ emptyText: '还没有成绩，请先录入' }} columns={[
        { title: '名次', dataIndex: 'rank', width: 70, align: 'right' }, { title: '学生', dataIndex: 'name', width: 140 }, { title: '成绩', dataIndex: 'score', width: 90, align: 'right' },
        { title: '结果', width: 80, render: (_value, { above }) => (above ? '晋级' : '淘汰') }, { title: '已在班级', dataIndex: 'next_class_name' },
      ]} />
      <Form form={form} layout="vertical">
        {next && <Form.Item name="next_class_id" label={`晋级到${next.label}`} rules={[{ required: true, message: '请选择晋级的班级' }]}><ClassInput companion={companion} place={1} /></Form.Item>}
        <ReasonItem />
      </Form>
      <Button type="primary" loading={busy} disabled={!data || data.above === 0} onClick={() => void promote()}>晋级 {data?.above ?? 0} 人</Button>
    </>
  )
}

function ClassInput({ companion, place, id, value, onChange }: { companion: Companion; place: number; id?: string; value?: number; onChange?: (value: number | undefined) => void }) {
  const target = companion.classes[place]
  return target ? <Picker target={target} label={target.label} id={id} value={value} onChange={(picked) => onChange?.(picked ?? undefined)} /> : null
}

/** 选拔: the scores of a class by a sheet, the line with its live count, who goes on. */
export function RankButton({ companion, reload }: { companion: Companion; reload: () => void }) {
  const can = useCan()
  const [open, setOpen] = useState(false)
  const [step, setStep] = useState(0)
  const [classId, setClassId] = useState<number>()
  if (!can(companion.students.rights.id('rank'))) return null
  const close = () => { setOpen(false); setStep(0); reload() }
  return (
    <>
      <Button onClick={() => setOpen(true)}>选拔</Button>
      <Modal open={open} title="选拔" footer={null} width={720} onCancel={close} destroyOnHidden>
        <Steps size="small" current={step} onChange={setStep} items={[{ title: '录入成绩' }, { title: '划线和晋级' }]} />
        <p><ClassInput companion={companion} place={0} {...(classId !== undefined && { value: classId })} onChange={setClassId} /></p>
        {classId !== undefined && (step === 0 ? <Sheet companion={companion} classId={classId} onSaved={() => setStep(1)} /> : <CutLine companion={companion} classId={classId} onDone={close} />)}
      </Modal>
    </>
  )
}
