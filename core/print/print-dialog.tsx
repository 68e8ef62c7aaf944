import { PrinterOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Modal, Select, Skeleton } from 'antd'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { call } from '../endpoint/call.tsx'
import type { Resource } from '../resource/define.ts'
import { MOST_PRINTED, PAPERS, printRecords, type Printed, type TemplateChoice } from './calls.ts'
import { PaperStyle, PrintSheet } from './print-sheet.tsx'

interface Props {
  resource: Resource
  templates: readonly TemplateChoice[]
  ids: readonly number[]
  onClose: () => void
}

/** 打印: what comes out of the printer is seen first; the browser prints it or keeps it as PDF. */
export function PrintDialog({ resource, templates, ids, onClose }: Props) {
  const [templateId, setTemplateId] = useState(templates[0]?.id ?? 0)
  const [printing, setPrinting] = useState<Printed>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const some = ids.slice(0, MOST_PRINTED)
  const { data, error, refetch } = useQuery({
    queryKey: ['print', templateId, some], staleTime: 0, queryFn: ({ signal }) => call(printRecords, { template_id: templateId, ids: [...some], log: false }, { signal, quiet: true }),
  })
  useEffect(() => {
    if (!printing) return
    const over = () => setPrinting(undefined)
    window.addEventListener('afterprint', over, { once: true })
    window.print()
    return () => window.removeEventListener('afterprint', over)
  }, [printing])
  const print = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      // Read once more: what is printed is what is written down.
      setPrinting(await call(printRecords, { template_id: templateId, ids: [...some], log: true }, { quiet: true }))
    } catch (failure) {
      setProblem(failure instanceof Error ? failure.message : '打印失败')
    } finally {
      setBusy(false)
    }
  }
  const missing = data ? some.length - data.records.length : 0
  return (
    <Modal open title={`打印${resource.label}`} width={900} onCancel={onClose} footer={[
      <Button key="close" onClick={onClose}>关闭</Button>,
      <Button key="print" type="primary" icon={<PrinterOutlined />} loading={busy} disabled={!data} onClick={() => void print()}>打印{some.length > 1 ? ` ${some.length - missing} 条` : ''}</Button>,
    ]}>
      <div className="sheet-choices">
        <Select aria-label="打印模板" value={templateId} onChange={setTemplateId} options={templates.map(({ id, name, paper }) => ({ value: id, label: `${name}（${PAPERS[paper].label}）` }))} popupMatchSelectWidth={false} />
        {ids.length > MOST_PRINTED && <span className="note">一次最多打印 {MOST_PRINTED} 条，只打印前 {MOST_PRINTED} 条</span>}
        {missing > 0 && <span className="note">{missing} 条已删除或不在您的数据范围内</span>}
      </div>
      {(problem ?? error) && <Alert className="form-alert" type="error" showIcon role="alert" title={problem ?? error?.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />}
      {!data && !error && <Skeleton active />}
      {data && <div className="sheet-preview"><PrintSheet printed={data} /></div>}
      {printing && createPortal(<div className="sheet-only"><PaperStyle paper={printing.template.paper} /><PrintSheet printed={printing} /></div>, document.body)}
    </Modal>
  )
}
