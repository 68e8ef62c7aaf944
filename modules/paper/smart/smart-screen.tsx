import { ThunderboltOutlined } from '@ant-design/icons'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Alert, Button, Drawer, Modal, Skeleton } from 'antd'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { present, type RowDialogProps } from '../../../core/resource/present.tsx'
import { useCan } from '../../../core/session/staff-context.tsx'
import { STAGES } from '../stage.ts'
import { readSmart, smartToPapers } from './calls.ts'
import { MaterialsDrawer } from './materials.tsx'
import { SmartDialog } from './smart-dialog.tsx'
import { SMART_EDIT, smartPaper } from './smart-paper.ts'
import { SmartResult } from './smart-result.tsx'
import '../editor/paper.css'
import './smart.css'

function Compose({ reload }: { reload: () => void }) {
  const can = useCan()
  const [params, setParams] = useSearchParams()
  const asked = Number(params.get('parallel') ?? 0)
  const [open, setOpen] = useState(false)
  if (!can(SMART_EDIT)) return null
  const close = () => {
    setOpen(false)
    if (asked > 0) setParams((now) => { now.delete('parallel'); return now }, { replace: true })
  }
  return (
    <>
      <Button type="primary" icon={<ThunderboltOutlined />} onClick={() => setOpen(true)}>智能组卷</Button>
      {(open || asked > 0) && <SmartDialog parallelOf={asked > 0 ? asked : undefined} onClose={close} onSaved={reload} />}
    </>
  )
}

/** The papers of a kept rule, as they were composed. */
function ResultDrawer({ row, onClose }: RowDialogProps<typeof smartPaper>) {
  const { data, error, refetch } = useQuery({ queryKey: ['smart-paper', row.id], queryFn: ({ signal }) => call(readSmart, undefined, { params: { id: row.id }, signal, quiet: true }) })
  return (
    <Drawer open size={960} title={row.name} onClose={onClose}>
      {data ? <SmartResult rule={data.rule} outcome={data} /> : error ? <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} /> : <Skeleton active />}
    </Drawer>
  )
}

/** Makes papers to edit and to print of what was composed, and leads to them. */
function ToPapers({ row, reload, onClose }: RowDialogProps<typeof smartPaper>) {
  const make = useMutation({ mutationFn: () => call(smartToPapers, {}, { params: { id: row.id }, quiet: true }), onSuccess: reload })
  return (
    <Modal open title={`转为试卷 · ${row.name}`} okText={make.data ? '关闭' : '生成试卷'} confirmLoading={make.isPending} onCancel={onClose} onOk={() => (make.data ? onClose() : make.mutate())}>
      {make.error && <Alert type="error" showIcon title={make.error.message} role="alert" />}
      {make.data
        ? <ul>{make.data.papers.map(({ id, name, level }) => <li key={id}><Link to={(STAGES[level] ?? STAGES[0]).detail.replace(':id', String(id))}>{name}</Link></li>)}</ul>
        : <p>将生成 {row.version_count} 份草稿试卷，可以继续编辑、打印和上架。</p>}
    </Modal>
  )
}

export default present(smartPaper)({
  slots: { main: Compose },
  params: ['parallel'],
  rowActions: [{ key: 'result', label: '查看' }, { key: 'materials', label: '材料' }, { key: 'papers', label: '转为试卷', grant: SMART_EDIT }],
  dialogs: { result: ResultDrawer, materials: MaterialsDrawer, papers: ToPapers },
})
