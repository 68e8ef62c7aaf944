import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Drawer, Empty, Form, Input, Modal, Skeleton } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { formatTime } from '../../../core/field/time.ts'
import { combinationUses, combinationVersions } from '../calls.ts'
import { pagesOf, type CombinationItem } from '../items.ts'
import { targetKey, type CombinationEditing } from './use-combination.tsx'

/** Versions that were published, what each holds, and the way back to it. */
export function VersionDrawer({ editing, editable, onClose }: { editing: CombinationEditing; editable: boolean; onClose: () => void }) {
  const { content: { row, kinds }, items, change } = editing
  const { message } = App.useApp()
  const { data, error, refetch } = useQuery({ queryKey: ['combination-versions', row.id, row.version_no], queryFn: ({ signal }) => call(combinationVersions, undefined, { params: { id: row.id }, signal, quiet: true }) })
  const names = new Map((data?.targets ?? []).map((target) => [targetKey(target.kind, target.id), target.name]))
  const label = (kind: string) => kinds.find((one) => one.kind === kind)?.label ?? '内容'
  return (
    <Drawer open size={560} title="版本" onClose={onClose}>
      {error && <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />}
      {!data && !error && <Skeleton active />}
      {data?.items.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有发布过" />}
      <ol className="combination-versions">
        {data?.items.map((version) => {
          const own = new Set(version.items.map((item) => JSON.stringify(item)))
          const now = new Set(items.map((item) => JSON.stringify(item)))
          const same = JSON.stringify(version.items) === JSON.stringify(items)
          return (
            <li key={version.no}>
              <p><b>v{version.no}{version.no === row.version_no && ' · 正在使用'}</b> <span>{version.items.length} 项 · {pagesOf(version.items).length} 页</span> <small>{version.staff_name ?? '系统'} {formatTime(version.at).slice(0, 16)}</small>
                {editable && !same && <Button size="small" onClick={() => { change(version.items, data.targets); void message.success(`已恢复为 v${version.no} 的内容，发布后生效`); onClose() }}>恢复为此版</Button>}</p>
              <ul>
                {version.items.filter((item) => !now.has(JSON.stringify(item))).map((item) => <li key={item.key}><s>{label(item.kind)}</s> {item.title || names.get(targetKey(item.kind, item.ref_id)) || item.text.slice(0, 30)} <small>现在没有或已修改</small></li>)}
                {items.filter((item) => !own.has(JSON.stringify(item))).map((item) => <li key={`+${item.key}`}><em>{label(item.kind)}</em> {item.title || editing.targets.get(targetKey(item.kind, item.ref_id))?.name || item.text.slice(0, 30)} <small>此版之后加入或修改</small></li>)}
                {same && <li><small>与正在编辑的内容相同</small></li>}
              </ul>
            </li>
          )
        })}
      </ol>
    </Drawer>
  )
}

/** Where a combination is used. */
export function UsesDrawer({ id, onClose }: { id: number; onClose: () => void }) {
  const { data, error, refetch } = useQuery({ queryKey: ['combination-uses', id], queryFn: ({ signal }) => call(combinationUses, undefined, { params: { id }, signal, quiet: true }) })
  return (
    <Drawer open size={480} title={data ? `引用（${data.total}）` : '引用'} onClose={onClose}>
      {error && <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />}
      {!data && !error && <Skeleton active />}
      {data?.total === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有被使用" />}
      <ul className="combination-uses">
        {data?.items.map(({ kind, title, path, live }) => <li key={`${kind} ${title}`}><small>{kind}</small> {path ? <Link to={path}>{title}</Link> : title}{live && <em>学员可见</em>}</li>)}
        {data && data.total > data.items.length && <li><small>另有 {data.total - data.items.length} 处不在您的权限内</small></li>}
      </ul>
    </Drawer>
  )
}

/** The words of an item: its title, and of a text what stands below it. */
export function WordsDialog({ item, onSave, onClose }: { item: CombinationItem; onSave: (item: CombinationItem) => void; onClose: () => void }) {
  const [title, setTitle] = useState(item.title)
  const [text, setText] = useState(item.text)
  const isText = item.kind === 'text'
  const empty = isText && title.trim() === '' && text.trim() === ''
  return (
    <Modal open title={isText ? '文字' : '标题'} okText="保存" okButtonProps={{ disabled: empty }} onCancel={onClose} onOk={() => onSave({ ...item, title: title.trim(), text })}>
      <Form layout="vertical">
        <Form.Item label="标题" htmlFor="combination-title" {...(!isText && { extra: '不填则用内容自己的名称' })}><Input id="combination-title" maxLength={80} showCount value={title} onChange={(event) => setTitle(event.target.value)} /></Form.Item>
        {isText && <Form.Item label="正文" htmlFor="combination-text"><Input.TextArea id="combination-text" rows={8} maxLength={2000} showCount value={text} onChange={(event) => setText(event.target.value)} /></Form.Item>}
      </Form>
    </Modal>
  )
}
