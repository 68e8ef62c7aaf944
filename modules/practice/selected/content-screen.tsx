import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Button, Cascader, Checkbox, Drawer, Empty, Skeleton } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { choiceLabel } from '../../../core/field/choice.ts'
import { standardId } from '../../../core/grant/grant.ts'
import { useCan } from '../../../core/session/staff-context.tsx'
import { useWide } from '../../../core/ui/use-media.tsx'
import type { ProductLine } from '../../reference/module.ts'
import { SubjectSelect } from '../ui/subject-select.tsx'
import { useSubjects, useVersions } from '../ui/use-practice.tsx'
import { SET_GROUPS, SET_LINES, setProgress, type SetChapter } from './calls.ts'
import { SelectedPanel } from './selected-panel.tsx'
import '../ui/bank.css'
import '../label/label.css'

type Figures = SetChapter['groups'][number]

/** Groups that a line's lessons consist of: 例题, 精选, 深度练 (spec 3). */
const GROUPS = SET_GROUPS.filter(({ value }) => value <= 3)
const isShort = ({ n, target_n }: Figures) => target_n !== null && n < target_n
const own = ({ groups }: SetChapter) => groups.filter(({ group_key }) => GROUPS.some(({ value }) => value === group_key))

/** How far a set is: 例题 3/5. */
function Figure({ figures, onOpen }: { figures: Figures; onOpen: () => void }) {
  const name = choiceLabel(GROUPS, figures.group_key)
  const state = isShort(figures) ? 'short' : figures.n === 0 ? 'none' : 'full'
  return <button type="button" className="set-figure" data-state={state} onClick={onOpen} title={`${name} ${figures.n} 道${figures.target_n === null ? '' : `，目标 ${figures.target_n} 道`}`}>{name.slice(0, 1)} {figures.n}{figures.target_n === null ? '' : `/${figures.target_n}`}</button>
}

/** 内容管理: the chapters of a book with their sets at the left, the set that is chosen at the right. */
export function ContentScreen({ line: { code, level } }: { line: ProductLine }) {
  const can = useCan()
  const wide = useWide('lg')
  const [address, setAddress] = useSearchParams()
  const [missingOnly, setMissingOnly] = useState(false)
  const subjects = useSubjects(level)
  const subjectId = Number(address.get('cat_id')) || subjects[0]?.id
  const versions = useVersions(subjectId)
  const asked = Number(address.get('partwork_id')) || undefined
  const version = versions.find(({ partworks }) => partworks.some(({ id }) => id === asked)) ?? versions.find(({ partworks }) => partworks.length > 0)
  const bookId = version?.partworks.some(({ id }) => id === asked) ? asked : version?.partworks[0]?.id
  const selected = Number(address.get('id')) || undefined
  const group = Number(address.get('group')) || GROUPS[0]?.value || 1
  const { data, error, refetch } = useQuery({
    queryKey: ['selected-progress', code, bookId], enabled: bookId !== undefined, placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(setProgress, { partwork_id: String(bookId), product_line: code }, { signal, quiet: true }),
  })
  const go = (part: Readonly<Record<string, string | undefined>>) => {
    const next = new URLSearchParams(address)
    for (const [key, value] of Object.entries(part)) if (value === undefined) next.delete(key)
    else next.set(key, value)
    setAddress(next)
  }
  if (subjectId === undefined) return <Empty description="没有可以查看的学科" />
  const chapters = data?.chapters ?? []
  const shown = missingOnly ? chapters.filter((one) => own(one).some(isShort)) : chapters
  const sets = chapters.flatMap(own)
  const lacking = sets.filter(isShort)
  const at = chapters.find(({ id }) => id === selected)
  const panel = at && (
    <article className="label-panel" aria-label={`章节 ${at.name}`}>
      <header><small className="note">{version?.version} {version?.partworks.find(({ id }) => id === bookId)?.name} · 正式试题 {at.offered} 道</small><h2>{at.name}</h2></header>
      <SelectedPanel key={at.id} at={{ scope: 'chapter', id: at.id, subjectId, labelIds: [] }} mayEdit={can(standardId(SET_LINES.get(code) ?? 0, 'edit'))}
        only={{ line: code, group, onGroup: (next) => go({ group: String(next) }), onBuilt: () => refetch() }} />
    </article>
  )
  return (
    <div className="labels">
      <aside className="labels-tree" aria-label="教材目录">
        <SubjectSelect level={level} value={subjectId} onChange={(id) => go({ cat_id: String(id), partwork_id: undefined, id: undefined })} />
        {versions.length > 0 && (
          <Cascader className="wide" allowClear={false} aria-label="教材版本和册别" placeholder="选择教材" value={version && bookId ? [version.id, bookId] : []} showSearch
            options={versions.map((one) => ({ value: one.id, label: one.version, disabled: one.partworks.length === 0, children: one.partworks.map((book) => ({ value: book.id, label: book.name })) }))}
            onChange={(ids) => go({ partwork_id: String(ids[1]), id: undefined })} />
        )}
        {error && <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />}
        {bookId === undefined ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="该学科还没有教材" /> : !data && !error ? <Skeleton active /> : (
          <>
            <p className="note">已建 {sets.filter(({ n }) => n > 0).length} 组，{lacking.length === 0 ? '没有缺题' : `${lacking.length} 组缺题，共差 ${lacking.reduce((sum, { n, target_n }) => sum + (target_n ?? 0) - n, 0)} 道`} <Checkbox checked={missingOnly} onChange={(event) => setMissingOnly(event.target.checked)}>只看缺题</Checkbox></p>
            <ul className="set-chapters">
              {shown.map((one) => (
                <li key={one.id} data-current={one.id === selected} style={{ paddingInlineStart: one.depth * 14 }}>
                  <button type="button" className="set-name" onClick={() => go({ id: String(one.id) })} aria-current={one.id === selected}>{one.name}</button>
                  <span>{own(one).map((figures) => <Figure key={figures.group_key} figures={figures} onOpen={() => go({ id: String(one.id), group: String(figures.group_key) })} />)}</span>
                </li>
              ))}
            </ul>
            {shown.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={missingOnly ? '没有缺题的章节' : '本册还没有章节'} />}
          </>
        )}
      </aside>
      <div className="labels-main">{wide && (panel ?? <Empty description="选择一章，为它选例题、精选和深度练" />)}</div>
      {!wide && <Drawer open={at !== undefined} size="100%" title="精选题" onClose={() => go({ id: undefined })}>{panel}</Drawer>}
    </div>
  )
}
