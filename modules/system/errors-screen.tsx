import { CopyOutlined, ReloadOutlined } from '@ant-design/icons'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Badge, Button, Descriptions, Empty, Input, Space, Table, Tooltip } from 'antd'
import { useState, type Key } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { formatTime } from '../../core/field/time.ts'
import { deviceName } from '../../core/login/device.ts'
import { useCan } from '../../core/session/staff-context.tsx'
import { useWide } from '../../core/ui/use-media.tsx'
import { ERROR_RIGHTS, clearClientErrors, clientErrors, type ClientErrorEntry } from './errors.ts'
import '../../core/list/list.css'
import './system.css'

const PAGE_SIZE = 20
/** The server takes so many ids at once without an address growing too long. */
const MAX_CHOSEN = 100

const timeText = (at: number) => <time className="figure">{formatTime(at)}</time>

/** Everything that is known of one error, ready to be handed to a developer. */
function ErrorDetails({ entry }: { entry: ClientErrorEntry }) {
  const { message } = App.useApp()
  const wide = useWide('md')
  const text = [entry.message, entry.stack, entry.url, `版本 ${entry.release ?? '未知'}`, entry.user_agent].filter(Boolean).join('\n')
  const copy = () => navigator.clipboard.writeText(text).then(() => message.success('已复制'), () => message.warning('浏览器不允许复制，请手动选择文字'))
  return (
    <div className="error-details">
      <Descriptions size="small" column={wide ? 2 : 1} items={[
        { key: 'url', label: '页面', children: entry.url ?? '—' },
        { key: 'release', label: '版本', children: entry.release ?? '—' },
        { key: 'first', label: '首次发生', children: timeText(entry.first_at) },
        { key: 'agent', label: '设备', children: <span title={entry.user_agent ?? ''}>{deviceName(entry.user_agent)}</span> },
      ]} />
      <pre>{entry.stack ?? entry.message}</pre>
      {'clipboard' in navigator && <Button size="small" icon={<CopyOutlined />} onClick={() => void copy()}>复制</Button>}
    </div>
  )
}

/** 前端错误: what went wrong in browsers, equal errors counted. */
export default function ErrorsScreen() {
  const { message, modal } = App.useApp()
  const wide = useWide('md')
  const client = useQueryClient()
  const mayClear = useCan()(ERROR_RIGHTS.id('clear'))
  const [search, setSearch] = useSearchParams()
  const keyword = search.get('keyword') ?? ''
  const page = Math.max(1, Number(search.get('page')) || 1)
  const [chosen, setChosen] = useState<number[]>([])
  const { data, error, isFetching, isPending, refetch } = useQuery({
    queryKey: ['client-errors', keyword, page],
    queryFn: ({ signal }) => call(clientErrors, { keyword, page: String(page - 1), page_size: String(PAGE_SIZE) }, { signal, quiet: true }),
    placeholderData: keepPreviousData,
  })
  const show = (next: { keyword?: string; page?: number }) => setSearch(new URLSearchParams({
    ...((next.keyword ?? keyword) && { keyword: next.keyword ?? keyword }), ...((next.page ?? 1) > 1 && { page: String(next.page) }),
  }))
  const clear = (ids: number[] | undefined) => modal.confirm({
    title: ids ? `清除选中的 ${ids.length} 条错误？` : '清除全部前端错误？', content: '清除后不能恢复；同样的错误再次发生时会重新出现。', okText: '清除', okButtonProps: { danger: true },
    onOk: async () => {
      const { removed } = await call(clearClientErrors, ids ? { ids: ids.map(String) } : { all: '1' })
      void message.success(`已清除 ${removed} 条`)
      setChosen([])
      show({ page: 1 })
      await client.invalidateQueries({ queryKey: ['client-errors'] })
    },
  })
  return (
    <section className="list-page" aria-label="前端错误">
      <div className="toolbar">
        <Space wrap>
          <Input.Search key={keyword} allowClear defaultValue={keyword} maxLength={60} placeholder="搜索错误内容和堆栈" aria-label="搜索错误" enterButton="查询" className="error-search" onSearch={(text) => show({ keyword: text.trim() })} />
          {mayClear && <Button danger disabled={chosen.length === 0} onClick={() => clear(chosen)}>清除所选{chosen.length > 0 ? `（${chosen.length}）` : ''}</Button>}
          {mayClear && <Button danger disabled={!data || data.total === 0} onClick={() => clear(undefined)}>清除全部</Button>}
        </Space>
        <Tooltip title="刷新"><Button icon={<ReloadOutlined />} aria-label="刷新前端错误" onClick={() => void refetch()} /></Tooltip>
      </div>
      {error && <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />}
      <Table<ClientErrorEntry> rowKey="id" size="middle" loading={isFetching && { delay: 200 }} dataSource={data?.items ?? []}
        locale={{ emptyText: isPending ? ' ' : <Empty description={keyword ? '没有符合条件的错误' : '没有前端错误'} /> }}
        {...(mayClear && { rowSelection: { selectedRowKeys: chosen, onChange: (keys: Key[]) => setChosen(keys.map(Number).slice(0, MAX_CHOSEN)), preserveSelectedRowKeys: true } })}
        expandable={{ expandedRowRender: (entry) => <ErrorDetails entry={entry} />, columnTitle: <span className="visually-hidden">详情</span> }}
        pagination={{ current: page, pageSize: PAGE_SIZE, total: data?.total ?? 0, showSizeChanger: false, hideOnSinglePage: true, showTotal: (total) => `共 ${total.toLocaleString('zh-CN')} 条`, onChange: (next) => show({ page: next }) }}
        {...(wide && { scroll: { x: 900 } })}
        columns={[
          { title: '最近发生', dataIndex: 'at', width: 165, responsive: ['md'], render: timeText },
          { title: '次数', dataIndex: 'times', width: 80, align: 'right', render: (times: number) => <Badge count={times} overflowCount={9999} color={times > 10 ? 'red' : 'orange'} /> },
          {
            title: '错误内容', dataIndex: 'message', ellipsis: wide, render: (text: string, { at }) => (wide
              ? <span title={text}>{text}</span> : <span className="stacked"><b>{text}</b>{timeText(at)}</span>),
          },
          { title: '页面', dataIndex: 'url', width: 220, ellipsis: true, responsive: ['md'] },
          { title: '最近遇到的人', dataIndex: 'staff_name', width: 120, ellipsis: true, responsive: ['md'], render: (name: string | null) => name ?? '—' },
          { title: '版本', dataIndex: 'release', width: 130, ellipsis: true, responsive: ['md'], render: (release: string | null) => <span className="figure">{release ?? '—'}</span> },
        ]} />
    </section>
  )
}
