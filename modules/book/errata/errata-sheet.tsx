import { PrinterOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Select, Skeleton } from 'antd'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { Link } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { formatDate } from '../../../core/field/time.ts'
import { PaperStyle } from '../../../core/print/print-sheet.tsx'
import { inPrint, printsText, readErrata, type ErrataSheet } from './calls.ts'

/** Asks for the confirmed errata of a book. @param rev asked anew when the book has changed */
export const useErrata = (id: number, rev: number) => useQuery({ queryKey: ['book-errata', id, rev], queryFn: ({ signal }) => call(readErrata, undefined, { params: { id }, signal, quiet: true }), staleTime: 0 })

/** The table of one print, as it goes to schools. @param no 0 for all prints */
function Sheet({ sheet, no }: { sheet: ErrataSheet; no: number }) {
  const lines = sheet.lines.filter((line) => no === 0 || inPrint(line, no))
  const print = sheet.prints.find((one) => one.no === no)
  return (
    <div className="sheet-sheet" data-paper="a4">
      <article className="sheet-page" aria-label="勘误表">
        <p style={{ textAlign: 'center' }}>《{sheet.name}》勘误表</p>
        <p>书号 {sheet.isbn}{sheet.edition && ` · ${sheet.edition}`} · {no === 0 ? '各次印刷' : `第 ${no} 次印刷${print ? `（${formatDate(print.at)}）` : ''}`} · 共 {lines.length} 条</p>
        <table>
          <thead><tr><th>页码</th>{no === 0 && <th>印次</th>}<th>误</th><th>正</th></tr></thead>
          <tbody>{lines.map((line) => <tr key={line.id}><td>{line.page_no}</td>{no === 0 && <td>{printsText(line.print_from, line.print_to)}</td>}<td className="errata-text">{line.wrong}</td><td className="errata-text">{line.right}</td></tr>)}</tbody>
        </table>
      </article>
    </div>
  )
}

/** 勘误表 of a book: chosen by print, printed or kept as PDF by the browser. */
export function ErrataTable({ row }: { row: { id: number; rev: number } }) {
  const { data, error } = useErrata(row.id, row.rev)
  const [chosen, setChosen] = useState<number>()
  const [printing, setPrinting] = useState(false)
  useEffect(() => {
    if (!printing) return
    const over = () => setPrinting(false)
    window.addEventListener('afterprint', over, { once: true })
    window.print()
    return () => window.removeEventListener('afterprint', over)
  }, [printing])
  if (error) return <Alert type="error" showIcon title={error.message} />
  if (!data) return <Skeleton active />
  const list = <Link to={`/practiceBook/content/pebManage?show=errata&book_id=${row.id}`}>查看和登记勘误</Link>
  if (data.prints.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有印过，印后发现的错误在这里登记" />
  const no = chosen ?? data.prints.at(-1)?.no ?? 0
  const none = data.lines.every((line) => no !== 0 && !inPrint(line, no))
  return (
    <>
      <div className="sheet-choices">
        <Select aria-label="印次" value={no} onChange={setChosen} popupMatchSelectWidth={false} options={[...data.prints.map((print) => ({ value: print.no, label: `第 ${print.no} 次印刷` })).reverse(), { value: 0, label: '各次印刷' }]} />
        <Button icon={<PrinterOutlined />} disabled={none} onClick={() => setPrinting(true)}>打印或存为 PDF</Button>
        {list}
      </div>
      {none ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={no === 0 ? '没有已核定的勘误' : `第 ${no} 次印刷没有已核定的勘误`} /> : <div className="sheet-preview"><Sheet sheet={data} no={no} /></div>}
      {printing && createPortal(<div className="sheet-only"><PaperStyle paper="a4" /><Sheet sheet={data} no={no} /></div>, document.body)}
    </>
  )
}
