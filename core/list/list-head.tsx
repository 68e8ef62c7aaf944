import { DownloadOutlined, EllipsisOutlined, HistoryOutlined, PlusOutlined, UploadOutlined } from '@ant-design/icons'
import { Button, Drawer } from 'antd'
import { useState, type ReactNode } from 'react'
import type { Resource } from '../resource/define.ts'
import type { Presentation } from '../resource/present.tsx'
import { useCan } from '../session/staff-context.tsx'

interface ToolsProps {
  resource: Resource
  presentation: Presentation
  reload: () => void
  onImport: () => void
  onExport: () => void
  /** Asks for the list as it was; absent where there is no log, or within another page. */
  onPast: (() => void) | undefined
}

interface HeadProps extends ToolsProps {
  /** How many records there are, in figures; undefined while that is not known. */
  total: string | undefined
  /** There is room for all buttons in a row. */
  wide: boolean
  /** What is done most, at the end of the row; on a phone it stands elsewhere. */
  main: ReactNode
}

/** Name and number of a list, and what can be done with it as a whole: buttons in a row, on a phone in a sheet. */
export function ListHead({ total, wide, main, ...rest }: HeadProps) {
  return (
    <header className="list-head">
      <h2>{rest.resource.label}{total !== undefined && <small aria-live="polite">{total}</small>}</h2>
      {wide ? <div className="list-tools"><Tools {...rest} />{main}</div> : <ToolSheet {...rest} />}
    </header>
  )
}

function Tools({ resource, presentation, reload, onImport, onExport, onPast }: ToolsProps) {
  const can = useCan()
  const Own = presentation.slots?.toolbar
  return (
    <>
      {onPast && <Button type="text" icon={<HistoryOutlined />} onClick={onPast}>时光机</Button>}
      {Own && <Own reload={reload} />}
      {can(resource.actions.import) && <Button icon={<UploadOutlined />} onClick={onImport}>导入</Button>}
      {can(resource.actions.export) && <Button icon={<DownloadOutlined />} onClick={onExport}>导出</Button>}
    </>
  )
}

function ToolSheet(props: ToolsProps) {
  const { resource, presentation, onPast } = props
  const can = useCan()
  const [open, setOpen] = useState(false)
  if (!onPast && !presentation.slots?.toolbar && !can(resource.actions.import) && !can(resource.actions.export)) return null
  return (
    <>
      <Button type="text" className="list-more" icon={<EllipsisOutlined />} aria-label={`${resource.label}列表的操作`} aria-haspopup="dialog" onClick={() => setOpen(true)} />
      {/* What a button opens stands above the sheet and stays when the sheet has gone. */}
      <Drawer open={open} placement="bottom" size="auto" title={`${resource.label}列表`} className="list-sheet" onClose={() => setOpen(false)} onClick={(event) => { if ((event.target as Element).closest('button')) setOpen(false) }}><Tools {...props} /></Drawer>
    </>
  )
}

/** What is done most with a list: the screen's own, else a new record. */
export function MainAction({ resource, presentation, reload, onNew }: Pick<ToolsProps, 'resource' | 'presentation' | 'reload'> & { onNew: () => void }) {
  const can = useCan()
  const Own = presentation.slots?.main
  if (Own) return <Own reload={reload} />
  return can(resource.actions.create) ? <Button type="primary" icon={<PlusOutlined />} onClick={onNew}>新增{resource.label}</Button> : null
}
