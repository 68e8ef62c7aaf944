import { useMemo } from 'react'
import type { LabelLayout } from './label-layout.ts'
import { qrPath } from './qr-path.ts'

/** What stands on a label. */
export interface LabelText {
  /** What the QR code says. */
  readonly code: string
  /** The same for people. */
  readonly shown: string
  readonly title: string
  readonly note: string
}

function Qr({ text, side }: { text: string; side: number }) {
  const { path, side: units } = useMemo(() => qrPath(text), [text])
  return <svg width={`${side}mm`} height={`${side}mm`} viewBox={`0 0 ${units} ${units}`} shapeRendering="crispEdges" role="img" aria-label={`二维码 ${text}`}><path d={path} fill="#000" /></svg>
}

/** One A4 sheet of labels. */
export function LabelSheet({ labels, layout }: { labels: readonly LabelText[]; layout: LabelLayout }) {
  const { columns, rows, qr, margin: [upright, across] } = layout
  return (
    <div className="label-sheet" style={{ gridTemplateColumns: `repeat(${columns}, 1fr)`, gridTemplateRows: `repeat(${rows}, 1fr)`, padding: `${upright}mm ${across}mm` }}>
      {labels.map(({ code, shown, title, note }) => (
        <div key={code} className="label-cell">
          <Qr text={code} side={qr} />
          <div className="label-words"><b>{shown}</b><span>{title}</span><span>{note}</span></div>
        </div>
      ))}
    </div>
  )
}
