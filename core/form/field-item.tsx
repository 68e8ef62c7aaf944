import { Form } from 'antd'
import type { ComponentType } from 'react'
import type { AnyField } from '../field/any-field.ts'
import { viewOf } from '../field/views.tsx'
import { checkValue } from '../field/check.ts'

interface Props {
  field: AnyField
  name: string
  /** The other values of the form. */
  values: Readonly<Record<string, unknown>>
  disabled?: boolean
  /** Takes the place of the kind's input. */
  own?: ComponentType<{ value?: unknown; onChange?: (value: unknown) => void; values: Readonly<Record<string, unknown>>; id?: string }> | undefined
  /** A value that need not be checked, because it stays what it was. */
  kept?: (value: unknown) => boolean
}

/** One field of a form, with the rules that the server has. */
export function FieldItem({ field, name, values, disabled, own: Own, kept }: Props) {
  const View = viewOf(field).Input
  return (
    <Form.Item name={name} label={field.label} required={field.required} extra={field.help} className={`form-${field.kind}`}
      rules={[{
        validator: (_rule, value: unknown) => {
          if (kept?.(value)) return Promise.resolve()
          const checked = checkValue(field, value)
          return 'message' in checked ? Promise.reject(new Error(checked.message)) : Promise.resolve()
        },
      }]}>
      {Own ? <Own values={values} /> : <View field={field} name={name} values={values} disabled={disabled ?? false} />}
    </Form.Item>
  )
}
