import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Checkbox, Form, Select, Space } from 'antd'
import { useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { ReasonItem } from '../../core/form/reason-item.tsx'
import { validated } from '../../core/form/validated.tsx'
import type { RowDialogProps } from '../../core/resource/present.tsx'
import { useSend } from '../user/door.tsx'
import { planSchedule, writeSchedule } from './calls.ts'
import { holidaysWithin, spanWords } from './schedule.ts'
import type { vacationClass } from './line.ts'

/** Time in which a class looks for holidays, in seconds: half a year from its first day. */
const AHEAD = 183 * 86_400

/** 自动排课: what the times of the week come to, with holidays left out, before anything is written. */
export function PlanForm({ row, replaces, onDone }: { row: RowDialogProps<typeof vacationClass>['row']; replaces: boolean; onDone: () => void }) {
  const holidays = holidaysWithin(row.start_on, row.start_on + AHEAD)
  const [kept, setKept] = useState<readonly string[]>([])
  const [more, setMore] = useState<readonly string[]>([])
  const [form] = Form.useForm<{ reason: string }>()
  const { busy, problem, send } = useSend(form)
  const skip = [...holidays.filter(({ name }) => !kept.includes(name)).flatMap(({ days }) => days), ...more]
  const { data, error } = useQuery({ queryKey: ['class-plan', row.id, row.rev, skip.join()], queryFn: ({ signal }) => call(planSchedule, { skip }, { params: { id: row.id }, signal, quiet: true }), staleTime: 0, placeholderData: (before) => before })
  const wrong = (data?.meetings ?? []).filter(({ conflicts }) => conflicts.length > 0)
  const write = () => send(async () => {
    const values = wrong.length > 0 ? await validated(form) : {}
    if (!values) return
    await call(writeSchedule, { skip, ...('reason' in values && { reason: values.reason }) }, { params: { id: row.id }, quiet: true })
    onDone()
  })
  return (
    <section className="class-plan" aria-label="自动排课">
      {problem}
      {error && <Alert className="form-alert" type="warning" showIcon title={error.message} />}
      <Space wrap className="form-alert">
        {holidays.map(({ name, days }) => <Checkbox key={name} checked={!kept.includes(name)} onChange={({ target }) => setKept(target.checked ? kept.filter((one) => one !== name) : [...kept, name])}>避开{name}（{days[0]?.slice(5)}{days.length > 1 && ` 至 ${days.at(-1)?.slice(5) ?? ''}`}）</Checkbox>)}
        <Select aria-label="另外不上课的日期" mode="multiple" className="skip-days" placeholder="点选另外不上课的日期" value={[...more]} onChange={setMore} options={(data?.meetings ?? []).map((one) => spanWords(one).slice(0, 10)).concat(more).filter((day, index, all) => all.indexOf(day) === index).toSorted().map((day) => ({ value: day, label: day }))} />
      </Space>
      {data && (
        <ol className="meetings">{data.meetings.map((one, index) => <li key={one.start_at}><b>第 {index + 1} 次</b> {spanWords(one)}{one.conflicts.length > 0 && <div className="problem">{one.conflicts.join('；')}</div>}</li>)}</ol>
      )}
      <Form form={form} layout="vertical">{wrong.length > 0 && <ReasonItem />}</Form>
      <Button type="primary" loading={busy} disabled={!data || error !== null} onClick={() => void write()}>{replaces ? '替换未点名的课次' : '生成课表'}</Button>
    </section>
  )
}
