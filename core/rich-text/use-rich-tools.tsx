import type { Editor } from '@tiptap/react'
import { useState, type ReactNode } from 'react'
import { FormulaDialog } from './formula-dialog.tsx'
import { NodeDialog } from './node-dialog.tsx'
import type { OpenNode } from './rich-nodes.tsx'

interface RichTools {
  /** The editor that was typed into last. */
  readonly active: Editor | undefined
  /** What every editor beside these tools is given. */
  readonly tools: { readonly onFocus: (editor: Editor) => void; readonly onOpenNode: OpenNode }
  /** Puts something where the cursor is. */
  readonly put: (node: { type: string; attrs?: Record<string, unknown> }) => void
  readonly putImage: (file: File) => void
  readonly openFormula: () => void
  /** Dialogs that are open; to be drawn beside the editors. */
  readonly dialogs: ReactNode
}

/** What the tools of one or several rich texts do, and the dialogs in which formulas, pictures and the like are changed. */
export function useRichTools(): RichTools {
  const [active, setActive] = useState<Editor>()
  const [formula, setFormula] = useState<{ tex: string; display: boolean; pos?: number }>()
  const [node, setNode] = useState<Parameters<OpenNode>[0]>()
  const put: RichTools['put'] = (written) => { active?.chain().focus().insertContent(written).run() }
  const putFormula = (tex: string, display: boolean) => {
    const written = { type: display ? 'mathBlock' : 'tex', attrs: { tex } }
    const at = formula?.pos
    // Not focused here: the dialog, while it is there, takes the focus back, and gives it when it goes.
    if (at === undefined) active?.chain().insertContent(written).run()
    else active?.chain().insertContentAt({ from: at, to: at + 1 }, written).run()
    setFormula(undefined)
  }
  const putImage = async (file: File) => {
    const { uploadImage } = await import('./upload-image.tsx')
    // The shell says what was refused.
    const asset = await uploadImage(file, file.name).catch(() => undefined)
    if (asset && active) put({ type: active.state.selection.$from.parent.content.size === 0 ? 'imageBlock' : 'inlineImage', attrs: { asset } })
  }
  const removeFormula = (pos: number) => {
    active?.chain().deleteRange({ from: pos, to: pos + 1 }).run()
    setFormula(undefined)
  }
  return {
    active,
    tools: {
      onFocus: setActive,
      onOpenNode: (opened) => {
        if (opened.type === 'tex' || opened.type === 'mathBlock') setFormula({ tex: String(opened.attrs['tex'] ?? ''), display: opened.type === 'mathBlock', pos: opened.pos })
        else if (opened.type === 'blank' || opened.type === 'inlineImage' || opened.type === 'imageBlock' || opened.type === 'writingLines') setNode(opened)
      },
    },
    put,
    putImage: (file) => void putImage(file),
    openFormula: () => { if (active && !active.isDestroyed) setFormula({ tex: '', display: false }) },
    dialogs: (
      <>
        {formula && (
          <FormulaDialog {...formula} editor={active} onClose={() => setFormula(undefined)} onDone={putFormula}
            onRemove={formula.pos === undefined ? undefined : () => removeFormula(formula.pos ?? 0)} />
        )}
        {node && active && <NodeDialog node={node} editor={active} onClose={() => setNode(undefined)} />}
      </>
    ),
  }
}
