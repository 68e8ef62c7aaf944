import { useQuery } from '@tanstack/react-query'
import { Alert, Modal, Skeleton } from 'antd'
import { call } from '../../core/endpoint/call.tsx'
import { CopyButton } from '../../core/form/copy-button.tsx'
import { present, type Presentation } from '../../core/resource/present.tsx'
import type { Companion } from './companion.ts'
import { ReportFacts } from './report-facts.tsx'
import { reportEndpoints } from './report-calls.ts'
import { REPORT_STATE, type ReportResource } from './report.ts'

/** Reports of all teachers: their facts, the review, and the link that parents have. */
export function presentReports(companion: Companion, reports: ReportResource): Presentation {
  const { link } = reportEndpoints(companion, reports)
  function ParentLink({ id, onClose }: { id: number; onClose: () => void }) {
    const { data, error } = useQuery({ queryKey: ['report-link', reports.name, id], queryFn: ({ signal }) => call(link, undefined, { params: { id }, signal, quiet: true }) })
    const address = data && `${location.origin}${data.path}`
    return (
      <Modal open title="家长打开报告的链接" footer={address && <CopyButton text={address} label="复制链接" />} onCancel={onClose}>
        {error ? <Alert type="warning" showIcon title={error.message} /> : address ? <a href={address} target="_blank" rel="noreferrer">{address}</a> : <Skeleton active paragraph={{ rows: 1 }} title={false} />}
      </Modal>
    )
  }
  return present(reports)({
    slots: { head: ({ row }) => <ReportFacts facts={row.facts} /> },
    rowActions: [{ key: 'link', label: '家长链接', visible: (row) => row.state === REPORT_STATE.sent || row.state === REPORT_STATE.read }],
    dialogs: { link: ({ row, onClose }) => <ParentLink id={row.id} onClose={onClose} /> },
  })
}
