import { lazyInput } from './lazy-input.tsx'
import { numberText, formatMoney, type NumberField } from './number.ts'
import { NONE, type CellProps, type FieldView, type FilterProps, type FilterWordsProps, type InputProps } from './view.tsx'

function Cell({ field, value }: CellProps<NumberField>) {
  if (typeof value !== 'number') return NONE
  return <span className="figure">{numberText(field, value)}</span>
}

function MoneyCell({ value }: CellProps<NumberField>) {
  return typeof value === 'number' ? <span className="figure">{formatMoney(value)}</span> : NONE
}

const Input = lazyInput<InputProps<NumberField>>(async () => ({ default: (await import('./number-input.tsx')).NumberInput }))
const MoneyInput = lazyInput<InputProps<NumberField>>(async () => ({ default: (await import('./number-input.tsx')).MoneyInput }))
const Range = lazyInput<FilterProps<NumberField> & { scale: number }>(async () => ({ default: (await import('./number-input.tsx')).RangeFilter }))

const between = (show: (value: number) => string) => ({ values: [low, high] }: FilterWordsProps<NumberField>) =>
  (low && high ? `${show(Number(low))} 至 ${show(Number(high))}` : low ? `≥ ${show(Number(low))}` : high ? `≤ ${show(Number(high))}` : '')

export const numberView: FieldView<NumberField> = { Cell, Input, inCell: { Input }, Filter: (props) => <Range {...props} scale={1} />, FilterWords: between(String), align: 'right' }
export const moneyView: FieldView<NumberField> = { Cell: MoneyCell, Input: MoneyInput, inCell: { Input: MoneyInput }, Filter: (props) => <Range {...props} scale={100} />, FilterWords: between(formatMoney), align: 'right' }
