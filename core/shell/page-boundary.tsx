import { Button, Result } from 'antd'
import { Component, type ReactNode } from 'react'

/** Keeps a page that fails from taking the menu and the other tabs with it. */
export class PageBoundary extends Component<{ children: ReactNode }, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined }

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (!error) return this.props.children
    return <Result status="error" title="页面出错了" subTitle={error.message} extra={<Button type="primary" onClick={() => this.setState({ error: undefined })}>重试</Button>} />
  }
}
