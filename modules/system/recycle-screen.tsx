import { ReloadOutlined } from '@ant-design/icons'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Empty, Input, Select, Space, Table, Tooltip } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { call, request } from '../../core/endpoint/call.tsx'
import { formatTime } from '../../core/field/time.ts'
import { useStaff } from '../../core/session/staff-context.tsx'
import { useWide } from '../../core/ui/use-media.tsx'
import { CursorPager, useCursor } from './cursor.tsx'
import { PurgeDialog } from './purge-dialog.tsx'
import { recycleBin, type DeletedRecord } from './recycle.ts'
import '../../core/list/list.css'
import './system.css'

const PAGE_SIZE = '50'
const nameOf = (record: DeletedRecord) => record.title || `#${record.id}`
const keyOf = (record: DeletedRecord) => `${record.resource} ${record.id}`

/** 回收站: everything that was deleted and this person may bring back. */
export default function RecycleScreen() {
  const { message, modal } = App.useApp()
  const wide = useWide('md')
  const client = useQueryClient()
  const isSuper = useStaff().role === 'super'
  const [search, setSearch] = useSearchParams()
  const keyword = search.get('keyword') ?? ''
  const resource = search.get('resource') ?? ''
  const cursor = useCursor(`${resource} ${keyword}`)
  const [chosen, setChosen] = useState<DeletedRecord[]>([])
  const [purging, setPurging] = useState<readonly DeletedRecord[]>()
  const [busy, setBusy] = useState(false)
  const bin = (at: string | undefined) => ({
    queryKey: ['recycle', resource, keyword, at],
    queryFn: ({ signal }: { signal: AbortSignal }) => call(recycleBin, { resource, keyword, cursor: at, page_size: PAGE_SIZE }, { signal, quiet: true }),
  })
  const { data, error, isFetching, isPending, refetch } = useQuery({ ...bin(cursor.at), placeholderData: keepPreviousData })
  // Only the first page counts.
  const first = useQuery({ ...bin(undefined), enabled: false })
  const show = (next: { keyword?: string; resource?: string }) => {
    setChosen([])
    setSearch(new URLSearchParams({ ...((next.resource ?? resource) && { resource: next.resource ?? resource }), ...((next.keyword ?? keyword) && { keyword: next.keyword ?? keyword }) }))
  }
  /** Lists of all kinds may show what came back. */
  const again = async () => {
    setChosen([])
    await Promise.all([client.invalidateQueries({ queryKey: ['recycle'] }), client.invalidateQueries({ queryKey: ['list'] }), client.invalidateQueries({ queryKey: ['options'] })])
  }
  const restore = async (records: readonly DeletedRecord[]) => {
    setBusy(true)
    const failed: string[] = []
    // One after another: a record may need another one that comes back before it.
    for (const record of records) {
      await request('POST', record.restore, {}, { quiet: true }).catch((failure: unknown) => failed.push(`${record.label}「${nameOf(record)}」：${failure instanceof Error ? failure.message : '恢复失败'}`))
    }
    setBusy(false)
    const done = records.length - failed.length
    if (failed.length > 0) modal.error({ title: done > 0 ? `已恢复 ${done} 条，${failed.length} 条未能恢复` : '未能恢复', content: <ul className="failures">{failed.map((line) => <li key={line}>{line}</li>)}</ul> })
    else void message.success(records.length === 1 ? '已恢复' : `已恢复 ${done} 条`)
    await again()
  }
  const askRestore = (records: readonly DeletedRecord[]) => modal.confirm({
    title: `恢复选中的 ${records.length} 条记录？`, content: '恢复后回到原来的列表。', okText: '恢复', onOk: () => restore(records),
  })

  return (
    <section className="list-page" aria-label="回收站">
      <div className="toolbar">
        <Space wrap>
          <Select className="recycle-kind" aria-label="类型" value={resource} onChange={(next: string) => show({ resource: next })} showSearch={{ optionFilterProp: 'label' }}
            options={[{ value: '', label: '全部类型' }, ...(data?.resources ?? []).map(({ name, label }) => ({ value: name, label }))]} />
          <Input.Search key={keyword} allowClear defaultValue={keyword} maxLength={60} placeholder="搜索名称" aria-label="搜索名称" enterButton="查询" className="error-search" onSearch={(text) => show({ keyword: text.trim() })} />
          <Button disabled={chosen.length === 0} loading={busy} onClick={() => askRestore(chosen)}>恢复所选{chosen.length > 0 ? `（${chosen.length}）` : ''}</Button>
          {isSuper && <Button danger disabled={chosen.length === 0} onClick={() => setPurging(chosen)}>彻底删除所选</Button>}
        </Space>
        <Tooltip title="刷新"><Button icon={<ReloadOutlined />} aria-label="刷新回收站" onClick={() => void refetch()} /></Tooltip>
      </div>
      {error && <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />}
      <Table<DeletedRecord> rowKey={keyOf} size="middle" loading={isFetching && { delay: 200 }} dataSource={data?.items ?? []} pagination={false} {...(wide && { scroll: { x: 760 } })}
        locale={{ emptyText: isPending ? ' ' : <Empty description={data?.resources.length === 0 ? '您没有可以恢复的记录类型' : keyword || resource ? '没有符合条件的记录' : '回收站是空的'} /> }}
        rowSelection={{ selectedRowKeys: chosen.map(keyOf), onChange: (_keys, records) => setChosen(records) }}
        columns={[
          { title: '类型', dataIndex: 'label', width: 130, ellipsis: true, responsive: ['md'] },
          {
            title: '名称', key: 'title', ellipsis: wide, render: (_, record) => (wide
              ? <span title={nameOf(record)}>{nameOf(record)}</span>
              : <span className="stacked"><b>{record.label}「{nameOf(record)}」</b>{record.deleted_by_name ?? '系统'}<time className="figure">{formatTime(record.deleted_at).slice(0, 16)}</time></span>),
          },
          { title: '删除人', dataIndex: 'deleted_by_name', width: 120, ellipsis: true, responsive: ['md'], render: (name: string | null) => name ?? '系统' },
          { title: '删除时间', dataIndex: 'deleted_at', width: 165, responsive: ['md'], render: (at: number) => <time className="figure">{formatTime(at)}</time> },
          {
            title: '操作', key: 'actions', width: wide ? 150 : 100, render: (_, record) => (
              <span className={wide ? 'row-actions' : undefined}>
                <Button type="link" size="small" disabled={busy} onClick={() => void restore([record])}>恢复</Button>
                {isSuper && <Button type="link" size="small" danger onClick={() => setPurging([record])}>彻底删除</Button>}
              </span>
            ),
          },
        ]} />
      <CursorPager cursor={cursor} total={data?.total ?? first.data?.total} next={data?.next} />
      {purging && <PurgeDialog records={purging} onClose={() => setPurging(undefined)} onPurged={again} />}
    </section>
  )
}
