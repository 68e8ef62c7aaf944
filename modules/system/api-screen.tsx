import { CopyOutlined, DownloadOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Empty, Input, Select, Space, Table, Tag } from 'antd'
import { useDeferredValue, useMemo, useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { openApi, type Operation } from '../../core/openapi/description.ts'
import { useWide } from '../../core/ui/use-media.tsx'
import { callRows, findCalls, typeWords, valueRows, type CallRow, type ValueRow } from './api-words.ts'
import '../../core/list/list.css'
import './system.css'

const PAGE_SIZE = 50
const COLORS: Readonly<Record<string, string>> = { GET: 'processing', POST: 'success', PUT: 'warning', DELETE: 'error' }
const PLACES = { path: '路径', query: '查询', header: '请求头' } as const

const nameOf = ({ name, required }: ValueRow) => <code>{name}{required && <span className="api-required" title="必填"> *</span>}</code>

/** What is sent with a call, one value a row. */
function Values({ title, rows, wide }: { title: string; rows: readonly ValueRow[]; wide: boolean }) {
  if (rows.length === 0) return null
  return (
    <Table<ValueRow> size="small" rowKey="name" pagination={false} dataSource={[...rows]} title={() => title} columns={wide
      ? [{ title: '名称', key: 'name', width: 260, render: (_value, row) => nameOf(row) }, { title: '类型', dataIndex: 'type', width: 220 }, { title: '说明', dataIndex: 'words' }]
      : [{ title: '名称', key: 'name', render: (_value, row) => <span className="stacked"><b>{nameOf(row)}</b><span>{row.type}</span><span>{row.words}</span></span> }]} />
  )
}

const parametersOf = ({ parameters }: Operation): ValueRow[] => parameters.map(({ name, in: place, required, description, schema }) => (
  { name, required, type: `${PLACES[place]} · ${typeWords(schema)}`, words: [schema.title, schema.description, description].filter(Boolean).join('，') }
))

/** Everything that is known of one call. */
function CallDetails({ row: { method, path, operation }, wide }: { row: CallRow; wide: boolean }) {
  const { message } = App.useApp()
  const copy = () => navigator.clipboard.writeText(`${method} ${path}`).then(() => message.success('已复制'), () => message.warning('浏览器不允许复制，请手动选择文字'))
  const bodies = Object.entries(operation.requestBody?.content ?? {})
  return (
    <div className="api-call">
      <p><code>{method} {path}</code>{'clipboard' in navigator && <Button type="text" size="small" icon={<CopyOutlined />} aria-label="复制接口地址" onClick={() => void copy()} />}</p>
      <p>{operation.description ?? (operation.security.length === 0 ? '无需登录' : '登录即可')}</p>
      <Values title="参数" rows={parametersOf(operation)} wide={wide} />
      {bodies.map(([type, { schema }]) => {
        const rows = valueRows(schema)
        return rows.length > 0 ? <Values key={type} title={`请求体（${type}）`} rows={rows} wide={wide} /> : <p key={type}>请求体（{type}）：{typeWords(schema)}</p>
      })}
    </div>
  )
}

/** 接口文档: every call of this server, from the definitions that it runs by. */
export default function ApiScreen() {
  const wide = useWide('md')
  const [keyword, setKeyword] = useState('')
  const [tag, setTag] = useState('')
  const sought = useDeferredValue(keyword)
  // The description is what the running server was made from: it changes with a release, and then the console is loaded again.
  const { data, error, isPending, refetch } = useQuery({ queryKey: ['openapi'], queryFn: ({ signal }) => call(openApi, undefined, { signal, quiet: true }), staleTime: Infinity })
  const rows = useMemo(() => (data ? callRows(data) : []), [data])
  const tags = useMemo(() => [...new Set(rows.flatMap(({ operation }) => operation.tags))].toSorted((a, b) => a.localeCompare(b, 'zh-CN')).map((value) => ({ value, label: value })), [rows])
  const found = useMemo(() => findCalls(rows, sought, tag), [rows, sought, tag])
  return (
    <section className="list-page" aria-label="接口文档">
      <div className="toolbar">
        <Space wrap>
          <Input allowClear value={keyword} maxLength={60} placeholder="搜索路径、说明和权限" aria-label="搜索接口" className="error-search" onChange={(event) => setKeyword(event.target.value)} />
          <Select allowClear showSearch={{ optionFilterProp: 'label' }} value={tag || undefined} placeholder="全部页面" aria-label="页面" className="recycle-kind" options={tags} onChange={(value?: string) => setTag(value ?? '')} />
        </Space>
        <Button icon={<DownloadOutlined />} href={openApi.path} download="daoyuan-openapi.json">下载 OpenAPI 文件</Button>
      </div>
      {error && <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />}
      <Table<CallRow> key={`${sought} ${tag}`} rowKey="key" size="middle" loading={isPending && !error && { delay: 200 }} dataSource={found}
        locale={{ emptyText: isPending ? ' ' : <Empty description="没有符合条件的接口" /> }}
        expandable={{ expandedRowRender: (row) => <CallDetails row={row} wide={wide} />, expandRowByClick: true, columnTitle: <span className="visually-hidden">详情</span> }}
        pagination={{ pageSize: PAGE_SIZE, showSizeChanger: false, hideOnSinglePage: true, showTotal: (total) => `共 ${total.toLocaleString('zh-CN')} 个` }}
        columns={[
          { title: '方法', dataIndex: 'method', width: 90, render: (method: string) => <Tag color={COLORS[method]}>{method}</Tag> },
          { title: '接口', dataIndex: 'path', render: (path: string, { operation }) => <span className="stacked"><b>{operation.summary}</b><code>{path.replaceAll('/', '/\u200b')}</code></span> },
          ...(wide ? [{ title: '页面', key: 'tag', width: 180, render: (_value: unknown, { operation }: CallRow) => operation.tags.join('、') }] : []),
        ]} />
    </section>
  )
}
