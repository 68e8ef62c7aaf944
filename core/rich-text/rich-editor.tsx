import { EditorContent, useEditor, type Editor, type UseEditorOptions } from '@tiptap/react'
import { App } from 'antd'
import { useEffect, useRef, useState } from 'react'
import type { RichDoc } from './rich-doc.ts'
import { fromEditor, toEditor, type EditorNode } from './rich-convert.ts'
import { richExtensions, type OpenNode } from './rich-nodes.tsx'
import { canonical } from './canonical.ts'
import './rich-editor.css'

/** What was pasted, as rich text with stored pictures, and what did not come along. */
export interface Pasted {
  doc: RichDoc | null
  warnings: string[]
}

interface Props {
  label: string
  value: RichDoc | null
  onChange: (doc: RichDoc | null) => void
  /** The editor that the toolbar works on from now. */
  onFocus: (editor: Editor, open: OpenNode) => void
  onOpenNode: OpenNode
  /** One line: Enter goes on to the next field instead of making a paragraph. */
  onEnter?: (() => void) | undefined
  /** Called by Ctrl+M, where the page around has no keys of its own. */
  onFormula?: (() => void) | undefined
  /** Reads markup that is pasted; absent: the editor does. */
  readHtml?: ((html: string, files: readonly File[]) => Promise<Pasted>) | undefined
  id?: string | undefined
  disabled?: boolean
  placeholder?: string
  startHere?: boolean
}

/** How long after the last key a text is read out of the editor, in milliseconds: nothing is computed between two keys. */
const QUIET = 250

/** Puts a rich text where the cursor is; a single paragraph goes into the line. */
export function insertDoc(editor: Editor, doc: RichDoc): void {
  const content = toEditor(doc).content ?? []
  const [only] = content
  editor.chain().focus().insertContent(content.length === 1 && only?.type === 'paragraph' ? only.content ?? [] : content).run()
}

/** One rich text, typed into. */
export function RichEditor({ label, value, onChange, onFocus, onOpenNode, onEnter, onFormula, readHtml, id, disabled = false, placeholder = '', startHere = false }: Props) {
  const { message } = App.useApp()
  const latest = useRef({ onChange, onOpenNode, onEnter, onFormula, onFocus, readHtml, label, placeholder })
  const written = useRef(value)
  const timer = useRef<number>(undefined)
  const held = useRef<Editor>(undefined)
  useEffect(() => {
    latest.current = { onChange, onOpenNode, onEnter, onFormula, onFocus, readHtml, label, placeholder }
  })

  const read = (editor: Editor) => {
    window.clearTimeout(timer.current)
    timer.current = undefined
    written.current = fromEditor(editor.getJSON() as EditorNode)
    latest.current.onChange(written.current)
  }
  const takeFiles = (files: readonly File[]) => {
    const pictures = files.filter((file) => file.type.startsWith('image/'))
    if (pictures.length === 0) return false
    void (async () => {
      const { uploadImage } = await import('./upload-image.tsx')
      for (const file of pictures) {
        try {
          const asset = await uploadImage(file, file.name || 'image.png')
          // A picture alone in its paragraph is a block of its own.
          held.current?.chain().focus().insertContent(held.current.state.selection.$from.parent.content.size === 0 ? { type: 'imageBlock', attrs: { asset } } : { type: 'inlineImage', attrs: { asset } }).run()
        } catch {
          // The shell has shown why; the text stays as it was.
        }
      }
    })()
    return true
  }
  const paste = (event: ClipboardEvent): boolean => {
    const data = event.clipboardData
    const html = data?.getData('text/html') ?? ''
    const files = [...(data?.files ?? [])]
    // What was copied in this editor itself is put back as it is.
    if (html.includes('data-pm-slice')) return false
    const { readHtml } = latest.current
    // Without a reader of its own, the editor keeps of a page what a rich text may hold.
    if (html && !readHtml) return false
    if (html && readHtml) {
      void (async () => {
        const { doc, warnings } = await readHtml(html, files)
        if (doc && held.current) insertDoc(held.current, doc)
        if (warnings.length > 0) void message.warning(warnings.slice(0, 3).join('；'), 5)
      })()
      return true
    }
    if (takeFiles(files)) return true
    const text = data?.getData('text/plain') ?? ''
    if (!/[$\\]/.test(text)) return false
    void (async () => {
      const { readPlain } = await import('./plain-math.ts')
      const doc = readPlain(text)
      if (doc && held.current) insertDoc(held.current, doc)
      else held.current?.chain().focus().insertContent(text).run()
    })()
    return true
  }

  // Made once: given other options, the editor is set up again, and that for every text of a page at each change of one.
  // The functions run when something is typed, pasted or opened, never while drawing.
  // oxlint-disable-next-line react/refs
  const [options] = useState((): UseEditorOptions => ({
    extensions: richExtensions({ onOpen: () => latest.current.onOpenNode, onPaste: paste, onDrop: (event) => takeFiles([...(event.dataTransfer?.files ?? [])]) }),
    content: toEditor(value),
    editable: !disabled,
    autofocus: startHere ? 'end' : false,
    shouldRerenderOnTransaction: false,
    editorProps: {
      attributes: () => ({ class: 'rich-input rich-text', role: 'textbox', ...(id && { id }), 'aria-label': latest.current.label, 'aria-multiline': 'true', 'data-placeholder': latest.current.placeholder, spellcheck: 'false' }),
      handleKeyDown: (view, event) => {
        if (latest.current.onFormula && (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'm') {
          event.preventDefault()
          latest.current.onFormula()
          return true
        }
        if (event.key !== 'Enter' || event.shiftKey || event.ctrlKey || event.metaKey || event.isComposing || !latest.current.onEnter || 'node' in view.state.selection) return false
        latest.current.onEnter()
        return true
      },
    },
    onUpdate: ({ editor: changed }) => {
      window.clearTimeout(timer.current)
      timer.current = window.setTimeout(() => read(changed), QUIET)
    },
    onBlur: ({ editor: left }) => { if (timer.current !== undefined) read(left) },
    onFocus: ({ editor: focused }) => latest.current.onFocus(focused, latest.current.onOpenNode),
  }))
  const editor = useEditor(options)
  useEffect(() => {
    held.current = editor
  }, [editor])
  useEffect(() => {
    if (!editor.isDestroyed && editor.isEditable === disabled) editor.setEditable(!disabled, false)
  }, [editor, disabled])
  // An option that was moved has another letter.
  useEffect(() => {
    if (!editor.isDestroyed) editor.view.updateState(editor.state)
    // Not read here but in the editor's attributes.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [editor, label, placeholder])
  // Set from outside: another version, a merge, an undo of the whole record.
  useEffect(() => {
    // What is being typed right now is newer than anything that comes back from storing.
    if (value === written.current || editor.isDestroyed || timer.current !== undefined) return
    if (canonical(value) !== canonical(written.current)) editor.commands.setContent(toEditor(value), { emitUpdate: false })
    written.current = value
  }, [editor, value])
  return <EditorContent editor={editor} className="rich-frame" />
}
