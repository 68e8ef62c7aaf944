import { Alert, Form, Modal } from 'antd'
import { useEffect, type ReactNode } from 'react'
import * as z from 'zod/mini'
import { useCloseGuard } from '../../core/form/close-guard.tsx'

interface Props<Values> {
  title: string
  okText: string
  danger?: boolean
  /** Values that the form starts with. */
  start: Partial<Values>
  /** Rules of the server. */
  schema: z.ZodMiniType<Values>
  busy: boolean
  problem: { sentence: string; fields: Readonly<Record<string, string>> } | undefined
  /** @returns whether it is done, so that the dialog closes */
  onSend: (values: Values) => Promise<boolean>
  onClose: () => void
  children: ReactNode | ((values: Partial<Values>) => ReactNode)
}

/** Leaves out what was not given. */
const given = (values: object) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== ''))

/** A small form over one order: checked by the server's own rules before it is sent. */
export function ActDialog<Values extends object>({ title, okText, danger, start, schema, busy, problem, onSend, onClose, children }: Props<Values>) {
  const [form] = Form.useForm()
  const values = (Form.useWatch([], form) as Partial<Values> | undefined) ?? start
  const dirty = JSON.stringify(given(values)) !== JSON.stringify(given(start))
  const close = useCloseGuard(dirty && !busy, title, onClose)
  useEffect(() => {
    form.setFields(Object.entries(problem?.fields ?? {}).map(([name, text]) => ({ name, errors: [text] })))
  }, [problem, form])
  const send = async () => {
    const result = z.safeParse(schema, given(form.getFieldsValue(true) as object))
    if (!result.success) {
      form.setFields(result.error.issues.map((issue) => ({ name: issue.path as string[], errors: [issue.message] })))
      return
    }
    if (await onSend(result.data)) onClose()
  }
  return (
    <Modal open title={title} okText={okText} okButtonProps={{ danger: danger ?? false, htmlType: 'submit', form: 'order-act' }} confirmLoading={busy} onCancel={close} mask={{ closable: false }}>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem.sentence} role="alert" />}
      <Form form={form} id="order-act" layout="vertical" initialValues={start} onFinish={() => void send()}
        onValuesChange={(changed: object) => form.setFields(Object.keys(changed).map((name) => ({ name, errors: [] })))}>
        {typeof children === 'function' ? children(values) : children}
      </Form>
    </Modal>
  )
}
