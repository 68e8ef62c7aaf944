import { RightOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { useState } from 'react'
import { request } from '../endpoint/call.tsx'
import type { WireRow } from '../resource/endpoints.ts'
import type { Group } from '../resource/groups.ts'
import { filterQuery, type ListState } from './list-state.ts'
import { TABLE } from './look.ts'
import { counted, GroupingInput, GroupName, LookFailed, Sums, type LookProps } from './look-parts.tsx'
import { inOrder, narrowTo } from './narrow.ts'
import { useGroups } from './use-groups.tsx'
import './looks.css'

/** Records of a group that stand below it; the rest is one click away in the list. */
const SHOWN = 20

/** A list in groups with their numbers and sums, each folded until it is opened. */
export function GroupView(props: LookProps<'table'>) {
  const { resource, look: { by }, onLook, query } = props
  const grouping = by ?? { key: '', unit: undefined }
  const { data, error, refetch } = useGroups(resource, query, grouping)
  const [open, setOpen] = useState<readonly Group['value'][]>([])
  if (error && !data) return <LookFailed error={error} retry={refetch} />
  const groups = data ? inOrder(resource, grouping, data.groups) : []
  const isOpen = (value: Group['value']) => open.includes(value)
  return (
    <div className="group-view">
      <div className="look-line">
        <span>按</span>
        <GroupingInput resource={resource} by={grouping} label="分组字段" onChange={(next) => { setOpen([]); onLook({ kind: 'table', by: next }) }} />
        {data && <span className="note" aria-live="polite">{counted(groups.length + (data.rest?.groups ?? 0))} 组，共 {counted(data.total)} 条</span>}
        <span className="list-bar-space" />
        {open.length > 0 && <Button type="text" size="small" onClick={() => setOpen([])}>全部收起</Button>}
        <Button type="text" size="small" onClick={() => onLook(TABLE)}>取消分组</Button>
      </div>
      {!data ? <Skeleton active className="look-wait" /> : (
        <ul className="groups" aria-label="各组">
          {groups.map((group) => (
            <li key={String(group.value)}>
              <button type="button" className="group-head" aria-expanded={isOpen(group.value)} onClick={() => setOpen(isOpen(group.value) ? open.filter((one) => one !== group.value) : [...open, group.value])}>
                <RightOutlined aria-hidden />
                <b><GroupName resource={resource} by={grouping} group={group} /></b>
                <span className="group-count">{counted(group.count)} 条</span>
                <span className="group-sums"><Sums resource={resource} sums={group.sums} /></span>
              </button>
              {isOpen(group.value) && <GroupRows {...props} group={group} />}
            </li>
          ))}
          {data.rest && <li className="group-head group-rest"><b>其余 {counted(data.rest.groups)} 组</b><span className="group-count">{counted(data.rest.count)} 条</span><span className="group-sums"><Sums resource={resource} sums={data.rest.sums} /></span></li>}
          {data.total === 0 && <li className="list-empty">没有可以分组的记录</li>}
          {data.total > 0 && <li className="group-head group-rest"><b>合计</b><span className="group-count">{counted(data.total)} 条</span><span className="group-sums"><Sums resource={resource} sums={data.sums} /></span></li>}
        </ul>
      )}
    </div>
  )
}

function GroupRows({ resource, look: { by }, state, query, table, onNarrow, group }: LookProps<'table'> & { group: Group }) {
  const filters: ListState['filters'] | undefined = by && narrowTo(resource, state.filters, by, group.value)
  const asked = { ...query, ...(filters && filterQuery({ ...state, filters })), page_size: SHOWN }
  const { data, error, refetch } = useQuery({ queryKey: ['list', resource.name, asked], queryFn: ({ signal }) => request<Record<string, unknown>>('GET', resource.api.list, asked, { signal, quiet: true }), enabled: filters !== undefined })
  if (error) return <LookFailed error={error} retry={refetch} />
  const rows = data?.[resource.api.reply.items] as WireRow[] | undefined
  if (!rows || !filters) return <Skeleton active className="look-wait" />
  return (
    <div className="group-body">
      {table(rows, asked)}
      {group.count > rows.length && <Button type="link" size="small" onClick={() => onNarrow(filters)}>还有 {counted(group.count - rows.length)} 条，在列表中查看</Button>}
    </div>
  )
}
