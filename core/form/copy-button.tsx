import { Button, type ButtonProps } from 'antd'
import { useState } from 'react'

/** Puts a text on the clipboard, also on pages without TLS, where browsers offer only the old way. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const put = (event: ClipboardEvent) => {
      event.preventDefault()
      event.clipboardData?.setData('text/plain', text)
    }
    document.addEventListener('copy', put, { once: true, capture: true })
    const done = document.execCommand('copy')
    document.removeEventListener('copy', put, { capture: true })
    return done
  }
}

interface CopyButtonProps extends Pick<ButtonProps, 'type' | 'size'> {
  text: string
  label: string
  onCopied?: () => void
}

/** Copies a text and says that it did. */
export function CopyButton({ text, label, onCopied, type, size }: CopyButtonProps) {
  const [state, setState] = useState<'done' | 'failed'>()
  const copy = async () => {
    const done = await copyText(text)
    setState(done ? 'done' : 'failed')
    if (done) onCopied?.()
  }
  const words = { done: '已复制', failed: '复制失败，请手动选择' }
  return <Button type={type ?? 'default'} {...(size && { size })} onClick={() => void copy()}><span aria-live="polite">{state ? words[state] : label}</span></Button>
}
