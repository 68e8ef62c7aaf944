import { CheckCircleFilled, CloseCircleFilled, ExclamationCircleFilled } from '@ant-design/icons'
import type { ReactNode } from 'react'
import './outcome.css'

const signs = { good: <CheckCircleFilled />, warning: <ExclamationCircleFilled />, bad: <CloseCircleFilled /> }

interface Props {
  /** How it went; absent where the title says so itself. */
  sign?: keyof typeof signs
  title: string
  /** What there is to know about it. */
  children?: ReactNode
  /** What can be done now. */
  actions?: ReactNode
}

/** What has become of something, in the middle of a page. Everybody loads it with the shell, so it is light. */
export function Outcome({ sign, title, children, actions }: Props) {
  return (
    <div className="outcome">
      {sign && <span className="outcome-sign" data-sign={sign} aria-hidden>{signs[sign]}</span>}
      <h2 data-large={!sign}>{title}</h2>
      {children && <p>{children}</p>}
      {actions && <div className="outcome-actions">{actions}</div>}
    </div>
  )
}
