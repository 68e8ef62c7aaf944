import { Button, Pagination, Select, Space } from 'antd'
import { useEffect, useId, useState, type ReactNode } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { LABEL_LAYOUTS, sheetsOf } from './label-layout.ts'
import { LabelSheet, type LabelText } from './label-sheet.tsx'
import './code.css'

const [firstLayout] = LABEL_LAYOUTS

/**
 * Labels with QR codes, sheet by sheet as they come out of the printer.
 * @param labels what is printed; shown one sheet at a time
 * @param children further inputs beside the kind of paper
 */
export function LabelPrinter({ labels, children }: { labels: readonly LabelText[]; children?: ReactNode }) {
  const id = useId()
  const [layoutKey, setLayoutKey] = useState(firstLayout?.key)
  const layout = LABEL_LAYOUTS.find(({ key }) => key === layoutKey) ?? firstLayout
  const [page, setPage] = useState(1)
  const [printing, setPrinting] = useState(false)
  useEffect(() => {
    const over = () => setPrinting(false)
    window.addEventListener('afterprint', over)
    return () => window.removeEventListener('afterprint', over)
  }, [])
  useEffect(() => {
    document.body.classList.toggle('printing-labels', printing)
    return () => document.body.classList.remove('printing-labels')
  }, [printing])
  if (!layout) return null
  const sheets = sheetsOf(labels, layout)
  const shown = Math.min(page, sheets.length)
  const print = () => {
    // The sheets have to stand there when the browser takes its picture.
    flushSync(() => setPrinting(true))
    window.print()
  }
  return (
    <>
      <Space wrap className="form-alert">
        <label htmlFor={`${id}-layout`}>标签纸</label>
        <Select id={`${id}-layout`} value={layout.key} onChange={setLayoutKey} options={LABEL_LAYOUTS.map(({ key, label }) => ({ value: key, label }))} popupMatchSelectWidth={false} />
        {children}
        <Button type="primary" disabled={sheets.length === 0} onClick={print}>打印{sheets.length > 0 ? ` ${sheets.length} 页` : ''}</Button>
      </Space>
      {sheets.length > 0 && (
        <>
          {sheets.length > 1 && <Pagination className="form-alert" current={shown} pageSize={1} total={sheets.length} showSizeChanger={false} onChange={setPage} />}
          <div className="label-stage"><LabelSheet labels={sheets[shown - 1] ?? []} layout={layout} /></div>
        </>
      )}
      {printing && createPortal(<div className="label-print">{sheets.map((sheet) => <LabelSheet key={sheet[0]?.code} labels={sheet} layout={layout} />)}</div>, document.body)}
    </>
  )
}
