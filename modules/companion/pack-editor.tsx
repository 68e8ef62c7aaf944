import { ArrowDownOutlined, ArrowUpOutlined, DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Alert, Button, Empty, Input, InputNumber, Select, Space } from 'antd'
import { useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { Picker } from '../../core/field/reference.tsx'
import { resourceEndpoints, type WireRow } from '../../core/resource/endpoints.ts'
import { useCan } from '../../core/session/staff-context.tsx'
import { useSaid } from '../../core/undo/use-said.tsx'
import { audioAsset, documentAsset, videoAsset } from '../asset/module.ts'
import { useSend } from '../user/door.tsx'
import type { Companion } from './companion.ts'
import { ITEM_KINDS, minutesOf, type ItemKind, type PackItem } from './pack-item.ts'
import type { PackTerm } from './pack-term.ts'
import type { PackResource } from './pack.ts'
import './companion.css'

const ASSETS: Partial<Record<ItemKind, Parameters<typeof Picker>[0]['target']>> = { audio: audioAsset, video: videoAsset, document: documentAsset }
const newItem = (term: string): PackItem => ({ key: crypto.randomUUID(), term, kind: 'article', title: '', body: '', asset_id: null, paper_id: null, minutes: null })

function Item({ companion, item, terms, onChange }: { companion: Companion; item: PackItem; terms: readonly PackTerm[]; onChange: (item: PackItem) => void }) {
  const set = (part: Partial<PackItem>) => onChange({ ...item, ...part })
  const assets = ASSETS[item.kind]
  return (
    <div className="pack-item">
      <Space wrap>
        <Select<ItemKind> aria-label="类型" value={item.kind} options={[...ITEM_KINDS]} onChange={(kind) => set({ kind, asset_id: null, paper_id: null })} />
        <Input aria-label="标题" placeholder="标题" maxLength={60} value={item.title} onChange={(event) => set({ title: event.target.value })} />
        <Input aria-label="课次" placeholder="课次，如 第 1 课" maxLength={40} value={item.term} onChange={(event) => set({ term: event.target.value })} />
        <InputNumber aria-label="时长" min={0} max={600} suffix="分钟" value={item.minutes ?? null} placeholder={String(minutesOf(item))} onChange={(minutes) => set({ minutes })} />
      </Space>
      {terms.length > 0 && <Select<string[]> mode="multiple" className="wide" aria-label="用到的词条" placeholder="用到的词条" maxTagCount="responsive" showSearch={{ optionFilterProp: 'label' }} value={item.terms ?? []} options={terms.map(({ key, word }) => ({ value: key, label: word }))} onChange={(keys) => set({ terms: keys })} />}
      {assets && <Picker target={assets} label="素材" id={undefined} value={item.asset_id ?? undefined} onChange={(asset_id) => set({ asset_id })} />}
      {item.kind === 'paper' && <Picker target={companion.papers} label="试卷" id={undefined} value={item.paper_id ?? undefined} onChange={(paper_id) => set({ paper_id })} />}
      <Input.TextArea aria-label="正文" rows={item.kind === 'article' || item.kind === 'recite' ? 8 : 3} maxLength={20_000} showCount value={item.body} placeholder={item.kind === 'article' ? '正文' : '说明'} onChange={(event) => set({ body: event.target.value })} />
    </div>
  )
}

/** What a lesson pack holds: items in their order at the left, one of them at the right. */
export function PackEditor({ companion, pack, onSaved }: { companion: Companion; pack: WireRow<PackResource>; onSaved: () => void }) {
  const can = useCan()
  const said = useSaid()
  const [items, setItems] = useState<readonly PackItem[]>(pack.items ?? [])
  const [chosen, setChosen] = useState(items[0]?.key)
  const [dirty, setDirty] = useState(false)
  const { busy, problem, send } = useSend()
  const may = pack.can.includes('edit') && can(companion.packs.actions.update ?? 0)
  const change = (next: readonly PackItem[]) => { setItems(next); setDirty(true) }
  const index = items.findIndex(({ key }) => key === chosen)
  const current = items[index]
  const move = (by: 1 | -1) => {
    const next = [...items]
    const [one] = next.splice(index, 1)
    if (!one) return
    next.splice(Math.max(0, Math.min(next.length, index + by)), 0, one)
    change(next)
  }
  const save = () => send(async () => {
    const { update } = resourceEndpoints(companion.packs)
    if (!update) return
    const row = await call(update, { items, rev: pack.rev }, { params: { id: pack.id }, quiet: true })
    setDirty(false)
    said({ words: '内容已保存', undo: row.undo })
    onSaved()
  })
  const minutes = items.reduce((sum, item) => sum + minutesOf(item), 0)
  return (
    <div className="pack-editor">
      {problem}
      {pack.version && pack.version > 0 ? <Alert type="info" showIcon title={`当前版本 ${pack.version}。已布置的任务保持原版本，发布新版本后新任务使用新内容。`} /> : null}
      <div className="pack-panes">
        <div className="pack-list">
          <ol>{items.map((item) => (
            <li key={item.key} data-chosen={item.key === chosen}><button type="button" onClick={() => setChosen(item.key)}><span>{item.title || '未命名'}</span><small>{ITEM_KINDS.find(({ value }) => value === item.kind)?.label} · {item.term || '未分课次'} · {minutesOf(item)} 分钟</small></button></li>
          ))}</ol>
          {may && <Button icon={<PlusOutlined />} onClick={() => { const one = newItem(current?.term ?? ''); change([...items.slice(0, index + 1), one, ...items.slice(index + 1)]); setChosen(one.key) }}>添加内容</Button>}
          <p className="note">{items.length} 项 · 约 {minutes} 分钟</p>
        </div>
        <div className="pack-one">
          {current ? <>
            <fieldset disabled={!may}><Item key={current.key} companion={companion} item={current} terms={companion.kind.screens.terms ? (pack.terms ?? []) as PackTerm[] : []} onChange={(item) => change(items.map((one) => (one.key === item.key ? item : one)))} /></fieldset>
            {may && <Space>
              <Button icon={<ArrowUpOutlined />} disabled={index === 0} onClick={() => move(-1)}>上移</Button><Button icon={<ArrowDownOutlined />} disabled={index === items.length - 1} onClick={() => move(1)}>下移</Button>
              <Button danger icon={<DeleteOutlined />} onClick={() => { const next = items.filter(({ key }) => key !== current.key); change(next); setChosen(next[Math.min(index, next.length - 1)]?.key) }}>移除</Button>
            </Space>}
          </> : <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有内容" />}
        </div>
      </div>
      {may && <Button type="primary" disabled={!dirty} loading={busy} onClick={() => void save()}>保存内容</Button>}
    </div>
  )
}
