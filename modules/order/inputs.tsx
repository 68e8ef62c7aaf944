import type { AnyField } from '../../core/field/any-field.ts'
import { money } from '../../core/field/number.ts'
import { time } from '../../core/field/time.ts'
import { viewOf } from '../../core/field/views.tsx'
import { MAX_SUM } from './line.ts'
import { voucherField } from './new-order.ts'

interface Given {
  value?: unknown
  onChange?: (value: unknown) => void
  id?: string
  disabled?: boolean
  ready?: boolean
}

/** The input of a field, for forms that are not those of a resource; the form adds value, onChange and id. */
export function FieldInput({ field, values = {}, ...given }: Given & { field: AnyField; values?: Readonly<Record<string, unknown>> }) {
  const { Input } = viewOf(field)
  return <Input field={field} name={field.label} values={values} {...given} />
}

const fen = money('金额', { max: MAX_SUM })
const paidAt = time('支付时间')

/** An amount, typed in yuan and kept in fen. */
export const MoneyInput = (given: Given) => <FieldInput field={fen} {...given} />
/** When something was paid. */
export const PaidAtInput = (given: Given) => <FieldInput field={paidAt} {...given} />
/** The receipt of a payment. */
export const VoucherInput = (given: Given) => <FieldInput field={voucherField} {...given} />
