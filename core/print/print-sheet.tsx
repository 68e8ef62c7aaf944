import { formatTime } from '../field/time.ts'
import { RichText } from '../rich-text/rich-text.tsx'
import { PAPERS, type Printed } from './calls.ts'
import { fillDoc } from './fill.ts'
import './print.css'

/** Records on paper, a page each, as the printer gets them and as the preview shows them. */
export function PrintSheet({ printed: { template, records, at, by } }: { printed: Printed }) {
  return (
    <div className="sheet-sheet" data-paper={template.paper}>
      {records.map((record) => (
        <article key={record.id} className="sheet-page" aria-label={`${template.name} ${record.title}`}>
          <RichText doc={fillDoc(template.doc, record)} />
          <footer>{template.version > 0 ? `${template.name} 第 ${template.version} 版 · ` : ''}{formatTime(at).slice(0, 16)} · {by}</footer>
        </article>
      ))}
    </div>
  )
}

/** Says to the printer which paper it is, and that nothing else of the page belongs on it. */
export function PaperStyle({ paper }: { paper: Printed['template']['paper'] }) {
  const { width, height, margin } = PAPERS[paper]
  return <style>{`@page { size: ${width}mm ${height === null ? '200mm' : `${height}mm`}; margin: ${margin}mm; }`}</style>
}
