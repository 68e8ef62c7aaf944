import { Select, Skeleton, theme } from 'antd'
import { lazy, Suspense } from 'react'
import { fieldOf } from '../resource/meta-fields.ts'
import type { Group } from '../resource/groups.ts'
import { counted, GroupingInput, GroupName, LookFailed, SumCell, type LookProps } from './look-parts.tsx'
import { groupWords, inOrder, narrowTo } from './narrow.ts'
import { useGroups } from './use-groups.tsx'
import './looks.css'

const Chart = lazy(() => import('../chart/chart.tsx'))
const COUNT = ''

/** A list as bars: how many records, or a sum of them, by one field. A bar opens the records that it stands for. */
export function ChartView({ resource, look: { by, sum }, onLook, state, query, onNarrow }: LookProps<'chart'>) {
  const { data, error, refetch } = useGroups(resource, query, by)
  const { token } = theme.useToken()
  if (error && !data) return <LookFailed error={error} retry={refetch} />
  const groups = data ? inOrder(resource, by, data.groups) : []
  const measure = sum === undefined ? '数量' : fieldOf(resource, sum).label
  // Money is drawn in yuan.
  const scale = sum !== undefined && fieldOf(resource, sum).sheet.type === 'money' ? 100 : 1
  const figure = (group: Pick<Group, 'count' | 'sums'>) => (sum === undefined ? group.count : (group.sums[sum] ?? 0) / scale)
  const show = (group: Group) => {
    const filters = narrowTo(resource, state.filters, by, group.value)
    if (filters) onNarrow(filters)
  }
  const names = groups.map((group) => groupWords(resource, by, group))
  const title = `${resource.label}的${measure}，按${fieldOf(resource, by.key).label}`
  return (
    <div className="chart-view">
      <div className="look-line">
        <span>按</span>
        <GroupingInput resource={resource} by={by} label="图表字段" onChange={(next) => onLook({ kind: 'chart', by: next, sum })} />
        <span>看</span>
        <Select<string> aria-label="看什么" value={sum ?? COUNT} popupMatchSelectWidth={false} options={[{ value: COUNT, label: '数量' }, ...resource.list.summary.map((key) => ({ value: key, label: `${fieldOf(resource, key).label}合计` }))]}
          onChange={(next) => onLook({ kind: 'chart', by, sum: next === COUNT ? undefined : next })} />
        {data && <span className="note" aria-live="polite">共 {counted(data.total)} 条{sum !== undefined && <>，合计 <SumCell resource={resource} name={sum} sums={data.sums} /></>}</span>}
      </div>
      {!data ? <Skeleton active className="look-wait" /> : data.total === 0 ? <p className="list-empty">没有符合条件的记录，可以去掉一些条件</p> : (
        <>
          <Suspense fallback={<Skeleton active className="look-wait" />}>
            <Chart height={320} label={title} onPick={(place) => { const group = groups[place]; if (group) show(group) }} option={{
              color: [token.colorPrimary], tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' } }, grid: { left: 12, right: 16, top: 24, bottom: 8, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
              xAxis: { type: 'category', data: names, axisLabel: { hideOverlap: true, color: token.colorTextTertiary, ...(by.unit === undefined && { width: 96, overflow: 'truncate' }) } },
              yAxis: { type: 'value', minInterval: sum === undefined ? 1 : 0, axisLabel: { color: token.colorTextTertiary } },
              series: [{ type: 'bar', name: measure, data: groups.map(figure), barMaxWidth: 40, cursor: 'pointer' }],
            }} />
          </Suspense>
          <table className="chart-rows">
            <caption>{title}</caption>
            <thead><tr><th scope="col">{fieldOf(resource, by.key).label}</th><th scope="col">数量</th>{sum !== undefined && <th scope="col">{measure}</th>}</tr></thead>
            <tbody>
              {groups.map((group) => (
                <tr key={String(group.value)}>
                  <th scope="row"><button type="button" className="row-action" onClick={() => show(group)}><GroupName resource={resource} by={by} group={group} /></button></th>
                  <td>{counted(group.count)}</td>{sum !== undefined && <td><SumCell resource={resource} name={sum} sums={group.sums} /></td>}
                </tr>
              ))}
              {data.rest && <tr><th scope="row">其余 {counted(data.rest.groups)} 组（图中未画）</th><td>{counted(data.rest.count)}</td>{sum !== undefined && <td><SumCell resource={resource} name={sum} sums={data.rest.sums} /></td>}</tr>}
            </tbody>
          </table>
        </>
      )}
    </div>
  )
}
