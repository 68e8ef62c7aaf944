import { useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { SEAL } from './front.ts'
import { watermarkSize, type Sheet } from './edition.ts'
import { paginate, type Page } from './pages.ts'
import type { PrintBlock } from './print-blocks.tsx'
import './print.css'

/** CSS pixels of a millimetre. */
const MM = 96 / 25.4

/** How full a page is. */
export interface PageFill {
  readonly no: number
  /** Of the room of all its columns. */
  readonly share: number
  /** Something on it is higher than a column. */
  readonly over: boolean
  readonly last: boolean
}

interface Props {
  blocks: readonly PrintBlock[]
  sheet: Sheet
  seal: boolean
  title: string
  watermark: string
  /** Number of the first page where the pages are part of a book; how many there are is not printed then. */
  first?: number
  /** What is shown of a page on the screen alone. */
  badge?: (fill: PageFill) => ReactNode
}

/** Measures the blocks in a column of the real width, and lays them out on pages; formulas that arrive later are measured again. */
export function PrintPages({ blocks, sheet, seal, title, watermark, first, badge }: Props) {
  const ruler = useRef<HTMLDivElement>(null)
  const [heights, setHeights] = useState<ReadonlyMap<string, number>>(new Map())
  const left = sheet.margin + (seal ? sheet.seal : 0)
  /** Between the sealing line and the text. */
  const air = 4
  const columnWidth = (sheet.width - left - sheet.margin - sheet.gap * (sheet.columns - 1)) / sheet.columns
  useLayoutEffect(() => {
    const column = ruler.current
    if (!column) return
    const measure = () => setHeights(new Map([...column.children].map((child) => [child.getAttribute('data-key') ?? '', child.getBoundingClientRect().height])))
    measure()
    const watcher = new ResizeObserver(measure)
    for (const child of column.children) watcher.observe(child)
    return () => watcher.disconnect()
  }, [blocks, columnWidth])
  const room = (sheet.height - sheet.margin * 2) * MM
  // A line of page number stands in the bottom margin.
  const pages = paginate(
    blocks.map(({ key, keepWithNext, breakBefore }) => ({ key, height: heights.get(key) ?? 0, ...(keepWithNext && { keepWithNext }), ...(breakBefore && { breakBefore }) })),
    sheet.columns, () => room,
  )
  const byKey = new Map(blocks.map((block) => [block.key, block]))
  const fill = (page: Page, index: number): PageFill => {
    const columns = page.map((column) => column.reduce((sum, key) => sum + (heights.get(key) ?? 0), 0))
    return { no: (first ?? 1) + index, share: columns.reduce((sum, height) => sum + height, 0) / (room * sheet.columns), over: columns.some((height) => height > room + 1), last: index === pages.length - 1 }
  }
  const drawn = (screen: boolean) => (
    <div className={`print-pages print-${sheet.value}`}>
      {pages.map((page, index) => (
        <div key={index} className="print-page" style={{ width: `${sheet.width}mm`, height: `${sheet.height}mm`, padding: `${sheet.margin}mm ${sheet.margin}mm ${sheet.margin}mm ${left}mm` }}>
          {seal && <div className="print-seal" style={{ width: `${left - air}mm` }}>{index === 0 && <span>{SEAL.person}</span>}<span>{SEAL.line}</span></div>}
          {screen && badge?.(fill(page, index))}
          {watermark && <div className="print-watermark" aria-hidden style={{ fontSize: `${watermarkSize(watermark)}pt` }}>{watermark}</div>}
          <div className="print-columns" style={{ gap: `${sheet.gap}mm` }}>
            {page.map((column, at) => (
              <div key={at} style={{ width: `${columnWidth}mm` }}>{column.map((key) => <div key={key} className="print-block">{byKey.get(key)?.content}</div>)}</div>
            ))}
          </div>
          <footer style={{ height: `${sheet.margin}mm` }}>{title}　第 {(first ?? 1) + index} 页{first === undefined && `（共 ${pages.length} 页）`}</footer>
        </div>
      ))}
    </div>
  )
  return (
    <>
      <div ref={ruler} className="print-ruler" aria-hidden inert style={{ width: `${columnWidth}mm` }}>
        {blocks.map(({ key, content }) => <div key={key} data-key={key} className="print-block">{content}</div>)}
      </div>
      {/* Scrolls, so the keyboard has to reach it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="print-preview" tabIndex={0} role="region" aria-label={`打印预览，共 ${pages.length} 页`}>{drawn(true)}</div>
      {createPortal(<div className="print-only" aria-hidden>{drawn(false)}</div>, document.body)}
    </>
  )
}
