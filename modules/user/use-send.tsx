import { Alert, type FormInstance } from 'antd'
import { useState, type ReactNode } from 'react'
import { CallError } from '../../core/endpoint/wire.ts'

/**
 * Sends what a dialog asks for, and keeps what went wrong: at its fields where the form has them, else above it.
 * @param form whose fields a refusal may name
 */
export function useSend(form?: Pick<FormInstance, 'setFields' | 'getFieldsValue'>): { busy: boolean; problem: ReactNode; send: (work: () => Promise<void>) => Promise<void> } {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  return {
    busy,
    problem: problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />,
    send: async (work) => {
      setBusy(true)
      setProblem(undefined)
      try {
        await work()
      } catch (error) {
        const known = form ? Object.keys(form.getFieldsValue(true) as Record<string, unknown>) : []
        const fields = error instanceof CallError ? Object.entries(error.fields).filter(([name]) => known.includes(name)) : []
        if (form && fields.length > 0) form.setFields(fields.map(([name, text]) => ({ name, errors: [text] })))
        else setProblem(error instanceof Error ? error.message : '操作失败')
      } finally {
        setBusy(false)
      }
    },
  }
}
