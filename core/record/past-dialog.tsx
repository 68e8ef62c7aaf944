import dayjs, { type Dayjs } from 'dayjs'
import { DatePicker, Modal, TimePicker } from 'antd'
import { useState } from 'react'
import { readTime } from '../field/time.ts'
import './record.css'

/** Asks which moment of the past is to be looked at. */
export function PastDialog({ what = '这条记录', onPick, onClose }: { what?: string; onPick: (at: number) => void; onClose: () => void }) {
  const [day, setDay] = useState<Dayjs | null>(null)
  const [time, setTime] = useState<Dayjs | null>(null)
  const [refused, setRefused] = useState(false)
  const look = () => {
    // A picker shows its own clock; ours is Shanghai's.
    const at = Number(readTime(`${day?.format('YYYY-MM-DD')} ${time?.format('HH:mm')}`))
    if (at > Date.now() / 1000) setRefused(true)
    else onPick(at)
  }
  return (
    <Modal open title="时光机" okText="看当时的样子" okButtonProps={{ disabled: !day || !time }} onOk={look} onCancel={onClose}>
      <p className="note">按操作日志还原{what}当时的样子，只能查看。</p>
      <div className="past-ask">
        <DatePicker value={day} onChange={(next) => { setDay(next); setRefused(false) }} aria-label="日期" placeholder="日期" status={refused ? 'error' : ''} disabledDate={(one) => one.isAfter(dayjs().add(1, 'day'), 'day')} />
        <TimePicker value={time} onChange={(next) => { setTime(next); setRefused(false) }} aria-label="时间" placeholder="时间" status={refused ? 'error' : ''} format="HH:mm" needConfirm={false} />
      </div>
      {refused && <p className="past-refused" role="alert">请选择过去的时间</p>}
    </Modal>
  )
}
