import type { Editor } from '@tiptap/react'
import { Modal, type ModalProps } from 'antd'
import { useEffect } from 'react'

/**
 * A dialog over a text. When it is gone, typing goes on in the text where its cursor is: behind what was put in, or where
 * it was. Left to itself the browser gives the focus back with the cursor at the beginning of the field.
 */
export function EditorModal({ editor, ...props }: ModalProps & { editor: Editor | undefined }) {
  useEffect(() => () => {
    // Focused by the view and not by the element: the view puts its own selection back.
    if (editor && !editor.isDestroyed) editor.view.focus()
  }, [editor])
  return <Modal {...props} focusable={{ focusTriggerAfterClose: false }} />
}
