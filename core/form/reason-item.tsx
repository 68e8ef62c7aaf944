import { Form, Input } from 'antd'
import * as z from 'zod/mini'
import { reasonSchema } from '../resource/endpoints.ts'

/** The field `reason` of a form: why something is done, by the server's own rule. */
export function ReasonItem() {
  return (
    <Form.Item name="reason" label="原因" required rules={[{
      validator: (_rule, value: unknown) => {
        const checked = z.safeParse(reasonSchema, value)
        return checked.success ? Promise.resolve() : Promise.reject(new Error(checked.error.issues[0]?.message))
      },
    }]}>
      <Input.TextArea rows={3} maxLength={200} showCount />
    </Form.Item>
  )
}
