import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Skeleton } from 'antd'
import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { fillPath } from '../../core/endpoint/define.ts'
import { formatDate } from '../../core/field/time.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { present, type Presentation, type RowDialogProps } from '../../core/resource/present.tsx'
import { qrEndpoints } from './calls.ts'
import { QR_HEALTH, type QrResource } from './qr-code.ts'
import { RetargetDialog } from './retarget-dialog.tsx'
import './qr.css'

const Chart = lazy(() => import('../../core/chart/chart.tsx'))

type Row = WireRow<QrResource>

/** Scans of a code over thirty days. */
function ScanCurve({ codes, row }: { codes: QrResource; row: Row }) {
  const { data, error } = useQuery({ queryKey: ['qr-scans', codes.name, row.id], queryFn: ({ signal }) => call(qrEndpoints(codes).scans, undefined, { params: { id: row.id }, signal, quiet: true }) })
  if (error) return <Alert type="error" showIcon title={error.message} />
  if (!data) return <Skeleton active />
  const total = data.days.reduce((sum, { n }) => sum + n, 0)
  if (total === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="近 30 天没有人扫过" />
  const option = {
    grid: { left: 40, right: 12, top: 12, bottom: 28 }, tooltip: { trigger: 'axis' }, xAxis: { type: 'category', data: data.days.map(({ day }) => formatDate(day).slice(5)) }, yAxis: { type: 'value', minInterval: 1 },
    series: [{ type: 'bar', name: '扫码', data: data.days.map(({ n }) => n) }, { type: 'line', name: '人数', data: data.days.map(({ people }) => people) }],
  }
  return <Suspense fallback={<Skeleton active />}><Chart option={option} height={240} label={`近 30 天共扫码 ${total} 次，最多的一天 ${Math.max(...data.days.map(({ n }) => n))} 次`} /></Suspense>
}

/** What a code is, and what those who scan it see. */
function CodeHead({ codes, row }: { codes: QrResource; row: Row }) {
  const picture = fillPath(qrEndpoints(codes).picture.path, { id: row.id })
  return (
    <div className="qr-head">
      <img src={picture} alt={`二维码 ${row.code}`} width={112} height={112} />
      <div>
        <p><b className="figure">{row.code}</b></p>
        <p><a href={`/q/${row.code}`} target="_blank" rel="noopener noreferrer">查看扫码页面</a> · <a href={picture} download={`${row.code}.svg`}>下载 SVG</a></p>
        {row.health === QR_HEALTH.broken && <Alert type="error" showIcon title={row.health_note ?? '指向异常'} />}
      </div>
    </div>
  )
}

/** Downloads the pictures of the book that the list is narrowed to. */
function Pictures({ codes }: { codes: QrResource }) {
  const [search] = useSearchParams()
  const book = search.get('book_id')
  const one = book !== null && /^\d+$/.test(book)
  return <Button disabled={!one} title={one ? undefined : '先按一本图书筛选，再下载它的二维码'} href={one ? `${qrEndpoints(codes).pictures.path}?book_id=${book}` : undefined} download>下载二维码</Button>
}

/** How the codes of a list look. */
export function presentCodes(codes: QrResource): Presentation {
  return present(codes)({
    cells: {
      code: ({ value }) => <span className="figure">{String(value)}</span>,
      target_name: ({ value, row }) => (value === null ? <span className="qr-empty">未设指向</span> : <span title={row.url ?? undefined}>{String(value)}</span>),
    },
    rowActions: [{ key: 'retarget', label: '改指向', first: true, grant: codes.rights.id('retarget'), visible: (row) => row.deleted_at === null }],
    dialogs: { retarget: (props: RowDialogProps<QrResource>) => <RetargetDialog {...props} codes={codes} /> },
    slots: {
      toolbar: () => <Pictures codes={codes} />,
      head: ({ row }) => <CodeHead codes={codes} row={row} />,
      details: [{ key: 'scans', label: '扫码', Content: ({ row }) => <ScanCurve codes={codes} row={row} /> }],
    },
  })
}
