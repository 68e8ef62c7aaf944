import { lazyInput } from './lazy-input.tsx'
import { briefTime, formatDate, formatTime, type TimeField, type TimeRangeField } from './time.ts'
import { NONE, type CellProps, type FieldView, type FilterProps, type FilterWordsProps, type InputProps } from './view.tsx'

function Cell({ field, value, brief }: CellProps<TimeField>) {
  if (typeof value !== 'number') return NONE
  const whole = field.kind === 'date' ? formatDate(value) : formatTime(value).slice(0, 16)
  return <time className="figure" dateTime={new Date(value * 1000).toISOString()} title={whole}>{brief && field.kind === 'time' ? briefTime(value) : whole}</time>
}

const Words = ({ values: [from, to] }: FilterWordsProps<TimeField>) => {
  const day = (text: string) => formatDate(Number(text))
  return from && to ? (day(from) === day(to) ? day(from) : `${day(from)} 至 ${day(to)}`) : from ? `${day(from)} 起` : to ? `${day(to)} 前` : ''
}

function RangeCell({ value }: CellProps<TimeRangeField>) {
  return typeof value === 'string' ? <span className="figure">{value}</span> : NONE
}

const Input = lazyInput<InputProps<TimeField>>(async () => ({ default: (await import('./time-input.tsx')).TimeInput }))
const Filter = lazyInput<FilterProps<TimeField>>(async () => ({ default: (await import('./time-input.tsx')).TimeFilter }))
const RangeInput = lazyInput<InputProps<TimeRangeField>>(async () => ({ default: (await import('./time-input.tsx')).TimeRangeInput }))

export const dateView: FieldView<TimeField> = { Cell, Input, Filter, FilterWords: Words }
export const timeView: FieldView<TimeField> = { Cell, Input, Filter, FilterWords: Words }
export const timeRangeView: FieldView<TimeRangeField> = { Cell: RangeCell, Input: RangeInput }
