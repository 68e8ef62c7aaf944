import { useMutation } from '@tanstack/react-query'
import { useMemo } from 'react'
import { createPortal } from 'react-dom'
import { call } from '../../../core/endpoint/call.tsx'
import type { PracticeCard } from '../../practice/module.ts'
import type { PaperBody } from '../compose/body.ts'
import { makeCard, type PrintedCard } from './calls.ts'
import { CardPages } from './card-pages.tsx'
import { layoutCard, type CardOptions } from './layout.ts'
import { cardOf } from './paper-card.ts'
import './card.css'

/** Keeps a card with its number and prints it: what was printed can be read back later. */
export function usePrintCard(paperId: number) {
  return useMutation({
    mutationFn: (options: CardOptions) => call(makeCard, options, { params: { id: paperId } }),
    onSuccess: () => window.setTimeout(() => window.print()),
  })
}

interface Props {
  name: string
  body: PaperBody
  cards: ReadonlyMap<number, PracticeCard>
  options: CardOptions
  /** What was kept goes to the printer; without it nothing does. */
  printed: PrintedCard | undefined
}

/** The answer card of a paper as it comes out of the printer. */
export function CardPreview({ name, body, cards, options, printed }: Props) {
  const layout = useMemo(() => layoutCard(cardOf(name, body, cards).paper, options), [name, body, cards, options])
  return (
    <>
      {/* Scrolls, so the keyboard has to reach it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="print-preview" tabIndex={0} role="region" aria-label={`打印预览，共 ${layout.pages.length} 页`}><CardPages layout={printed?.layout ?? layout} card={printed?.id} /></div>
      {printed && createPortal(<div className="print-only" aria-hidden><CardPages layout={printed.layout} card={printed.id} /></div>, document.body)}
    </>
  )
}
