import { App, Button, Space, Tabs } from 'antd'
import { Suspense, useState, type DragEvent } from 'react'
import { useTemplates } from '../print/use-print.tsx'
import { retryLazy } from '../ui/retry-lazy.tsx'
import { fieldOf } from '../resource/meta-fields.ts'
import { statusKey } from '../resource/status.ts'
import type { Resource } from '../resource/define.ts'
import type { WireRow } from '../resource/endpoints.ts'
import type { DetailTab, Presentation, RowTools } from '../resource/present.tsx'
import { briefTime } from '../field/time.ts'
import { droppedFiles } from '../upload/dropped.tsx'
import { uploadRecordFiles } from '../record-file/upload-target.tsx'
import { Facts } from './facts.tsx'
import { FieldCell } from './field-cell.tsx'
import { FilesLabel, FilesTab, useFilesChange } from './files-tab.tsx'
import { PastDialog } from './past-dialog.tsx'
import { PastView, type PastMoment } from './past-view.tsx'
import { RelatedStrip } from './related-strip.tsx'
import { useRowItems } from './row-actions.tsx'
import { RowMenu } from './row-menu.tsx'
import { Timeline } from './timeline.tsx'
import './record.css'

const PrintDialog = retryLazy(async () => ({ default: (await import('../print/print-dialog.tsx')).PrintDialog }))

interface Props {
  resource: Resource
  presentation: Presentation
  row: WireRow
  /** Absent where it is only looked at. */
  onEdit?: ((row: WireRow) => void) | undefined
  onCopy?: ((row: WireRow) => void) | undefined
  tools: RowTools
}

/** Buttons beside the next action; the others are in the menu. */
const BESIDE = 2

/** What can be done with the record: what comes next as the main button, why something is not offered in words. */
function Actions({ resource, presentation, row, onEdit, onCopy, tools, onLookBack }: Props & { onEdit: (row: WireRow) => void; onLookBack: () => void }) {
  const { message } = App.useApp()
  const items = useRowItems({ resource, row, more: presentation.rowActions ?? [], onOpen: () => undefined, onEdit, tools }).filter(({ key }) => key !== 'open')
  const templates = useTemplates(resource)
  const [printing, setPrinting] = useState(false)
  const print = templates.length > 0 ? [{ key: 'print', label: '打印', danger: false, run: () => setPrinting(true) }] : []
  const copy = onCopy ? [{ key: 'copy', label: '复制一条', danger: false, run: () => onCopy(row) }] : []
  const may = items.filter(({ refused }) => refused === undefined)
  const next = may.find(({ danger }) => !danger)
  const beside = may.filter((item) => item !== next && !item.danger).slice(0, BESIDE)
  const past = resource.audit ? [{ key: 'as-of', label: '时光机…', danger: false, run: onLookBack }] : []
  const rest = [...items.filter((item) => item !== next && !beside.includes(item)), ...print, ...copy, ...past]
  const [why] = items.filter(({ refused }) => refused !== undefined)
  return (
    <div className="record-actions">
      <Space size={8} wrap>
        {next && <Button type="primary" onClick={next.run}>{next.label}</Button>}
        {beside.map(({ key, label, run }) => <Button key={key} onClick={run}>{label}</Button>)}
        {printing && <Suspense><PrintDialog resource={resource} templates={templates} ids={[row.id]} onClose={() => setPrinting(false)} /></Suspense>}
        {rest.length > 0 && <RowMenu label="更多操作" items={rest} />}
      </Space>
      {why && <button type="button" className="record-why" onClick={() => void message.info(`不能${why.label}：${why.refused}`)}>不能{why.label}：{why.refused}</button>}
    </div>
  )
}

/** Files that are dropped anywhere on a record are kept with it, where the person may. */
function useDrop({ resource, row }: Pick<Props, 'resource' | 'row'>, onDropped: () => void) {
  const [dropping, setDropping] = useState(false)
  const may = useFilesChange({ resource, row }) && resource.audit
  const brings = ({ dataTransfer }: DragEvent) => may && dataTransfer.types.includes('Files')
  return {
    'data-dropping': dropping,
    onDragOver: (event: DragEvent) => {
      if (!brings(event)) return
      event.preventDefault()
      setDropping(true)
    },
    onDragLeave: (event: DragEvent<HTMLElement>) => {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setDropping(false)
    },
    onDrop: (event: DragEvent) => {
      if (!brings(event)) return
      event.preventDefault()
      setDropping(false)
      onDropped()
      void droppedFiles(event.dataTransfer.items).then((files) => uploadRecordFiles(resource, row.id, files))
    },
  }
}

/** Everything about one record: where it stands and what comes next, its facts, what belongs to it, and what happened. */
export function RecordView(props: Props) {
  const { resource, presentation, row, onEdit, tools } = props
  const { reload } = tools
  const [moment, setMoment] = useState<PastMoment>()
  const [asking, setAsking] = useState(false)
  const [tab, setTab] = useState('timeline')
  const drop = useDrop(props, () => setTab('files'))
  const status = statusKey(resource)
  const amount = resource.list.columns.find((key) => resource.fields[key] && fieldOf(resource, key).sheet?.type === 'money')
  const { details = [], head: Head, MoreDetails } = presentation.slots ?? {}
  const cell = (name: string) => <FieldCell resource={resource} presentation={presentation} name={name} row={row} brief onChanged={reload} />
  const tabs = (more: readonly DetailTab[]) => (
    <Tabs size="small" activeKey={tab} onChange={setTab} items={[
      { key: 'timeline', label: '动态', children: <Timeline resource={resource} row={row} onChanged={reload} onLookBack={(change_id) => setMoment({ change_id })} /> },
      ...(resource.audit ? [{ key: 'files', label: <FilesLabel resource={resource} row={row} />, children: <FilesTab resource={resource} row={row} /> }] : []),
      ...details.map(({ key, label, Content }) => ({ key, label, children: <Content row={row} reload={reload} /> })),
      ...more,
    ]} />
  )
  if (moment) return <PastView resource={resource} row={row} moment={moment} onBack={() => setMoment(undefined)} />
  return (
    <div className="record" {...drop}>
      <header className="record-head">
        <div>
          <h2>{String(row[resource.title] ?? row.id)}</h2>
          <p>
            {status !== undefined && !(status in resource.where) && <span>{cell(status)}</span>}
            <span>{row.updated_by_name ? `${String(row.updated_by_name)} ` : ''}{briefTime(Number(row.updated_at))} 改</span>
          </p>
        </div>
        {amount !== undefined && row[amount] !== null && <div className="record-amount"><b>{cell(amount)}</b><small>{fieldOf(resource, amount).label}</small></div>}
      </header>
      {onEdit && <Actions {...props} onEdit={onEdit} onLookBack={() => setAsking(true)} />}
      {asking && <PastDialog onPick={(at) => { setAsking(false); setMoment({ at }) }} onClose={() => setAsking(false)} />}
      <Facts resource={resource} presentation={presentation} row={row} above={[resource.title, status, amount]} onChanged={reload} />
      {Head && <Head row={row} reload={reload} />}
      <RelatedStrip resource={resource} row={row} />
      {MoreDetails ? <MoreDetails row={row}>{tabs}</MoreDetails> : tabs([])}
    </div>
  )
}
