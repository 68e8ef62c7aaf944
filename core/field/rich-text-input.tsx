import type { RichDoc } from '../rich-text/rich-doc.ts'
import { RichEditor } from '../rich-text/rich-editor.tsx'
import { Toolbar } from '../rich-text/toolbar.tsx'
import { useRichTools } from '../rich-text/use-rich-tools.tsx'
import type { RichTextField } from './rich-text.ts'
import type { InputProps } from './view.tsx'

export type RichTextInputProps = InputProps<RichTextField>

/** A rich text of a form: the editor with its tools above. */
export function RichTextInput({ field, value, onChange, id, disabled = false }: RichTextInputProps) {
  const { active, tools, putImage, openFormula, dialogs } = useRichTools()
  return (
    <div className="rich-field">
      {!disabled && <Toolbar editor={active} onFormula={openFormula} onImage={putImage} />}
      <RichEditor label={field.label} value={(value ?? null) as RichDoc | null} onChange={(doc) => onChange?.(doc)} id={id} disabled={disabled} placeholder={`${field.ask}${field.label}`} onFormula={openFormula} {...tools} />
      {dialogs}
    </div>
  )
}
