import { useQuery } from '@tanstack/react-query'
import { Alert, App, Modal, Skeleton, Table } from 'antd'
import { useId, useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { Picker } from '../../core/field/reference.tsx'
import { useCloseGuard } from '../../core/form/close-guard.tsx'
import type { RowDialogProps } from '../../core/resource/present.tsx'
import { handOver, handOverPreview } from './grants.ts'
import { staff } from './staff.ts'

/** 离职交接: whatever somebody answers for passes to a colleague. */
export function HandOverDialog({ row, reload, onClose }: RowDialogProps<typeof staff>) {
  const { message } = App.useApp()
  const id = useId()
  const name = row.name
  const { data, error, isPending } = useQuery({
    queryKey: ['hand-over', row.id], gcTime: 0, staleTime: 0,
    queryFn: ({ signal }) => call(handOverPreview, undefined, { params: { id: row.id }, signal, quiet: true }),
  })
  const [to, setTo] = useState<number | null>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const close = useCloseGuard(to !== null, `${name}的离职交接`, onClose)
  const items = (data?.items ?? []).filter((item) => item.count > 0)
  const total = items.reduce((sum, item) => sum + item.count, 0)
  const run = async () => {
    if (to === null) return setProblem('请选择接手人')
    if (to === row.id) return setProblem('接手人不能是本人')
    setBusy(true)
    setProblem(undefined)
    try {
      const { moved } = await call(handOver, { to_id: to }, { params: { id: row.id }, quiet: true })
      void message.success(`已交接 ${moved} 条记录`)
      reload()
      onClose()
    } catch (failure) {
      setProblem(failure instanceof Error ? failure.message : '交接失败')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal open title={`离职交接 · ${name}`} okText="确认交接" okButtonProps={{ disabled: total === 0 }} confirmLoading={busy} onOk={() => void run()} onCancel={close}>
      {error && <Alert type="error" showIcon title={error.message} />}
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      {isPending && <Skeleton active />}
      {data && (total === 0 ? <p>{name}名下没有需要交接的数据，可以直接办理离职。</p> : (
        <>
          <p>以下数据将改由接手人负责，共 {total} 条。交接不会停用账号，请随后办理「离职」。</p>
          <Table size="small" rowKey="label" pagination={false} dataSource={items} scroll={{ y: 260 }} columns={[
            { title: '数据', dataIndex: 'label' }, { title: '数量', dataIndex: 'count', align: 'right', width: 100 },
          ]} />
          <p><label htmlFor={id}>接手人</label></p>
          <Picker target={staff} id={id} label="接手人" narrow={{ offered: 1 }} value={to ?? undefined} onChange={(next) => { setTo(next); setProblem(undefined) }} />
        </>
      ))}
    </Modal>
  )
}
