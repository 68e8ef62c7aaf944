import { Button, Drawer, Segmented } from 'antd'
import { useState } from 'react'
import { AssetPlayer } from '../../asset/door.tsx'
import { QuestionView } from '../../practice/door.tsx'
import { pagesOf, type CombinationItem } from '../items.ts'
import { targetKey, type CombinationEditing } from './use-combination.tsx'

/** Width of the phone on which most learners see it, in pixels. */
const PHONE = 390

/** A combination as learners see it: the published version, or what is being edited, page by page. */
export function PreviewDrawer({ editing, onClose }: { editing: CombinationEditing; onClose: () => void }) {
  const { content: { row }, items } = editing
  const [of, setOf] = useState<'now' | 'published'>('now')
  const [page, setPage] = useState(0)
  const pages = pagesOf(of === 'now' ? items : row.published ?? [])
  const at = Math.min(page, pages.length - 1)
  return (
    <Drawer open size={PHONE + 48} title={row.name} onClose={onClose}
      extra={row.version_no ? <Segmented size="small" value={of} onChange={setOf} options={[{ value: 'now', label: '正在编辑' }, { value: 'published', label: `已发布 v${row.version_no}` }]} /> : undefined}
      footer={<div className="combination-turn"><Button disabled={at === 0} onClick={() => setPage(at - 1)}>上一页</Button><span className="figure">{at + 1} / {pages.length}</span><Button disabled={at === pages.length - 1} onClick={() => setPage(at + 1)}>下一页</Button></div>}>
      <div className="combination-phone">{pages[at]?.map((item) => <PreviewItem key={item.key} item={item} editing={editing} />)}{pages[at]?.length === 0 && <p className="note">还没有内容</p>}</div>
    </Drawer>
  )
}

function PreviewItem({ item, editing: { content: { cards, files }, targets } }: { item: CombinationItem; editing: CombinationEditing }) {
  const target = targets.get(targetKey(item.kind, item.ref_id))
  const url = files[String(item.ref_id)]
  const title = item.title || target?.name
  const card = item.kind === 'practice' ? cards.find(({ id }) => id === item.ref_id) : undefined
  if (item.kind === 'text') return <article>{item.title !== '' && <h4>{item.title}</h4>}<p className="combination-text">{item.text}</p></article>
  if (card) return <article><QuestionView content={card.content} answer="folded" /></article>
  if (url !== undefined && item.kind === 'image') return <figure><img src={url} alt={title ?? ''} />{item.title !== '' && <figcaption>{item.title}</figcaption>}</figure>
  if (url !== undefined && (item.kind === 'video' || item.kind === 'audio')) return <article><h4>{title}</h4><AssetPlayer url={url} kind={item.kind} poster={target?.cover ?? undefined} /></article>
  return <article className="combination-card"><b>{title ?? '已被删除'}</b><small>{target?.note}{target && target.minutes > 0 && ` · ${target.minutes} 分钟`}</small>{url !== undefined && <a href={url} target="_blank" rel="noopener noreferrer">打开</a>}</article>
}
