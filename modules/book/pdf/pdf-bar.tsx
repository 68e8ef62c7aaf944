import { FilePdfOutlined } from '@ant-design/icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Popconfirm, Progress, Tag, Upload } from 'antd'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { formatTime } from '../../../core/field/time.ts'
import { useFront } from '../../../core/ui/front.tsx'
import { useResumableUpload } from '../../../core/upload/use-resumable-upload.tsx'
import { pagesPath } from '../paths.ts'
import { addPdf, dropPdf, PDF_STATE, readPdfs, type BookPdf } from './calls.ts'

const STATES: Readonly<Record<number, readonly [label: string, color: string]>> = {
  [PDF_STATE.reading]: ['读取中', 'processing'], [PDF_STATE.ready]: ['待对版', 'warning'], [PDF_STATE.used]: ['在用', 'success'], [PDF_STATE.replaced]: ['已换下', 'default'], [PDF_STATE.failed]: ['读取失败', 'error'],
}

/** One file: what it is, how far it is, and what can be done with it. */
function File({ pdf, bookId, editable, onDrop }: { pdf: BookPdf; bookId: number; editable: boolean; onDrop: () => void }) {
  const [label = '', color = 'default'] = STATES[pdf.state] ?? []
  const open = pdf.state === PDF_STATE.reading || pdf.state === PDF_STATE.ready || pdf.state === PDF_STATE.failed
  return (
    <li>
      <Tag color={color}>{label}</Tag>
      <span className="pdf-name">{pdf.url === null ? pdf.name : <a href={pdf.url} target="_blank" rel="noopener noreferrer">{pdf.name}</a>}</span>
      <span className="note">{[pdf.pages > 0 ? `${pdf.pages} 页` : '', ...(pdf.prints.length > 0 ? [`第 ${pdf.prints.join('、')} 次印刷`] : []), pdf.staff_name ?? '', formatTime(pdf.at).slice(0, 16)].filter(Boolean).join(' · ')}</span>
      {pdf.state === PDF_STATE.reading && <Progress className="pdf-progress" size="small" percent={pdf.pages === 0 ? 0 : Math.floor((pdf.read / pdf.pages) * 100)} aria-label={`已读 ${pdf.read} 页，共 ${pdf.pages} 页`} />}
      {pdf.error && <span role="alert" className="pdf-error">{pdf.error}</span>}
      {pdf.state !== PDF_STATE.reading && pdf.state !== PDF_STATE.failed && <Link to={`${pagesPath(bookId)}&pdf=${pdf.id}`}>{pdf.state === PDF_STATE.ready ? '对版' : '查看'}</Link>}
      {editable && open && <Popconfirm title="放弃这份印刷文件？" description="读到的页面和对版结果一起删除。" okText="放弃" onConfirm={onDrop}><Button size="small" type="text" danger>放弃</Button></Popconfirm>}
    </li>
  )
}

/** Files that a book was and will be printed from. */
export function PdfBar({ bookId, editable }: { bookId: number; editable: boolean }) {
  const { message } = App.useApp()
  const client = useQueryClient()
  const front = useFront()
  const [all, setAll] = useState(false)
  const name = useRef('')
  const key = ['book-pdfs', bookId]
  const { data, error } = useQuery({
    queryKey: key, queryFn: ({ signal }) => call(readPdfs, undefined, { params: { id: bookId }, signal, quiet: true }), staleTime: 0,
    refetchInterval: (query) => (front && query.state.data?.items.some(({ state }) => state === PDF_STATE.reading) ? 2000 : false),
  })
  const reload = () => void client.invalidateQueries({ queryKey: key })
  const act = async (work: () => Promise<unknown>, said: string) => {
    try {
      await work()
      void message.success(said)
    } catch (failure) {
      void message.error(failure instanceof Error ? failure.message : '操作失败', 5)
    }
    reload()
  }
  const { running, problem, start } = useResumableUpload(['print'], (url) => void act(() => call(addPdf, { url, name: name.current }, { params: { id: bookId }, quiet: true }), '已上传，正在读取页面'))
  if (error) return <Alert type="error" showIcon title={error.message} />
  const items = data?.items ?? []
  const open = items.some(({ state }) => state === PDF_STATE.reading || state === PDF_STATE.ready)
  const shown = all ? items : items.filter(({ state }) => state !== PDF_STATE.replaced)
  if (items.length === 0 && !editable) return null
  return (
    <section className="pdf-bar" aria-label="印刷文件">
      <div className="pages-line">
        <b>印刷文件</b>
        {editable && (
          <Upload accept=".pdf,application/pdf" showUploadList={false} disabled={running !== undefined || open} beforeUpload={(file) => { name.current = file.name.slice(0, 200); void start(file); return false }}>
            <Button icon={<FilePdfOutlined />} loading={running !== undefined} disabled={open} title={open ? '还有一份印刷文件没有处理完' : undefined}>{running ? `正在上传 ${running.percent}%` : '上传印刷文件（PDF）'}</Button>
          </Upload>
        )}
      </div>
      {problem && <Alert type="error" showIcon role="alert" title={problem} />}
      {items.length === 0 ? <p className="note">上传后自动生成页面、识别二维码和题号，付印前据此检查二维码的位置和大小</p> : <ul>{shown.map((pdf) => <File key={pdf.id} pdf={pdf} bookId={bookId} editable={editable} onDrop={() => void act(() => call(dropPdf, undefined, { params: { id: pdf.id }, quiet: true }), '已放弃')} />)}</ul>}
      {shown.length < items.length && <Button type="link" size="small" onClick={() => setAll(true)}>显示换下的 {items.length - shown.length} 份</Button>}
    </section>
  )
}
