import { useQuery } from '@tanstack/react-query'
import { Alert, App, Modal, Skeleton, Table } from 'antd'
import { call, request } from '../../../core/endpoint/call.tsx'
import { useSend } from '../../user/door.tsx'
import { trainingPlan } from '../plan.ts'
import { publishPreview } from '../plan-calls.ts'

/** 发布: what is different, and which rooms it reaches from tomorrow on. */
export function PublishDialog({ id, onDone, onClose }: { id: number; onDone: () => void; onClose: () => void }) {
  const { message } = App.useApp()
  const { busy, problem, send } = useSend()
  const { data, error } = useQuery({ queryKey: ['plan-publish', id], queryFn: ({ signal }) => call(publishPreview, undefined, { params: { id }, signal, quiet: true }), staleTime: 0, gcTime: 0 })
  const publish = () => send(async () => {
    await request('POST', `${trainingPlan.api.item}/${id}/publish`, {}, { quiet: true })
    void message.success('已发布')
    onDone()
    onClose()
  })
  return (
    <Modal open title="发布训练计划" okText="发布" okButtonProps={{ disabled: !data }} confirmLoading={busy} onOk={() => void publish()} onCancel={onClose}>
      {problem}
      {error && <Alert type="error" showIcon title={error.message} />}
      {!data && !error && <Skeleton active />}
      {data && (
        <>
          <p>新增 {data.added} 项，修改 {data.changed} 项，删除 {data.removed} 项。</p>
          {data.rooms.length === 0 ? <p>还没有自习室执行这个计划。</p> : (
            <>
              <p>{data.rooms.length} 个自习室从明天起按新任务执行，今天和之前的任务不变。</p>
              <Table size="small" rowKey="id" pagination={false} scroll={{ y: 240 }} dataSource={data.rooms} columns={[
                { title: '自习室', dataIndex: 'name' }, { title: '进行到', render: (_value, { today }) => (today === 0 ? '未开始' : `第 ${today} 天`) }, { title: '学员', dataIndex: 'learners' },
              ]} />
            </>
          )}
        </>
      )}
    </Modal>
  )
}
