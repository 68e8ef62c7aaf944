import { ArrowDownOutlined, ArrowUpOutlined, CloseOutlined, ColumnWidthOutlined, PushpinOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Skeleton } from 'antd'
import { useLayoutEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { request } from '../endpoint/call.tsx'
import { usePreference } from '../preference/use-preference.tsx'
import type { Resource } from '../resource/define.ts'
import type { WireRow } from '../resource/endpoints.ts'
import type { Presentation, RowTools } from '../resource/present.tsx'
import { recordPath } from '../resource/record-path.ts'
import { Presence } from '../presence/presence.tsx'
import { usePageKeys } from '../ui/use-page-keys.tsx'
import { RecordView } from './record-view.tsx'

/** Where a record stands in the list that it was opened from. */
export interface RecordPlace {
  /** From 1, over all pages. */
  readonly at: number
  readonly of: string
  /** Absent at the ends of what is shown. */
  readonly previous?: (() => void) | undefined
  readonly next?: (() => void) | undefined
}

interface Props {
  resource: Resource
  presentation: Presentation
  id: number
  place?: RecordPlace | undefined
  onClose: () => void
  /** Absent where it is only looked at. */
  onEdit?: (row: WireRow) => void
  onCopy?: ((row: WireRow) => void) | undefined
  tools?: RowTools
}

const NO_TOOLS: RowTools = { reload: () => undefined, open: () => undefined }

/** One record beside its list, which goes on to be worked with: no mask, other width on request, a tab of its own by the pin. */
export function RecordPanel({ resource, presentation, id, place, onClose, onEdit, onCopy, tools = NO_TOOLS }: Props) {
  const navigate = useNavigate()
  const [wide, setWide] = usePreference('record-wide', false)
  const panel = useRef<HTMLElement>(null)
  const { data: row, error, refetch } = useQuery({
    queryKey: ['record', resource.name, id], queryFn: ({ signal }) => request<WireRow>('GET', `${resource.api.item}/${id}`, {}, { signal }),
  })
  const again: RowTools = { ...tools, reload: () => { void refetch(); tools.reload() } }
  usePageKeys({ escape: onClose })
  // It stands beside the list, below the tabs, however high they are.
  useLayoutEffect(() => {
    const content = panel.current?.closest('#content')
    if (content) panel.current?.style.setProperty('--record-top', `${content.getBoundingClientRect().top}px`)
  }, [])
  return (
    <aside className="record-panel" ref={panel} data-wide={wide} aria-label={row ? `${resource.label} ${String(row[resource.title] ?? row.id)}` : resource.label}>
      <div className="record-bar">
        {place && (
          <>
            <Button type="text" size="small" icon={<ArrowUpOutlined />} aria-label="上一条" title="上一条 K" disabled={!place.previous} onClick={place.previous} />
            <Button type="text" size="small" icon={<ArrowDownOutlined />} aria-label="下一条" title="下一条 J" disabled={!place.next} onClick={place.next} />
            <span className="record-place">第 {place.at} / {place.of} 条</span>
          </>
        )}
        <span className="record-space" />
        <Button type="text" size="small" icon={<PushpinOutlined />} aria-label="在标签页中打开" title="在标签页中打开" onClick={() => void navigate(recordPath(resource, id))} />
        <Button type="text" size="small" icon={<ColumnWidthOutlined />} className="record-widen" aria-label={wide ? '变窄' : '变宽'} title={wide ? '变窄' : '变宽'} aria-pressed={wide} onClick={() => setWide(!wide)} />
        <Button type="text" size="small" icon={<CloseOutlined />} aria-label="关闭" title="关闭 Esc" onClick={onClose} />
      </div>
      <div className="record-body" key={id}>
        {error ? <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} /> : row
          ? <><Presence resource={resource} id={id} /><RecordView resource={resource} presentation={presentation} row={row} onEdit={onEdit} onCopy={onCopy} tools={again} /></> : <Skeleton active />}
      </div>
    </aside>
  )
}
