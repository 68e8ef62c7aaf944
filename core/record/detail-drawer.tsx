import { EyeOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Descriptions, Drawer, Skeleton, Tabs } from 'antd'
import { useState, type ReactNode } from 'react'
import { request } from '../endpoint/call.tsx'
import type { Resource } from '../resource/define.ts'
import type { WireRow } from '../resource/endpoints.ts'
import { fieldOf, hasValue, metaFields } from '../resource/meta-fields.ts'
import type { DetailTab, Presentation } from '../resource/present.tsx'
import { useWide } from '../ui/use-media.tsx'
import { FieldCell } from './field-cell.tsx'
import { HistoryTab } from './history-tab.tsx'

interface Props {
  resource: Resource
  presentation: Presentation
  id: number
  onClose: () => void
  /** Absent where it is only looked at. */
  onEdit?: (row: WireRow) => void
  reload: () => void
}

/** A hidden number or name that may be looked at: each look is logged and counted. */
function Revealed({ resource, row, name }: { resource: Resource; row: WireRow; name: string }) {
  const [plain, setPlain] = useState<string>()
  const value = row[name]
  if (typeof value !== 'string') return <>—</>
  if (plain) return <span className="figure">{plain}</span>
  return (
    <>
      <span className="figure">{value}</span>
      {value.includes('*') && row.can.includes('reveal') && (
        <Button type="link" size="small" icon={<EyeOutlined />} aria-label={`查看完整的${fieldOf(resource, name).label}`}
          onClick={() => void request<{ value: string }>('POST', `${resource.api.item}/${row.id}/reveal`, { field: name }).then((answer) => setPlain(answer.value), () => undefined)} />
      )}
    </>
  )
}

function DetailTabs({ resource, presentation, row, fields, reload }: Pick<Props, 'resource' | 'presentation' | 'reload'> & { row: WireRow; fields: ReactNode }) {
  const { details = [], head: Head, MoreDetails } = presentation.slots ?? {}
  const tabs = (more: readonly DetailTab[]) => (
    <Tabs items={[
      { key: 'fields', label: '详情', children: fields },
      ...details.map(({ key, label, Content }) => ({ key, label, children: <Content row={row} reload={reload} /> })),
      ...more,
      { key: 'history', label: '操作日志', children: <HistoryTab resource={resource} row={row} onReverted={reload} /> },
    ]} />
  )
  return <>{Head && <Head row={row} reload={reload} />}{MoreDetails ? <MoreDetails row={row}>{tabs}</MoreDetails> : tabs([])}</>
}

/** Everything about one record: its fields, what modules add, and its history. */
export function DetailDrawer({ resource, presentation, id, onClose, onEdit, reload }: Props) {
  const wide = useWide('md')
  const { data: row, error, refetch } = useQuery({
    queryKey: ['record', resource.name, id], queryFn: ({ signal }) => request<WireRow>('GET', `${resource.api.item}/${id}`, {}, { signal }),
  })
  const again = () => {
    void refetch()
    reload()
  }
  // What all records of the list have alike says nothing.
  const keys = [...Object.keys(resource.fields).filter((key) => !(key in resource.where)), ...['created_by_name', 'created_at', 'updated_by_name', 'updated_at'].filter((key) => key in metaFields)]
  const fields = row && (
    <Descriptions bordered size="small" column={wide ? 2 : 1} items={keys.filter((key) => hasValue(fieldOf(resource, key))).map((key) => {
      const field = fieldOf(resource, key)
      return {
        key,
        label: field.label,
        children: field.hidden ? <Revealed resource={resource} row={row} name={key} />
          : <FieldCell resource={resource} presentation={presentation} name={key} row={row} onChanged={again} />,
      }
    })} />
  )
  return (
    <Drawer open title={row ? `${resource.label} · ${String(row[resource.title] ?? row.id)}` : resource.label} size={wide ? 760 : '100%'} onClose={onClose}
      extra={onEdit && row?.can.includes('edit') && <Button type="primary" onClick={() => onEdit(row)}>编辑</Button>}>
      {error ? <Alert type="error" title={error.message} /> : !row ? <Skeleton active /> : (
        <DetailTabs resource={resource} presentation={presentation} row={row} fields={fields} reload={again} />
      )}
    </Drawer>
  )
}
