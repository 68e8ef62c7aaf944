import { useSyncExternalStore } from 'react'
import './rich-text.css'

type Draw = (tex: string, display: boolean) => string

/** KaTeX is a chunk of its own: it comes with the first formula that is shown. */
let draw: Draw | undefined
let loading: Promise<void> | undefined
let failed = false
const state = () => (draw ? 'ready' : failed ? 'failed' : 'waiting')
const waiting = new Set<() => void>()

function load(told: () => void): () => void {
  waiting.add(told)
  loading ??= Promise.all([import('./tex-compile.ts'), import('katex/dist/katex.min.css')]).then(([{ texToHtml }]) => {
    draw = texToHtml
    for (const tell of waiting) tell()
  }, () => {
    // Tried again with the next formula; until then its source is shown.
    loading = undefined
    failed = true
    for (const tell of waiting) tell()
  })
  return () => waiting.delete(told)
}

const DRAWN = new Map<string, { html: string } | { error: string }>()
/** Formulas that are kept drawn: those of some hundred texts. */
const KEPT = 4000

function drawn(tex: string, display: boolean): { html: string } | { error: string } | undefined {
  const key = (display ? 'D' : 'I') + tex
  const known = DRAWN.get(key)
  if (known || !draw) return known
  let made: { html: string } | { error: string }
  try {
    made = { html: draw(tex, display) }
  } catch (error) {
    made = { error: error instanceof Error ? error.message : '公式写法有误' }
  }
  if (DRAWN.size >= KEPT) DRAWN.delete(DRAWN.keys().next().value ?? '')
  DRAWN.set(key, made)
  return made
}

/** A drawn formula; its room while KaTeX is on its way; its source when that does not come; its source in red, with what is wrong and where, when it does not compile. */
export function Formula({ tex, display = false }: { tex: string; display?: boolean }) {
  const now = useSyncExternalStore(load, state, state)
  const made = drawn(tex, display)
  if (made && 'html' in made) {
    // KaTeX escapes all text and is told to trust nothing, so this is markup of its own making only.
    return <span className={display ? 'doc-math-block' : 'doc-math'} dangerouslySetInnerHTML={{ __html: made.html }} />
  }
  if (made) return <code className="doc-math-error" title={made.error}>{tex}<span className="doc-math-reason">{made.error}</span></code>
  return <code className="doc-math-source" data-state={now}>{tex}</code>
}
