import { useEffect, useState } from 'react'
import type { Resource } from '../resource/define.ts'
import type { WireRow } from '../resource/endpoints.ts'

type Tone = (row: WireRow) => string | undefined

/** How the rules of a list colour its records, as a class; what reads them is fetched by lists that have some. */
export function useTones(resource: Resource, text: string | undefined): Tone | undefined {
  const [known, setKnown] = useState<{ text: string; tone: Tone }>()
  useEffect(() => {
    if (!text) return
    let left = false
    void import('./color-rules.ts').then(({ parseRules, toneOf }) => {
      const rules = parseRules(resource, text)
      const tone: Tone = (row) => {
        const found = toneOf(resource, rules, row, Date.now() / 1000)
        return found && `tone-${found}`
      }
      if (!left) setKnown({ text, tone })
    }, () => undefined)
    return () => { left = true }
  }, [resource, text])
  return known?.text === text ? known?.tone : undefined
}
