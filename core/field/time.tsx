import { lazyInput } from './lazy-input.tsx'
import { formatDate, formatTime, type TimeField, type TimeRangeField } from './time.ts'
import { NONE, type CellProps, type FieldView, type FilterProps, type InputProps } from './view.tsx'

function Cell({ field, value }: CellProps<TimeField>) {
  if (typeof value !== 'number') return NONE
  return <time className="figure" dateTime={new Date(value * 1000).toISOString()}>{field.kind === 'date' ? formatDate(value) : formatTime(value).slice(0, 16)}</time>
}

function RangeCell({ value }: CellProps<TimeRangeField>) {
  return typeof value === 'string' ? <span className="figure">{value}</span> : NONE
}

const Input = lazyInput<InputProps<TimeField>>(async () => ({ default: (await import('./time-input.tsx')).TimeInput }))
const Filter = lazyInput<FilterProps<TimeField>>(async () => ({ default: (await import('./time-input.tsx')).TimeFilter }))
const RangeInput = lazyInput<InputProps<TimeRangeField>>(async () => ({ default: (await import('./time-input.tsx')).TimeRangeInput }))

export const dateView: FieldView<TimeField> = { Cell, Input, Filter, width: 120 }
export const timeView: FieldView<TimeField> = { Cell, Input, Filter, width: 160 }
export const timeRangeView: FieldView<TimeRangeField> = { Cell: RangeCell, Input: RangeInput, width: 130 }
