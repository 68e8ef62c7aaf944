import { MobileOutlined, RedoOutlined, UndoOutlined } from '@ant-design/icons'
import { App, Button, Popconfirm, Segmented, Space, Tooltip } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import { request } from '../../../core/endpoint/call.tsx'
import { standardId } from '../../../core/grant/grant.ts'
import { useCan } from '../../../core/session/staff-context.tsx'
import { useIsFront } from '../../../core/ui/front.tsx'
import { usePageKeys } from '../../../core/ui/use-page-keys.tsx'
import type { BlockTarget } from '../../outline/module.ts'
import { bookPage } from '../book-page.ts'
import { LAYERS, newSpot, nextUnbound, warningsOf, type Hotspot } from '../hotspot.ts'
import { PageCanvas } from './page-canvas.tsx'
import { PhonePreview } from './phone-preview.tsx'
import { SpotPanel } from './spot-panel.tsx'
import { savePage, useSpots, type PageRow } from './use-spots.tsx'

const targetKey = ({ kind, ref_id }: Pick<Hotspot, 'kind' | 'ref_id'>) => `${kind} ${ref_id}`

interface Props {
  readonly bookId: number
  readonly page: PageRow
  /** The page before it, whose layout it may take. */
  readonly before: PageRow | undefined
  readonly targets: readonly BlockTarget[]
  readonly editable: boolean
  readonly reload: () => Promise<void>
}

/** One page: its places at the left, what the chosen one is at the right. */
export function PageEditor({ bookId, page, before, targets, editable, reload }: Props) {
  const { message } = App.useApp()
  const can = useCan()
  const isFront = useIsFront()
  const editing = useSpots({ page_no: page.page_no, spots: (page.hotspots ?? []) as Hotspot[], save: savePage(page), saved: () => void reload() })
  const { spots, change } = editing
  const [chosen, setChosen] = useState<string>()
  const [layer, setLayer] = useState(1)
  const [preview, setPreview] = useState(false)
  const [brought, setBrought] = useState<readonly BlockTarget[]>([])
  const known = new Map([...targets, ...brought].map((target) => [targetKey({ kind: target.kind as Hotspot['kind'], ref_id: target.id }), target]))
  const targetOf = (spot: Hotspot) => known.get(targetKey(spot))
  const nameOf = (spot: Hotspot) => `${LAYERS.find(({ value }) => value === spot.layer)?.label ?? ''}${spot.no === '' ? '' : ` ${spot.no}`}：${spot.ref_id === null ? '未绑定' : targetOf(spot)?.name ?? '已被删除'}`
  const spot = spots.find(({ key }) => key === chosen)
  const warnings = warningsOf(spots)
  const next = () => {
    const found = nextUnbound(spots, chosen)
    if (found) setChosen(found.key)
    else void message.info('本页热区都已绑定')
  }
  usePageKeys(editable ? { n: next } : {})
  const keys = useEffectEvent((event: KeyboardEvent) => {
    if (!isFront() || !editable || !(event.ctrlKey || event.metaKey) || (event.target as HTMLElement).closest('input, textarea')) return
    const key = event.key.toLowerCase()
    const act = key === 's' ? (editing.dirty ? () => void editing.save() : () => undefined) : key === 'z' ? (event.shiftKey ? editing.redo : editing.undo) : undefined
    if (!act) return
    event.preventDefault()
    act()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => keys(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
  const remove = async () => {
    try {
      await request('DELETE', `${bookPage.api.item}/${page.id}`, undefined, { quiet: true })
      void message.success(`已删除第 ${page.page_no} 页`)
      await reload()
    } catch (error) {
      void message.error(error instanceof Error ? error.message : '删除失败', 5)
    }
  }
  const layout = ((before?.hotspots ?? []) as Hotspot[])
  return (
    <div className="page-editor">
      <main>
        <div className="pages-line">
          <Segmented aria-label="新热区的图层" size="small" disabled={!editable} value={layer} onChange={setLayer} options={LAYERS.map(({ value, label }) => ({ value, label }))} />
          <Space wrap size={8}>
            {editable && <Tooltip title="撤销（Ctrl Z）"><Button icon={<UndoOutlined />} aria-label="撤销" disabled={!editing.undo} onClick={editing.undo} /></Tooltip>}
            {editable && <Tooltip title="重做（Ctrl Shift Z）"><Button icon={<RedoOutlined />} aria-label="重做" disabled={!editing.redo} onClick={editing.redo} /></Tooltip>}
            {editable && before && <Button disabled={spots.length > 0 || layout.length === 0} onClick={() => change(layout.map((one) => newSpot({ x: one.x, y: one.y, w: one.w, h: one.h }, one.layer)))}>套用上一页版式</Button>}
            <Button icon={<MobileOutlined />} onClick={() => setPreview(true)}>手机预览</Button>
            {can(standardId(bookPage.grant, 'remove')) && <Popconfirm title={`删除第 ${page.page_no} 页？`} description="页面和它的热区一起删除，可在回收站恢复。" okText="删除" onConfirm={() => void remove()}><Button danger>删除本页</Button></Popconfirm>}
            {editable && <Button type="primary" loading={editing.busy} disabled={!editing.dirty} onClick={() => void editing.save()}>保存</Button>}
          </Space>
        </div>
        {editable && <p className="note">在页面上拖动画出热区；方向键移动，Shift 加快，Alt 加方向键改大小，按住 Alt 拖动复制，Delete 删除</p>}
        <PageCanvas image={page.image} alt={`第 ${page.page_no} 页`} editing={editing} editable={editable} layer={layer} chosen={chosen} onChoose={setChosen} nameOf={nameOf} />
      </main>
      <aside>
        {spot ? (
          <SpotPanel key={spot.key} bookId={bookId} spot={spot} bound={targetOf(spot)} editable={editable} onNext={next}
            onChange={(value, target) => { change(spots.map((one) => (one.key === value.key ? value : one))); if (target) setBrought((list) => [...list, target]) }}
            onRemove={() => { change(spots.filter(({ key }) => key !== spot.key)); setChosen(undefined) }} />
        ) : <p className="note">选择一个热区查看和绑定内容</p>}
        <h3>检查{warnings.length > 0 ? `（${warnings.length}）` : ''}</h3>
        {warnings.length === 0 ? <p className="note">{spots.length === 0 ? '本页还没有热区' : '没有问题'}</p> : <ul className="page-warnings">{warnings.map(({ key, words }) => <li key={`${key} ${words}`}><button type="button" onClick={() => setChosen(key)}>{words}</button></li>)}</ul>}
      </aside>
      {preview && <PhonePreview image={page.image} title={`第 ${page.page_no} 页`} spots={spots} targetOf={targetOf} onClose={() => setPreview(false)} />}
    </div>
  )
}
