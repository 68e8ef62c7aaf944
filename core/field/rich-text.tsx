import { Suspense } from 'react'
import { retryLazy } from '../ui/retry-lazy.tsx'
import { lazyInput } from './lazy-input.tsx'
import type { RichTextInputProps } from './rich-text-input.tsx'
import type { RichTextField, WordedDoc } from './rich-text.ts'
import { NONE, type CellProps, type FieldView } from './view.tsx'

const Whole = retryLazy(async () => ({ default: (await import('../rich-text/rich-text.tsx')).RichText }))
const Input = lazyInput<RichTextInputProps>(async () => ({ default: (await import('./rich-text-input.tsx')).RichTextInput }))

/** In a list its first line, elsewhere the text as it is. */
function Cell({ value, brief }: CellProps<RichTextField>) {
  if (typeof value !== 'object' || value === null || !('words' in value)) return NONE
  const doc = value as WordedDoc
  if (brief) return <span title={doc.words}>{doc.words.split('\n', 1)[0]}</span>
  return <Suspense fallback={<span className="rich-words">{doc.words}</span>}><Whole doc={doc} /></Suspense>
}

export const richTextView: FieldView<RichTextField> = { Cell, Input }
