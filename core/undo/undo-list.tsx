import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Table } from 'antd'
import { useState } from 'react'
import { call } from '../endpoint/call.tsx'
import { briefTime } from '../field/time.ts'
import { listUndo, UNDO_HOURS, type UndoInfo } from './calls.ts'
import { useTakeBack } from './use-take-back.tsx'

/** What this person did within the last day and can still take back, with what stands in the way. */
export function UndoList() {
  const takeBack = useTakeBack()
  const [busy, setBusy] = useState<number>()
  const { data, error, isPending, refetch } = useQuery({ queryKey: ['undo'], queryFn: ({ signal }) => call(listUndo, undefined, { signal }) })
  const back = async ({ id }: UndoInfo) => {
    setBusy(id)
    await takeBack(id)
    setBusy(undefined)
  }
  return (
    <>
      {error && <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />}
      <Table<UndoInfo> rowKey="id" size="middle" loading={isPending} dataSource={data?.items ?? []} scroll={{ x: 760 }} pagination={false}
        locale={{ emptyText: isPending ? ' ' : <p className="list-empty">最近 {UNDO_HOURS} 小时没有可以撤销的操作</p> }}
        columns={[
          { title: '操作', render: (_, { action_name, label, title, count }) => `${action_name}${label}${title === null ? ` ${count.toLocaleString('zh-CN')} 条` : `「${title}」`}`, ellipsis: true },
          { title: '时间', dataIndex: 'at', width: 120, render: (at: number) => <span className="figure">{briefTime(at)}</span> },
          { title: '撤销前要知道', width: 320, render: (_, { why }) => why ?? '' },
          {
            title: '', width: 112, render: (_, item) => (item.kept >= item.count
              ? <span className="none">不能撤销</span> : <Button size="small" loading={busy === item.id} onClick={() => void back(item)}>撤销</Button>),
          },
        ]} />
    </>
  )
}
