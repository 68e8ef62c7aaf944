import { DatePicker, TimePicker } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { formatTime, readTime, type TimeField, type TimeRangeField } from './time.ts'
import type { FilterProps, InputProps } from './view.tsx'

/** A picker shows its own clock; ours is Shanghai's, wherever the browser stands. */
const toPicker = (seconds: number): Dayjs => dayjs(formatTime(seconds))
const fromPicker = (day: Dayjs, precise: boolean): number => Number(readTime(day.format(precise ? 'YYYY-MM-DD HH:mm:ss' : 'YYYY-MM-DD')))

/** Picks a day, or a day and a time. */
export function TimeInput({ field, value, onChange, id, disabled }: InputProps<TimeField>) {
  const precise = field.kind === 'time'
  return (
    <DatePicker id={id} className="wide" value={typeof value === 'number' ? toPicker(value) : null} showTime={precise ? { format: 'HH:mm' } : false}
      onChange={(day) => onChange?.(day ? fromPicker(day, precise) : null)} disabled={disabled} placeholder={`请选择${field.label}`} />
  )
}

const DAY = 86_400

/** A filter speaks of whole days: its end means the last second of that day. */
export function TimeFilter({ field, values, onChange, id }: FilterProps<TimeField>) {
  const at = (index: number) => (values[index] ? toPicker(Number(values[index])) : null)
  const presets = ([['今天', 0], ['近7天', 6], ['近30天', 29]] as const).map(([label, days]) => ({ label, value: [dayjs().subtract(days, 'day'), dayjs()] as [Dayjs, Dayjs] }))
  return (
    <DatePicker.RangePicker id={{ start: id }} className="wide" value={[at(0), at(1)]} presets={presets} allowEmpty={[true, true]}
      placeholder={[`${field.label}从`, '到']} aria-label={field.label}
      onChange={(days) => onChange([days?.[0] ? String(fromPicker(days[0], false)) : '', days?.[1] ? String(fromPicker(days[1], false) + DAY - 1) : ''])} />
  )
}

/** Picks two times of a day. */
export function TimeRangeInput({ value, onChange, id, disabled }: InputProps<TimeRangeField>) {
  const [from, to] = typeof value === 'string' ? value.split('-') : []
  const at = (text: string | undefined) => (text ? dayjs(`2000-01-01 ${text}`) : null)
  return (
    <TimePicker.RangePicker id={{ start: id ?? '' }} className="wide" format="HH:mm" minuteStep={5} value={[at(from), at(to)]} disabled={disabled}
      onChange={(times) => onChange?.(times?.[0] && times[1] ? `${times[0].format('HH:mm')}-${times[1].format('HH:mm')}` : null)} />
  )
}
