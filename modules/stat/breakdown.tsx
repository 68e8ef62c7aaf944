import { useQuery } from '@tanstack/react-query'
import { Alert, Empty, Segmented, Table } from 'antd'
import { call } from '../../core/endpoint/call.tsx'
import { BREAKDOWNS, statBreakdown, type Breakdown, type BreakdownRow, type Tile } from './calls.ts'
import { ChangeWord, Num } from './tiles.tsx'
import type { AskedStats } from './use-asked.tsx'
import { figureText } from './words.ts'

/** Figures that stand beside the open one. */
const BESIDE = 4

/** The open figure told apart, the largest first, with others beside it; every number opens its records. */
export function BreakdownTable({ asked, open, by, options, onBy }: { asked: AskedStats; open: Tile; by: Breakdown; options: readonly Breakdown[]; onBy: (by: Breakdown) => void }) {
  const { data, error, isFetching } = useQuery({ queryKey: ['stat-by', asked, by], queryFn: ({ signal }) => call(statBreakdown, { ...asked, by }, { signal, quiet: true }) })
  const own = data?.figures.find(({ name }) => name === open.name) ?? data?.figures[0]
  const beside = data?.figures.filter(({ name }) => name !== own?.name).slice(0, BESIDE) ?? []
  const size = (row: BreakdownRow) => row.cells[own?.name ?? '']?.value ?? 0
  const rows = [...data?.rows ?? []].filter((row) => own && (row.cells[own.name] || beside.some(({ name }) => row.cells[name]))).sort((a, b) => size(b) - size(a))
  const most = Math.max(1, ...rows.map(size))
  const number = (figure: { name: string; as: Tile['as'] }) => (_value: unknown, row: BreakdownRow) => {
    const cell = row.cells[figure.name]
    return <Num to={cell?.to ?? null}>{figureText(figure.as, cell?.value ?? 0)}</Num>
  }
  return (
    <section className="stat-card" aria-labelledby="stat-by">
      <header>
        <h2 id="stat-by">按{BREAKDOWNS[by]}</h2><small>{rows.length > 0 && `${rows.length} 项有数`}</small>
        <Segmented size="small" aria-label="怎样分" value={by} onChange={onBy} options={options.map((value) => ({ value, label: BREAKDOWNS[value] }))} />
      </header>
      {error ? <Alert type="error" showIcon title={error.message} /> : (
        <Table<BreakdownRow> size="small" rowKey="key" loading={isFetching && !data} dataSource={rows} scroll={{ x: 'max-content' }} pagination={{ pageSize: 12, hideOnSinglePage: true, showSizeChanger: false }}
          locale={{ emptyText: <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="这段时间没有数据" /> }} columns={own ? [
            { title: BREAKDOWNS[by], dataIndex: 'title', width: 160, ellipsis: true },
            { title: own.title, width: 128, align: 'right', defaultSortOrder: 'descend', sorter: (a, b) => size(a) - size(b), render: number(own) },
            { title: '', className: 'stat-bar-cell', render: (_value, row) => <span className="stat-bar"><i style={{ inlineSize: `${(size(row) / most) * 100}%` }} /></span> },
            { title: '比上期', width: 96, align: 'right', render: (_value, row) => (row.cells[own.name] ? <ChangeWord of={{ as: own.as, up: own.up, value: size(row), before: row.cells[own.name]?.before ?? 0 }} /> : '') },
            ...beside.map((figure) => ({ title: figure.title, width: 108, align: 'right' as const, sorter: (a: BreakdownRow, b: BreakdownRow) => (a.cells[figure.name]?.value ?? 0) - (b.cells[figure.name]?.value ?? 0), render: number(figure) })),
          ] : []} />
      )}
    </section>
  )
}
