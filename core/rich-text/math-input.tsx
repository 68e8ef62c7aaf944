import { MathfieldElement } from 'mathlive'
import 'mathlive/fonts.css'
import { useEffect, useRef } from 'react'

// Fonts come with the style sheet above; sounds are of no use here.
MathfieldElement.fontsDirectory = null
MathfieldElement.soundsDirectory = null

/** A formula written as it looks, by MathLive; a chunk of its own, fetched when somebody wants it. */
export function MathInput({ tex, onChange }: { tex: string; onChange: (tex: string) => void }) {
  const holder = useRef<HTMLDivElement>(null)
  const latest = useRef(onChange)
  const begun = useRef(tex)
  useEffect(() => {
    latest.current = onChange
  })
  useEffect(() => {
    const field = new MathfieldElement()
    field.value = begun.current
    field.setAttribute('aria-label', '可视公式')
    field.className = 'formula-field'
    const told = () => latest.current(field.getValue('latex'))
    field.addEventListener('input', told)
    holder.current?.replaceChildren(field)
    field.focus()
    return () => field.removeEventListener('input', told)
  }, [])
  return <div ref={holder} />
}
