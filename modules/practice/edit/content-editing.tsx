import { useEffect, useRef, type ReactNode } from 'react'
import { useRichTools } from '../../../core/rich-text/use-rich-tools.tsx'
import type { QuestionContent, QuestionType } from '../content/question.ts'
import { ContentForm } from './content-form.tsx'
import { Toolbar } from '../../../core/rich-text/toolbar.tsx'
import { useKeys } from '../ui/use-keys.tsx'
import { changeType, nextBlankId, nextHole } from './written.ts'

interface Props {
  content: QuestionContent
  onChange: (content: QuestionContent) => void
  /** Another number: the texts came from elsewhere and are read again. */
  round: number
  startHere: boolean
  onShortcuts: () => void
  /** What is to be said between the tools and the texts. */
  children?: ReactNode
}

/** Word's markup with its formulas, tables and pictures. */
const readHtml = async (html: string, files: readonly File[]) => (await import('./paste.tsx')).readPasted(html, files)
const TYPES: readonly QuestionType[] = [1, 2, 3, 4, 5, 6]

/** The texts of a question with the tools for them: formulas, blanks, holes, pictures, by mouse and by key. */
export function ContentEditing({ content, onChange, round, startHere, onShortcuts, children }: Props) {
  const { active, tools, put, putImage, openFormula, dialogs } = useRichTools()
  const latest = useRef(content)
  useEffect(() => {
    latest.current = content
  })
  const putBlank = () => put({ type: 'blank', attrs: { id: nextBlankId(latest.current) } })
  const putHole = () => put({ type: 'subref', attrs: { n: nextHole(latest.current) } })
  useKeys({
    'ctrl+m': openFormula, 'ctrl+k': putBlank, 'ctrl+j': () => put({ type: 'choiceParen' }), 'ctrl+h': putHole,
    ...Object.fromEntries(TYPES.map((type) => [`alt+${type}`, () => onChange(changeType(latest.current, type))])),
  })
  return (
    <>
      <div className="edit-tools">
        <Toolbar editor={active} onFormula={openFormula} question={{ onBlank: putBlank, onHole: content.type === 5 ? putHole : undefined }} onImage={putImage} onShortcuts={onShortcuts} />
      </div>
      {children}
      <div className="edit-paper"><ContentForm key={round} content={content} onChange={onChange} tools={{ ...tools, readHtml }} startHere={startHere} /></div>
      {dialogs}
    </>
  )
}
