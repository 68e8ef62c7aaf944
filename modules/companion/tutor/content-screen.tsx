import { useQuery } from '@tanstack/react-query'
import { Button, Empty, Input } from 'antd'
import { useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { companionEndpoints, type SharedPack } from '../calls.ts'
import type { Companion } from '../companion.ts'
import { ITEM_KINDS, minutesOf, type ItemKind, type PackItem } from '../pack-item.ts'
import type { PackTerm } from '../pack-term.ts'
import { TermsView } from '../terms/terms-view.tsx'
import { NewTaskDialog } from './new-task-dialog.tsx'
import { minute, Waiting } from './tutor-parts.tsx'
import '../companion.css'
import '../terms/terms.css'

/** What kind of task an item of a pack makes. */
const TASK_OF: Readonly<Record<ItemKind, string>> = { article: 'read', audio: 'read', video: 'video', document: 'read', paper: 'paper', recite: 'recite' }

/** What a learner is asked to do with an item: its text, and the terms that it uses. */
const bodyOf = (item: PackItem, terms: readonly PackTerm[]) => [item.body, terms.length > 0 ? `词条：${terms.map(({ word }) => word).join('、')}` : ''].filter(Boolean).join('\n').slice(0, 1000)

/** One pack as learners see it, by its lessons; an item becomes a task with a click. */
function Pack({ companion, id }: { companion: Companion; id: number }) {
  const calls = companionEndpoints(companion)
  const { data, error, refetch } = useQuery({ queryKey: ['shared-pack', companion.kind.value, id], queryFn: ({ signal }) => call(calls.packs, { lesson_pack_id: id }, { signal, quiet: true }) })
  const [setting, setSetting] = useState<PackItem>()
  const [shown, setShown] = useState<string>()
  // spec 4: the detail is the first of lesson_packs.
  const pack = data?.lesson_packs[0]
  if (!pack) return <Waiting error={error} />
  const lessons = [...Map.groupBy(pack.items ?? [], ({ term }) => term || '未分课次')]
  const [all, assets] = [pack.terms ?? [], pack.assets ?? []]
  const usedBy = (items: readonly PackItem[]) => all.filter(({ key }) => items.some(({ terms }) => terms?.includes(key)))
  const loose = all.filter(({ key }) => !(pack.items ?? []).some(({ terms }) => terms?.includes(key)))
  return (
    <div>
      <h2>{pack.name}</h2><p className="note">{pack.subject_name} · {pack.season ?? ''} · 版本 {pack.version}</p>
      {pack.note && <p>{pack.note}</p>}
      {lessons.map(([term, items]) => <section key={term}><h3>{term}</h3><ul className="plain">{items.map((item) => (
        <li key={item.key} className="pack-line">
          <button type="button" className="link" aria-expanded={shown === item.key} onClick={() => setShown(shown === item.key ? undefined : item.key)}>{item.title}</button> <span className="note">{ITEM_KINDS.find(({ value }) => value === item.kind)?.label} · {minutesOf(item)} 分钟</span>
          <Button size="small" onClick={() => setSetting(item)}>布置</Button>
          {shown === item.key && <><p className="preview">{item.body || '没有正文'}</p><TermsView terms={usedBy([item])} assets={assets} /></>}
        </li>
      ))}</ul>{usedBy(items).length > 0 && <p className="note">词条：{usedBy(items).map(({ word }) => word).join('、')}</p>}</section>)}
      {loose.length > 0 && <section><h3>其他词条</h3><TermsView terms={loose} assets={assets} /></section>}
      {(pack.used ?? []).length > 0 && <section><h3>布置过的任务</h3><ul className="plain">{pack.used?.map(({ task_id, title, at }) => <li key={task_id}>{title} <span className="note">{minute(at)}</span></li>)}</ul></section>}
      {setting && <NewTaskDialog companion={companion} pack={{ id: pack.id, name: pack.name }} start={{ title: setting.title, task_kind: TASK_OF[setting.kind], ...(setting.paper_id && { paper_id: setting.paper_id }), ...(bodyOf(setting, usedBy([setting])) && { body: bodyOf(setting, usedBy([setting])) }) }} onClose={() => setSetting(undefined)} onDone={() => void refetch()} />}
    </div>
  )
}

/** 任务内容: packs on the shelf, seen as learners see them, and given to one's own learners. */
export const contentScreen = (companion: Companion) => function TutorContent() {
  const calls = companionEndpoints(companion)
  const [keyword, setKeyword] = useState('')
  const [chosen, setChosen] = useState<number>()
  const { data, error } = useQuery({ queryKey: ['shared-packs', companion.kind.value, keyword], queryFn: ({ signal }) => call(calls.packs, keyword ? { keyword } : {}, { signal, quiet: true }), placeholderData: (before) => before })
  if (!data) return <section className="page-body"><Waiting error={error} /></section>
  const id = chosen ?? data.lesson_packs[0]?.id
  return (
    <section className="page-body tutor-thread" aria-label="任务内容">
      <nav aria-label="资料包">
        <Input.Search allowClear placeholder="资料包名称" aria-label="资料包名称" onSearch={setKeyword} />
        <ul className="plain">{data.lesson_packs.map((pack: SharedPack) => <li key={pack.id} data-chosen={pack.id === id}><button type="button" onClick={() => setChosen(pack.id)}><span>{pack.name}</span><small>{pack.subject_name} · {pack.item_cnt} 项</small></button></li>)}</ul>
      </nav>
      {id === undefined ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有上架的资料包" /> : <Pack key={id} companion={companion} id={id} />}
    </section>
  )
}
