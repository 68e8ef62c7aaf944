import { EyeOutlined, HistoryOutlined, LinkOutlined, PlusOutlined, RedoOutlined, UndoOutlined } from '@ant-design/icons'
import { useMutation } from '@tanstack/react-query'
import { App, Button, Drawer, Popconfirm, Result, Skeleton, Space, Tooltip } from 'antd'
import { useState } from 'react'
import { useParams } from 'react-router'
import { request } from '../../../core/endpoint/call.tsx'
import { StateWord } from '../../../core/field/choice.tsx'
import { useTabTitle } from '../../../core/shell/tabs-context.tsx'
import { useUndoKeys } from '../../../core/ui/use-undo-keys.tsx'
import { useWide } from '../../../core/ui/use-media.tsx'
import type { BlockTarget } from '../../outline/module.ts'
import { combination, COMBINATION_STATE, COMBINATION_STATES } from '../combination.ts'
import { MAX_ITEMS, newItem, pagesOf, place, type CombinationItem } from '../items.ts'
import { ItemList } from './item-list.tsx'
import { PreviewDrawer } from './preview-drawer.tsx'
import { UsesDrawer, VersionDrawer, WordsDialog } from './side-drawers.tsx'
import { SourcePane } from './source-pane.tsx'
import { targetKey, useCombination, type CombinationEditing } from './use-combination.tsx'
import './combination.css'

const SAVING = { saved: '已保存', saving: '正在保存…', failed: '未能保存' } as const

/** Puts one combination together: its pages at the left, where content comes from at the right. */
export default function CombinationScreen() {
  const id = Number(useParams()['id'])
  const { editing, error, reload } = useCombination(id)
  useTabTitle(editing?.content.row.name)
  if (editing) return <Editor key={id} editing={editing} />
  if (error) return <Result status="warning" title={error.message} extra={<Button onClick={() => void reload()}>重试</Button>} />
  return <Skeleton active paragraph={{ rows: 12 }} />
}

type Open = { readonly at: 'source' | 'preview' | 'versions' | 'uses' } | { readonly at: 'words'; readonly item: CombinationItem; readonly fresh?: true }

function Editor({ editing }: { editing: CombinationEditing }) {
  const { content: { row }, items, targets, change, saving } = editing
  const { message } = App.useApp()
  const wide = useWide('lg')
  const [open, setOpen] = useState<Open>()
  const [current, setCurrent] = useState<string>()
  const editable = row.can.includes('edit')
  const changed = (row.version_no ?? 0) > 0 && JSON.stringify(items) !== JSON.stringify(row.published ?? [])
  const minutes = items.reduce((sum, item) => sum + (targets.get(targetKey(item.kind, item.ref_id))?.minutes ?? 0), 0)

  useUndoKeys(editing, editable)

  /** Behind what is chosen, or at the end. */
  const behind = () => {
    const at = items.findIndex(({ key }) => key === current)
    return at < 0 ? undefined : items[at + 1]?.key
  }
  const insert = (item: CombinationItem, before: string | undefined, brought: readonly BlockTarget[] = []) => {
    if (items.length >= MAX_ITEMS) return void message.warning(`最多 ${MAX_ITEMS} 项内容，请拆成两个组合`)
    change(place(items, [item], before), brought)
    setCurrent(item.key)
  }
  const add = (target: BlockTarget, before = behind()) => insert(newItem({ kind: target.kind as CombinationItem['kind'], ref_id: target.id }), before, [target])
  const nudge = (item: CombinationItem, by: -1 | 1) => {
    const at = items.indexOf(item)
    if (items[at + by]) change(place(items, [item], by < 0 ? items[at - 1]?.key : items[at + 2]?.key))
  }
  const put = (item: CombinationItem) => change(items.map((one) => (one.key === item.key ? item : one)))
  const act = useMutation({
    mutationFn: (name: 'publish' | 'disable') => request('POST', `${combination.api.item}/${row.id}/${name}`, {}, { quiet: true }),
    onSuccess: async (_, name) => {
      void message.success(name === 'publish' ? '已发布' : '已停用')
      await editing.reload()
    },
    onError: (reason) => void message.error(reason.message, 5),
  })
  const source = <SourcePane editing={editing} onAdd={(target) => add(target)} onText={() => setOpen({ at: 'words', item: newItem({ kind: 'text', ref_id: 0 }), fresh: true })} />
  const close = () => setOpen(undefined)
  return (
    <div className="combination">
      <header className="combination-head">
        <div>
          <h1>{row.name}</h1>
          <StateWord choices={COMBINATION_STATES} value={row.state} />
          <span>{row.subject_name}</span>
          <span className="figure">{items.length} 项 · {pagesOf(items).length} 页 · {minutes} 分钟</span>
          {(row.version_no ?? 0) > 0 && <span className="figure">v{row.version_no}</span>}
          {changed && row.state === COMBINATION_STATE.live && <span className="combination-changed">有未发布的改动</span>}
        </div>
        <Space wrap size={8}>
          {editable && <span className="combination-saving" data-state={saving} aria-live="polite">{SAVING[saving]}</span>}
          {saving === 'failed' && <Button size="small" onClick={editing.retry}>重试</Button>}
          {editable && <Tooltip title="撤销（Ctrl Z）"><Button icon={<UndoOutlined />} aria-label="撤销" disabled={!editing.undo} onClick={editing.undo} /></Tooltip>}
          {editable && <Tooltip title="重做（Ctrl Shift Z）"><Button icon={<RedoOutlined />} aria-label="重做" disabled={!editing.redo} onClick={editing.redo} /></Tooltip>}
          <Button icon={<LinkOutlined />} onClick={() => setOpen({ at: 'uses' })}>引用</Button>
          <Button icon={<HistoryOutlined />} onClick={() => setOpen({ at: 'versions' })}>版本</Button>
          <Button icon={<EyeOutlined />} onClick={() => setOpen({ at: 'preview' })}>预览</Button>
          {row.can.includes('disable') && <Popconfirm title="停用这个组合？" description="停用后不能再被新内容引用，已引用的地方照常使用。" okText="停用" onConfirm={() => act.mutate('disable')}><Button>停用</Button></Popconfirm>}
          {row.can.includes('publish') && <Button type="primary" loading={act.isPending} disabled={saving !== 'saved' || (row.state === COMBINATION_STATE.live && !changed)} onClick={() => act.mutate('publish')}>发布</Button>}
        </Space>
      </header>
      {!editable && <p className="note">没有「素材组合 · 新增和编辑」权限，只能查看</p>}
      <div className="combination-sides" data-alone={!wide || !editable}>
        <main>
          <ItemList editing={editing} editable={editable} current={current} onCurrent={setCurrent} onNudge={nudge} onEdit={(item) => setOpen({ at: 'words', item })}
            onRemove={(item) => change(items.filter((one) => one !== item))} onPage={(item) => put({ ...item, page: !item.page })}
            onDrop={(dropped, before) => {
              if ('target' in dropped) return add(dropped.target, before)
              const moved = items.find(({ key }) => key === dropped.item)
              if (moved) change(place(items, [moved], before))
            }} />
          {editable && !wide && <Button block icon={<PlusOutlined />} onClick={() => setOpen({ at: 'source' })}>添加内容</Button>}
        </main>
        {editable && wide && <aside>{source}</aside>}
      </div>
      {open?.at === 'source' && <Drawer open placement="bottom" size="80%" title="添加内容" onClose={close}>{source}</Drawer>}
      {open?.at === 'preview' && <PreviewDrawer editing={editing} onClose={close} />}
      {open?.at === 'versions' && <VersionDrawer editing={editing} editable={editable} onClose={close} />}
      {open?.at === 'uses' && <UsesDrawer id={row.id} onClose={close} />}
      {open?.at === 'words' && <WordsDialog item={open.item} onClose={close} onSave={(item) => { close(); if (open.fresh) insert(item, behind()); else put(item) }} />}
    </div>
  )
}
