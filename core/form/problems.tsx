import { Alert } from 'antd'
import type { ReactNode } from 'react'

/** Something that is wrong with a field. */
export interface FieldProblem {
  readonly name: string
  /** What the field is called. */
  readonly label: string
  readonly text: string
}

/** Everything that keeps a form from being saved, each with a way to its field. */
export function Problems({ title, fields, onGo, action }: { title: string; fields: readonly FieldProblem[]; onGo: (name: string) => void; action?: ReactNode }) {
  return (
    <Alert className="form-alert" type="error" showIcon role="alert" title={fields.length > 1 ? `有 ${fields.length} 处要改` : title} action={action}
      {...(fields.length > 0 && {
        description: (
          <ul className="form-problems">
            {fields.map(({ name, label, text }) => <li key={name}><button type="button" onClick={() => onGo(name)}>{label}</button>{text.startsWith(label) ? text.slice(label.length) : `：${text}`}</li>)}
          </ul>
        ),
      })} />
  )
}
