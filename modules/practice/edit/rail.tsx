import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Empty, Skeleton, Tabs, Tag, Timeline } from 'antd'
import { useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { formatTime } from '../../../core/field/time.ts'
import type { PracticeDetail } from '../bank/calls.ts'
import { editorPath } from '../bank/practice.ts'
import { QuestionView } from '../content/render.tsx'
import { selectLabels, type NamedLabel } from '../label/calls.ts'
import { selectCatalogs } from '../textbook/calls.ts'
import { CatalogTree } from '../ui/catalog-tree.tsx'
import { LabelTree } from '../ui/label-tree.tsx'
import { ScanPane } from '../ui/scan-pane.tsx'
import { practiceVersion, practiceVersions, restoreVersion, type Alike, type Written } from './calls.ts'
import { SuggestedFacts } from '../suggest/suggested-facts.tsx'
import { PartView } from './merge-written.tsx'
import { storedTabs } from './rail-tabs.tsx'
import { changedParts, PARTS, writtenOf } from './written.ts'

const KIND_NAMES = { same: '重复', suspected: '疑似重复', variant: '变式' } as const
const KIND_TONES = { same: 'error', suspected: 'warning', variant: 'processing' } as const

interface LabelProps {
  written: Written
  editable: boolean
  onChange: (part: Partial<Written>) => void
}

/** The labels of a question: one of knowledge is the main one. */
export function LabelsPanel({ written, editable, onChange }: LabelProps) {
  const [kind, setKind] = useState<'knowledge' | 'practice'>('knowledge')
  const ids = written.labels.map(({ id }) => id)
  const { data } = useQuery({ queryKey: ['select-labels', ids], enabled: ids.length > 0, staleTime: 300_000, placeholderData: keepPreviousData, queryFn: ({ signal }) => call(selectLabels, { ids: ids.map(String) }, { signal }) })
  const named = ids.flatMap((id): NamedLabel[] => data?.labels.filter((label) => label.id === id) ?? [])
  const toggle = (id: number) => {
    const has = ids.includes(id)
    const rest = written.labels.filter((label) => label.id !== id)
    const hadMain = rest.some(({ main }) => main)
    onChange({ labels: has ? rest.map((label, index) => ({ ...label, main: hadMain ? label.main : index === 0 })) : [...rest, { id, main: !hadMain && kind === 'knowledge' }] })
  }
  return (
    <div className="rail-panel">
      <ul className="rail-labels">
        {named.map((label) => {
          const main = written.labels.some((one) => one.id === label.id && one.main)
          return (
            <li key={label.id}>
              <span><b>{label.name}</b><small>{label.above.join(' › ')}</small></span>
              {label.kind === 'knowledge' && (main ? <Tag color="processing">主</Tag> : editable && <Button size="small" type="link" onClick={() => onChange({ labels: written.labels.map((one) => ({ ...one, main: one.id === label.id })) })}>设为主</Button>)}
              {editable && <Button size="small" type="text" danger aria-label={`去掉 ${label.name}`} onClick={() => toggle(label.id)}>×</Button>}
            </li>
          )
        })}
        {ids.length === 0 && <li className="none">还没有标签，至少需要一个知识点</li>}
      </ul>
      {editable && (
        <Tabs size="small" activeKey={kind} onChange={(key) => setKind(key as 'knowledge')} destroyOnHidden items={(['knowledge', 'practice'] as const).map((one) => ({
          key: one, label: one === 'knowledge' ? '知识点' : '题目标签',
          children: <LabelTree kind={one} subjectId={written.facts.subject_id} multiple height={360} selected={ids} onSelect={(next) => {
            const changed = next.find((id) => !ids.includes(id)) ?? ids.find((id) => !next.includes(id))
            if (changed !== undefined) toggle(changed)
          }} />,
        }))} />
      )}
    </div>
  )
}

/** The chapters that a question belongs to. */
export function ChaptersPanel({ written, editable, onChange }: LabelProps) {
  const ids = written.chapter_ids
  const { data } = useQuery({ queryKey: ['select-catalogs', ids], enabled: ids.length > 0, staleTime: 300_000, placeholderData: keepPreviousData, queryFn: ({ signal }) => call(selectCatalogs, { ids: ids.map(String) }, { signal }) })
  return (
    <div className="rail-panel">
      <ul className="rail-labels">
        {(ids.length > 0 ? data?.catalogs ?? [] : []).filter(({ id }) => ids.includes(id)).map(({ id, name, above }) => (
          <li key={id}>
            <span><b>{name}</b><small>{above.join(' › ')}</small></span>
            {editable && <Button size="small" type="text" danger aria-label={`去掉 ${name}`} onClick={() => onChange({ chapter_ids: ids.filter((one) => one !== id) })}>×</Button>}
          </li>
        ))}
        {ids.length === 0 && <li className="none">还没有章节</li>}
      </ul>
      {editable && <CatalogTree subjectId={written.facts.subject_id} selected={ids} multiple height={360} onSelect={(next) => onChange({ chapter_ids: next })} />}
    </div>
  )
}

/** Questions like this one, found while it is typed. */
export function AlikePanel({ items, searching, level }: { items: readonly Alike[]; searching: boolean; level: number }) {
  const navigate = useNavigate()
  if (items.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={searching ? '正在查找…' : '没有相似的试题'} />
  return (
    <div className="rail-panel">
      {items.map(({ practice, kind, score }) => (
        <section key={practice.id} className="rail-alike">
          <header><Tag color={KIND_TONES[kind]}>{KIND_NAMES[kind]} {Math.round(score * 100)}%</Tag><Button size="small" type="link" onClick={() => void navigate(editorPath(level, practice.pool, practice.id))}>{practice.no}</Button></header>
          <QuestionView content={practice.content} answer="folded" />
        </section>
      ))}
    </div>
  )
}

/** Every saved state of a question: what it changed, and a way back. */
function VersionsPanel({ detail, editable, onRestored }: { detail: PracticeDetail; editable: boolean; onRestored: (detail: PracticeDetail) => void }) {
  const { message, modal } = App.useApp()
  const [open, setOpen] = useState<number>()
  const params = { id: detail.id }
  const { data, isPending, error } = useQuery({ queryKey: ['practice', detail.id, 'versions', detail.rev], queryFn: ({ signal }) => call(practiceVersions, undefined, { params, signal }) })
  const one = useQuery({ queryKey: ['practice', detail.id, 'version', open], enabled: open !== undefined, staleTime: Infinity, queryFn: ({ signal }) => call(practiceVersion, undefined, { params: { ...params, no: open ?? 0 }, signal }) })
  const now = writtenOf(detail)
  if (error) return <Alert type="error" title={error.message} />
  if (isPending) return <Skeleton active />
  const restore = (no: number) => modal.confirm({
    title: `恢复到版本 ${no}？`, content: '现在的内容会保留为一个历史版本。', okText: '恢复',
    onOk: async () => {
      onRestored(await call(restoreVersion, { rev: detail.rev }, { params: { ...params, no } }))
      void message.success(`已恢复到版本 ${no}`)
    },
  })
  return (
    <Timeline items={data.items.map((version) => ({
      key: version.version_no, color: version.published ? 'green' : 'blue',
      content: (
        <div className="rail-version">
          <div><b>版本 {version.version_no}</b>{version.published && <Tag color="success">发布</Tag>}　{version.staff_name ?? '系统'}　<time className="figure">{formatTime(version.at).slice(0, 16)}</time></div>
          {version.note && <div className="note">{version.note}</div>}
          <Button size="small" type="link" onClick={() => setOpen(open === version.version_no ? undefined : version.version_no)}>{open === version.version_no ? '收起' : '与现在比较'}</Button>
          {editable && version.version_no !== detail.version_no && <Button size="small" type="link" onClick={() => restore(version.version_no)}>恢复</Button>}
          {open === version.version_no && one.data && <Difference before={one.data.snapshot} after={now} />}
        </div>
      ),
    }))} />
  )
}

/** Where two states of a question differ, side by side. */
export function Difference({ before, after, names = ['那时', '现在'] }: { before: Written; after: Written; names?: readonly [string, string] }): ReactNode {
  const parts = changedParts(before, after)
  if (parts.length === 0) return <p className="note">没有不同</p>
  return (
    <div className="merge-list">
      {parts.map((name) => (
        <section key={name}>
          <h4>{PARTS[name]}</h4>
          <div className="merge-sides"><div><small>{names[0]}</small><PartView written={before} name={name} /></div><div><small>{names[1]}</small><PartView written={after} name={name} /></div></div>
        </section>
      ))}
    </div>
  )
}

interface Props {
  level: number
  written: Written
  /** The stored question; absent while it is new. */
  detail: PracticeDetail | undefined
  editable: boolean
  alike: { items: readonly Alike[]; searching: boolean }
  onChange: (part: Partial<Written>) => void
  onRestored: (detail: PracticeDetail) => void
}

/** Everything beside the text: how it looks, where it belongs, what is like it, what became of it. */
export function Rail({ level, written, detail, editable, alike, onChange, onRestored }: Props) {
  const warned = alike.items.filter(({ kind }) => kind !== 'variant').length
  const { scans } = written.facts
  // What is typed from an original is typed beside it, until somebody chooses something else.
  const [chosen, setChosen] = useState<string>()
  const first = scans.length > 0 ? 'scan' : 'preview'
  return (
    <Tabs className="edit-rail" size="small" activeKey={chosen === undefined || (chosen === 'scan' && scans.length === 0) ? first : chosen} onChange={setChosen} items={[
      ...(scans.length > 0 ? [{ key: 'scan', label: '原题', destroyOnHidden: true, children: <ScanPane scans={scans} /> }] : []),
      { key: 'preview', label: '预览', children: <div className="rail-preview"><QuestionView content={written.content} answer="folded" /></div> },
      { key: 'labels', label: `标签${written.labels.length > 0 ? ` ${written.labels.length}` : ''}`, children: <>{editable && <SuggestedFacts level={level} written={written} exceptId={detail?.id} onChange={onChange} />}<LabelsPanel written={written} editable={editable} onChange={onChange} /></>, forceRender: true },
      { key: 'chapters', label: '章节', children: <ChaptersPanel written={written} editable={editable} onChange={onChange} /> },
      { key: 'alike', label: <>相似{warned > 0 && <Tag color="error" className="rail-count">{warned}</Tag>}</>, children: <AlikePanel {...alike} level={level} /> },
      ...(detail ? [{ key: 'versions', label: '版本', children: <VersionsPanel detail={detail} editable={editable} onRestored={onRestored} /> }, ...storedTabs(detail)] : []),
    ]} />
  )
}
