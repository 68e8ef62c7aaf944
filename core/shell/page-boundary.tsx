import { Button } from 'antd'
import { Component, useEffect, type ReactNode } from 'react'
import { CopyButton } from '../form/copy-button.tsx'
import { errorId } from '../report/error-id.ts'
import { Outcome } from '../ui/outcome.tsx'

interface Props {
  children: ReactNode
  /** The page has failed and is gone: what it had read may be why. */
  onFailed: () => void
  /** Tried again: whatever failed outside the page is to be forgotten. */
  onRetry: () => void
}

/** What stands in a failed page's place. */
function Failed({ error, onFailed, retry }: { error: Error; onFailed: () => void; retry: () => void }) {
  // An effect runs when the failed page has let go of what it read, before anybody can try again. Only the failure counts.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useEffect(onFailed, [error])
  const id = errorId(error)
  return (
    <Outcome sign="bad" title="页面出错了" actions={<><Button type="primary" onClick={retry}>重试</Button><CopyButton text={id} label="复制编号" /></>}>
      {error.message}<br />错误编号 <code>{id}</code>，联系管理员时请提供
    </Outcome>
  )
}

/** Keeps a page that fails from taking the menu and the other tabs with it (shell.md 134). The root reports what is caught here. */
export class PageBoundary extends Component<Props, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined }

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error }
  }

  private readonly retry = () => {
    this.props.onRetry()
    this.setState({ error: undefined })
  }

  override render(): ReactNode {
    const { error } = this.state
    return error ? <Failed error={error} onFailed={this.props.onFailed} retry={this.retry} /> : this.props.children
  }
}
