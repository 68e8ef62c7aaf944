import type { Editor } from '@tiptap/react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { QuestionContent, QuestionType } from '../content/question.ts'
import { ContentForm } from './content-form.tsx'
import { FormulaDialog } from './formula-dialog.tsx'
import { NodeDialog } from './node-dialog.tsx'
import type { OpenNode } from './rich-nodes.tsx'
import { Toolbar } from './toolbar.tsx'
import { useKeys } from '../ui/use-keys.tsx'
import { changeType, nextBlankId, nextHole } from './written.ts'

interface Props {
  content: QuestionContent
  onChange: (content: QuestionContent) => void
  /** Another number: the texts came from elsewhere and are read anew. */
  round: number
  startHere: boolean
  onShortcuts: () => void
  /** What is to be said between the tools and the texts. */
  children?: ReactNode
}

const TYPES: readonly QuestionType[] = [1, 2, 3, 4, 5, 6]

/** The texts of a question with the tools for them: formulas, blanks, holes, pictures, by mouse and by key. */
export function ContentEditing({ content, onChange, round, startHere, onShortcuts, children }: Props) {
  const [active, setActive] = useState<Editor>()
  const [formula, setFormula] = useState<{ tex: string; display: boolean; pos?: number }>()
  const [node, setNode] = useState<Parameters<OpenNode>[0]>()
  const latest = useRef(content)
  useEffect(() => {
    latest.current = content
  })
  const put = (node: { type: string; attrs?: Record<string, unknown> }) => active?.chain().focus().insertContent(node).run()
  const openFormula = () => { if (active && !active.isDestroyed) setFormula({ tex: '', display: false }) }
  const putBlank = () => put({ type: 'blank', attrs: { id: nextBlankId(latest.current) } })
  const putHole = () => put({ type: 'subref', attrs: { n: nextHole(latest.current) } })
  useKeys({
    'ctrl+m': openFormula, 'ctrl+k': putBlank, 'ctrl+j': () => put({ type: 'choiceParen' }), 'ctrl+h': putHole,
    ...Object.fromEntries(TYPES.map((type) => [`alt+${type}`, () => onChange(changeType(latest.current, type))])),
  })
  const tools = {
    onFocus: (editor: Editor) => setActive(editor),
    onOpenNode: ((opened) => {
      if (opened.type === 'tex' || opened.type === 'mathBlock') setFormula({ tex: String(opened.attrs['tex'] ?? ''), display: opened.type === 'mathBlock', pos: opened.pos })
      else if (opened.type === 'blank' || opened.type === 'inlineImage' || opened.type === 'imageBlock' || opened.type === 'writingLines') setNode(opened)
    }) as OpenNode,
  }
  const putFormula = (tex: string, display: boolean) => {
    const written = { type: display ? 'mathBlock' : 'tex', attrs: { tex } }
    const at = formula?.pos
    // Not focused here: the dialog, while it is there, takes the focus back, and gives it when it goes.
    if (at === undefined) active?.chain().insertContent(written).run()
    else active?.chain().insertContentAt({ from: at, to: at + 1 }, written).run()
    setFormula(undefined)
  }
  const image = async (file: File) => {
    const { uploadImage } = await import('./paste.tsx')
    // The shell says what was refused.
    const asset = await uploadImage(file, file.name).catch(() => undefined)
    if (asset && active) put({ type: active.state.selection.$from.parent.content.size === 0 ? 'imageBlock' : 'inlineImage', attrs: { asset } })
  }
  return (
    <>
      <Toolbar editor={active} onFormula={openFormula} onBlank={putBlank} onHole={content.type === 5 ? putHole : undefined} onImage={(file) => void image(file)} onShortcuts={onShortcuts} />
      {children}
      <div className="edit-paper"><ContentForm key={round} content={content} onChange={onChange} tools={tools} startHere={startHere} /></div>
      {formula && (
        <FormulaDialog {...formula} editor={active} onClose={() => setFormula(undefined)} onDone={putFormula}
          onRemove={formula.pos === undefined ? undefined : () => { active?.chain().deleteRange({ from: formula.pos ?? 0, to: (formula.pos ?? 0) + 1 }).run(); setFormula(undefined) }} />
      )}
      {node && active && <NodeDialog node={node} editor={active} onClose={() => setNode(undefined)} />}
    </>
  )
}
