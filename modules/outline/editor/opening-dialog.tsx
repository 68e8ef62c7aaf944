import { Checkbox, DatePicker, Form, InputNumber, Modal, Radio, TimePicker } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useState } from 'react'
import type { Change } from '../changes.ts'
import { FREE, FREE_CHOICES, UNLOCK, UNLOCK_CHOICES, type NodeValues, type OutlineNode } from '../node.ts'
import { inSteps, WEEKDAYS } from './steps.ts'

/** Of nodes above: their value is that of the nearest one that has one. */
const INHERIT = -1

/** How nodes are opened: what of them can be tried, and what has to come before. Of several, all get the same. */
export function OpeningDialog({ nodes, onSave, onClose }: { nodes: readonly OutlineNode[]; onSave: (change: Change) => void; onClose: () => void }) {
  const [first] = nodes
  const [free, setFree] = useState(first?.free ?? INHERIT)
  const [trial, setTrial] = useState(first?.trial_minutes ?? 3)
  const [unlock, setUnlock] = useState<number>(first?.unlock ?? UNLOCK.any)
  const [score, setScore] = useState(first?.unlock_score ?? 60)
  const [day, setDay] = useState<Dayjs | null>(first?.open_at ? dayjs.unix(first.open_at) : null)
  const values: Partial<NodeValues> = {
    free: free === INHERIT ? null : free, trial_minutes: free === FREE.trial ? trial : null,
    unlock, unlock_score: unlock === UNLOCK.score ? score : null, open_at: unlock === UNLOCK.date ? day?.unix() ?? null : null,
  }
  return (
    <Modal open title={nodes.length === 1 ? `开放「${first?.name}」` : `开放 ${nodes.length} 项`} onCancel={onClose} okText={nodes.length === 1 ? '保存' : `改 ${nodes.length} 项`}
      okButtonProps={{ disabled: unlock === UNLOCK.date && !day }} onOk={() => onSave({ do: 'set', keys: nodes.map(({ key }) => key), values })}>
      <Form layout="vertical">
        <Form.Item label="没有购买时"><Radio.Group value={free} onChange={(event) => setFree(Number(event.target.value))} options={[{ value: INHERIT, label: '同上级' }, ...FREE_CHOICES]} /></Form.Item>
        {free === FREE.trial && <Form.Item label="试看时长"><InputNumber min={1} max={120} precision={0} value={trial} onChange={(value) => setTrial(value ?? 3)} suffix="分钟" /></Form.Item>}
        <Form.Item label="解锁"><Radio.Group value={unlock} onChange={(event) => setUnlock(Number(event.target.value))} options={[...UNLOCK_CHOICES]} /></Form.Item>
        {unlock === UNLOCK.score && <Form.Item label="课后练习成绩至少"><InputNumber min={1} max={100} precision={0} value={score} onChange={(value) => setScore(value ?? 60)} suffix="%" /></Form.Item>}
        {unlock === UNLOCK.date && <Form.Item label="开放时间"><DatePicker showTime={{ format: 'HH:mm' }} format="YYYY-MM-DD HH:mm" value={day} onChange={setDay} /></Form.Item>}
      </Form>
    </Modal>
  )
}

/** Opens nodes one after another on certain days of the week. */
export function DatesDialog({ nodes, onSave, onClose }: { nodes: readonly OutlineNode[]; onSave: (changes: Change[]) => void; onClose: () => void }) {
  const [from, setFrom] = useState<Dayjs | null>(dayjs())
  const [days, setDays] = useState<number[]>([2, 4])
  const [at, setAt] = useState<Dayjs | null>(dayjs().hour(19).minute(0))
  const dates = from && at ? inSteps(from.startOf('day').unix(), days, at.hour() * 60 + at.minute(), nodes.length) : []
  const [first, last] = [dates[0], dates.at(-1)]
  return (
    <Modal open title={`给 ${nodes.length} 项排开放日期`} onCancel={onClose} okText={`排 ${nodes.length} 项`} okButtonProps={{ disabled: dates.length < nodes.length }}
      onOk={() => onSave(nodes.map(({ key }, index): Change => ({ do: 'set', keys: [key], values: { unlock: UNLOCK.date, unlock_score: null, open_at: dates[index] ?? null } })))}>
      <Form layout="vertical">
        <Form.Item label="从"><DatePicker value={from} onChange={setFrom} allowClear={false} /></Form.Item>
        <Form.Item label="每周"><Checkbox.Group value={days} onChange={setDays} options={WEEKDAYS.map((label, value) => ({ value, label }))} /></Form.Item>
        <Form.Item label="时间"><TimePicker format="HH:mm" value={at} onChange={setAt} allowClear={false} /></Form.Item>
      </Form>
      {first !== undefined && last !== undefined && <p className="outline-hint" aria-live="polite">第一项 {dayjs.unix(first).format('YYYY-MM-DD HH:mm')}，最后一项 {dayjs.unix(last).format('YYYY-MM-DD HH:mm')}</p>}
    </Modal>
  )
}
