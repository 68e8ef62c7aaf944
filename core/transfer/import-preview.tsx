import { useQuery, useQueryClient } from '@tanstack/react-query'
import { App, Button, Input, Segmented, Select, Space, Table, Tag } from 'antd'
import { useDeferredValue, useState } from 'react'
import { request } from '../endpoint/call.tsx'
import type { AnyField } from '../field/any-field.ts'
import type { Resource } from '../resource/define.ts'
import type { ImportChecked, ImportMended } from './calls.ts'

type Row = ImportChecked['preview'][number]
type Counts = ImportChecked['counts']

const STATES = { new: ['success', '新增'], update: ['processing', '更新'], bad: ['error', '有误'] } as const
/** Rows that one call answers. */
const PAGE = 50

interface Props {
  resource: Resource
  jobId: number
  /** Fields that the file gives, in order. */
  keys: readonly string[]
  counts: Counts
  /** Values that all rows share: they narrow which records are offered. */
  fixed: Readonly<Record<string, unknown>>
  /** After a cell was mended. */
  onMended: (row: number, key: string, text: string, counts: Counts) => void
}

/** The rows of a checked sheet as they stand in the file; a click into a cell mends it, and that row alone is judged again. */
export function ImportRows({ resource, jobId, keys, counts, fixed, onMended }: Props) {
  const { message } = App.useApp()
  const client = useQueryClient()
  const [bad, setBad] = useState(counts.bad > 0)
  /** Rows after which each page begins. */
  const [starts, setStarts] = useState<readonly number[]>([0])
  const [open, setOpen] = useState<{ row: number; key: string }>()
  const queryKey = ['import-rows', jobId, bad, starts.at(-1)]
  const { data, isFetching } = useQuery({
    queryKey, queryFn: ({ signal }) => request<{ items: Row[] }>('GET', `${resource.api.list}/import_rows`, { job_id: jobId, ...(bad && { bad: '1' }), after: starts.at(-1) }, { signal }),
  })
  const rows = data?.items ?? []
  const mend = async (row: Row, key: string, text: string) => {
    setOpen(undefined)
    if (text === (row.cells[key] ?? '')) return
    try {
      const mended = await request<ImportMended>('POST', `${resource.api.list}/import_mend`, { job_id: jobId, row_number: row.row_number, cells: { [key]: text } }, { quiet: true })
      // It stays where it is, also when it is good now: rows that go while one mends them are hard to follow.
      client.setQueryData<{ items: Row[] }>(queryKey, (now) => now && { items: now.items.map((one) => (one.row_number === row.row_number ? mended.row : one)) })
      onMended(row.row_number, key, text, mended.counts)
    } catch (error) {
      void message.error(error instanceof Error ? error.message : '没有保存')
    }
  }
  const show = (only: boolean) => {
    void client.invalidateQueries({ queryKey: ['import-rows', jobId] })
    setBad(only)
    setStarts([0])
  }
  return (
    <Space orientation="vertical" className="wide">
      <Space wrap>
        <Segmented value={bad} onChange={show} aria-label="看哪些行" options={[{ value: false, label: '全部行' }, { value: true, label: `只看有误 ${counts.bad.toLocaleString('zh-CN')}` }]} />
        <span className="note">点一下格子就能改，改好的行马上重新检查</span>
      </Space>
      <Table<Row> size="small" rowKey="row_number" pagination={false} loading={isFetching && rows.length === 0} scroll={{ x: 'max-content', y: 420 }} dataSource={rows} locale={{ emptyText: bad ? '没有有误的行' : '没有行' }} columns={[
        { title: '行', dataIndex: 'row_number', width: 60, fixed: 'start' as const },
        { title: '结果', width: 90, fixed: 'start' as const, render: (_, row) => <Tag color={STATES[row.state][0]}>{STATES[row.state][1]}</Tag> },
        ...(bad || counts.bad > 0 ? [{ title: '原因', dataIndex: 'reason', width: 220, render: (reason: string | null) => reason && <span className="problem">{reason}</span> }] : []),
        ...keys.map((key) => ({
          title: resource.fields[key]?.label, key, width: 140,
          render: (_: unknown, row: Row) => {
            const field = resource.fields[key]
            const text = row.cells[key] ?? ''
            const label = `第 ${row.row_number} 行的${field?.label ?? ''}`
            if (!field) return text
            if (open?.row === row.row_number && open.key === key) return <CellInput field={field} fixed={fixed} label={label} text={text} onDone={(next) => void mend(row, key, next)} />
            const why = reasonOf(row, field.label)
            return <button type="button" className="import-cell" data-bad={why !== undefined} title={why} aria-label={`改${label}${text ? `：${text}` : ''}`} onClick={() => setOpen({ row: row.row_number, key })}>{text}</button>
          },
        })),
      ]} />
      {(starts.length > 1 || rows.length === PAGE) && (
        <Space>
          <Button size="small" disabled={starts.length === 1} onClick={() => setStarts(starts.slice(0, -1))}>上一页</Button>
          <Button size="small" disabled={rows.length < PAGE} onClick={() => setStarts([...starts, rows.at(-1)?.row_number ?? 0])}>下一页</Button>
        </Space>
      )}
    </Space>
  )
}

/** What is wrong with one cell: each reason names the field that it is about. */
const reasonOf = ({ state, reason }: Row, label: string): string | undefined => (state === 'bad' ? reason?.split('；').find((part) => part.includes(label)) : undefined)

interface CellProps {
  field: AnyField
  fixed: Readonly<Record<string, unknown>>
  label: string
  text: string
  onDone: (text: string) => void
}

/** A cell as it would stand in the file: one of the words that are taken there, the name of a record, or text. */
function CellInput(props: CellProps) {
  const { field, label, text, onDone } = props
  const words = field.sheet.choices
  if (words) {
    return <Select className="wide" defaultOpen aria-label={label} defaultValue={text || null} allowClear={!field.required} showSearch options={words.map((value) => ({ value, label: value }))} onChange={(next?: string) => onDone(next ?? '')} onOpenChange={(open) => { if (!open) onDone(text) }} />
  }
  if ('target' in field && field.refers === 'one') {
    const narrow = Object.fromEntries(Object.entries(field.within).flatMap(([own, theirs]) => (props.fixed[own] === undefined ? [] : [[theirs, props.fixed[own]]])))
    return <NameInput {...props} path={field.target().optionsPath} narrow={narrow} />
  }
  // What is hidden is typed as a whole.
  const hidden = field.hidden !== undefined && text.includes('*')
  return (
    // It stands where the click was.
    // oxlint-disable-next-line jsx-a11y/no-autofocus
    <Input autoFocus aria-label={label} defaultValue={hidden ? '' : text} placeholder={hidden ? text : ''}
      onKeyDown={(event) => { if (event.key === 'Escape') { event.stopPropagation(); onDone(text) } }}
      onPressEnter={(event) => onDone(event.currentTarget.value)} onBlur={(event) => onDone(hidden && event.currentTarget.value === '' ? text : event.currentTarget.value)} />
  )
}

/** Picks a record by its name, as the file would name it. */
function NameInput({ field, label, text, onDone, path, narrow }: CellProps & { path: string; narrow: Readonly<Record<string, unknown>> }) {
  const [typed, setTyped] = useState('')
  const keyword = useDeferredValue(typed)
  const { data, isFetching } = useQuery({ queryKey: ['import-names', path, keyword, narrow], queryFn: ({ signal }) => request<{ items: { id: number; name: string }[] }>('GET', path, { keyword, ...narrow }, { signal }) })
  const names = [...new Set((data?.items ?? []).map(({ name }) => name))]
  return (
    <Select className="wide" defaultOpen aria-label={label} defaultValue={text || null} allowClear={!field.required} loading={isFetching} showSearch={{ filterOption: false, onSearch: setTyped }} notFoundContent={isFetching ? '加载中…' : '没有匹配的记录'}
      options={names.map((value) => ({ value, label: value }))} onChange={(next?: string) => onDone(next ?? '')} onOpenChange={(open) => { if (!open) onDone(text) }} />
  )
}
