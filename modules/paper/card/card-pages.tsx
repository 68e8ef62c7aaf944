import { codeCells, encodePage, pageMarks, CARD_SHEETS, type Box, type CardPage } from './geometry.ts'
import type { CardLayout } from './layout.ts'
import { POINT } from './pieces.ts'

/** Strokes of frames and of places to fill in, in millimetres. */
const THIN = 0.2
const OUTLINE = 0.15
const rect = ({ x, y, w, h }: Box) => ({ x, y, width: w, height: h })

const ANCHORS = { left: 'start', center: 'middle', right: 'end' } as const

/** A page of an answer card, exactly as its geometry says. @param card stands in the page marks; absent on a preview */
function Page({ layout, page, card }: { layout: CardLayout; page: CardPage; card: number | undefined }) {
  const { width, height } = layout
  const format = CARD_SHEETS.find(({ value }) => value === layout.sheet)?.format ?? 1
  const bits = encodePage({ card: card ?? 0, page: page.no, format })
  return (
    <svg className="card-page" viewBox={`0 0 ${width} ${height}`} style={{ width: `${width}mm`, height: `${height}mm` }} role="img" aria-label={`答题卡第 ${page.no} 页`}>
      {pageMarks(layout).map(({ x, y, side }) => <rect key={`${x} ${y}`} x={x - side / 2} y={y - side / 2} width={side} height={side} />)}
      {codeCells(width).map((cell, at) => bits[at] === 1 && <rect key={at} {...rect(cell)} />)}
      <g fill="none" stroke="#000" strokeWidth={THIN}>
        {page.frames.map((frame, at) => <rect key={at} {...rect(frame)} {...(frame.dashed && { strokeDasharray: '1.5 1' })} />)}
        {page.lines.map(([from, to], at) => <line key={at} x1={from.x} y1={from.y} x2={to.x} y2={to.y} />)}
      </g>
      {page.solids.map((box, at) => <rect key={at} {...rect(box)} />)}
      {page.texts.map(({ text, x, y, w, h, size, align, bold }, at) => (
        <text key={at} x={align === 'left' ? x : align === 'right' ? x + w : x + w / 2} y={y + h / 2} fontSize={size * POINT} textAnchor={ANCHORS[align]} dominantBaseline="central" fontWeight={bold ? 700 : 400}>{text}</text>
      ))}
      {/* Pale, so that an empty place stays bright for the reader. */}
      <g className="card-bubbles">
        {page.bubbles.map((bubble, at) => (
          <g key={at}>
            <rect {...rect(bubble)} fill="none" strokeWidth={OUTLINE} />
            <text x={bubble.x + bubble.w / 2} y={bubble.y + bubble.h / 2} fontSize={2.1} textAnchor="middle" dominantBaseline="central">{bubble.value}</text>
          </g>
        ))}
      </g>
    </svg>
  )
}

/** All pages of an answer card. */
export function CardPages({ layout, card }: { layout: CardLayout; card?: number | undefined }) {
  return <div className={`print-pages print-${layout.width > layout.height ? 'a3' : 'a4'}`}>{layout.pages.map((page) => <div key={page.no} className="print-page card-sheet"><Page layout={layout} page={page} card={card} /></div>)}</div>
}
