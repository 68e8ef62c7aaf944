import { App } from 'antd'
import { useUnsaved } from './unsaved.tsx'

/** The question before work is thrown away, where the usual one does not fit. */
interface Question {
  title: string
  content: string
  okText: string
  cancelText: string
}

/**
 * For a dialog or drawer that holds unsaved work: tells the shell of it and asks before it is thrown away.
 * @param what names the work, as the shell's question lists it
 * @returns closes, after a question when there is something to lose
 */
export function useCloseGuard(dirty: boolean, what: string, onClose: () => void, question?: Question): () => void {
  const { modal } = App.useApp()
  useUnsaved(dirty, what)
  return () => {
    if (!dirty) return onClose()
    modal.confirm({
      title: '放弃未保存的修改？', content: `「${what}」还没有保存，关闭后无法恢复。`, okText: '放弃修改', cancelText: '继续编辑', ...question,
      // Enter must not throw anything away.
      okButtonProps: { danger: true }, focusable: { autoFocusButton: 'cancel' }, onOk: onClose,
    })
  }
}
