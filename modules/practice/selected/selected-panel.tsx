import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Empty, InputNumber, Segmented, Select, Skeleton, Space, Tag } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { choiceLabel } from '../../../core/field/choice.ts'
import { formatTime } from '../../../core/field/time.ts'
import { useUnsaved } from '../../../core/form/unsaved.tsx'
import { PRODUCT_LINES } from '../../reference/module.ts'
import type { PracticeCard } from '../bank/calls.ts'
import { levelOfSubject } from '../bank/number.ts'
import { DIFFICULTY_BANDS, difficultyBand, editorPath } from '../bank/practice.ts'
import { RichLine } from '../../../core/rich-text/rich-text.tsx'
import { TYPES } from '../content/question.ts'
import { PickDialog, searchSource } from '../similar/pick-dialog.tsx'
import { DifficultyTag } from '../ui/practice-card.tsx'
import { SortList } from '../ui/sort-list.tsx'
import { EVERY_LINE, MOST_SELECTED, rebuildSelected, selectedSets, SET_GROUPS, type Selected, type SelectedSet, type SetScope } from './calls.ts'

/** What the questions are chosen for. */
interface At {
  scope: SetScope
  id: number
  subjectId: number
  labelIds: readonly number[]
}

/** How many questions of each kind: 单选题 3 · 填空题 2. */
const tally = (names: readonly string[]) => [...new Set(names)].map((name) => `${name} ${names.filter((one) => one === name).length}`).join(' · ')

/** What the questions are together: types, difficulties, labels. */
function Summary({ items }: { items: readonly Selected[] }) {
  const labels = new Set(items.flatMap(({ practice }) => practice.labels.filter(({ kind }) => kind === 'knowledge').map(({ name }) => name)))
  return (
    <ul className="selected-summary note">
      <li>题型：{tally(items.map(({ practice }) => practice.category_name ?? choiceLabel(TYPES, practice.type)))}</li>
      <li>难度：{tally(DIFFICULTY_BANDS.flatMap(({ label }) => items.filter(({ practice }) => difficultyBand(practice.difficulty)?.label === label).map(() => label)))}</li>
      <li>知识点：{[...labels].join('、') || '无'}</li>
    </ul>
  )
}

function Group({ at, line, set, mayEdit, onBuilt }: { at: At; line: string; set: SelectedSet; mayEdit: boolean; onBuilt: () => Promise<unknown> }) {
  const { message } = App.useApp()
  const navigate = useNavigate()
  const [items, setItems] = useState<readonly Selected[]>(set.items)
  const [target, setTarget] = useState(set.target_n)
  const [adding, setAdding] = useState(false)
  const [busy, setBusy] = useState(false)
  const name = choiceLabel(SET_GROUPS, set.group_key)
  const idsOf = (list: readonly Selected[]) => list.map(({ practice }) => practice.id)
  const outdated = items.filter(({ practice, version_no }) => version_no !== practice.version_no).length
  const dirty = target !== set.target_n || idsOf(items).join() !== idsOf(set.items).join()
  useUnsaved(dirty, `${name}试题`)
  const save = async () => {
    setBusy(true)
    try {
      await call(rebuildSelected, { scope: at.scope, ref_id: at.id, product_line: line, group_key: set.group_key, version_no: set.version_no, target_n: target, practice_ids: idsOf(items) }, { keepEmpty: true })
      void message.success(`已保存 ${items.length} 道${name}试题`)
    } catch {
      // The shell has shown why.
    } finally {
      setBusy(false)
      await onBuilt()
    }
  }
  const add = async (rows: readonly PracticeCard[]) => setItems([...items, ...rows.map((practice) => ({ practice, version_no: practice.version_no, elsewhere: [] }))])
  const within = { cat_id: at.subjectId, pool: 'official' as const }
  return (
    <div className="rail-panel">
      <Space wrap>
        {mayEdit && <Button onClick={() => setAdding(true)} disabled={items.length >= MOST_SELECTED}>添加试题</Button>}
        {mayEdit && <Button type="primary" disabled={!dirty && outdated === 0} loading={busy} onClick={() => void save()}>保存</Button>}
        <span>共 {items.length} 道，目标 {mayEdit ? <InputNumber size="small" aria-label="目标题数" min={1} max={MOST_SELECTED} precision={0} placeholder="不限" value={target} onChange={setTarget} /> : target ?? '不限'}</span>
        {set.at !== null && <span className="note">第 {set.version_no} 版 · {set.staff_name ?? '系统'} · {formatTime(set.at).slice(0, 16)}</span>}
      </Space>
      {target !== null && items.length < target && <Alert type="info" title={`还差 ${target - items.length} 道`} />}
      {outdated > 0 && <Alert type="warning" title={`${outdated} 道题有新版本，保存后采用`} />}
      {items.length === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={`还没有${name}试题`} /> : (
        <>
          <Summary items={items} />
          <SortList items={items.map((one) => ({ ...one, id: one.practice.id, name: one.practice.no }))} onChange={(next) => { if (mayEdit) setItems(next.map(({ practice, version_no, elsewhere }) => ({ practice, version_no, elsewhere }))) }}>
            {({ practice, version_no, elsewhere }) => (
              <span className="selected-item">
                <span><Button size="small" type="link" onClick={() => void navigate(editorPath(practice.level, practice.pool, practice.id))}>{practice.no}</Button><DifficultyTag value={practice.difficulty} />
                  {version_no !== practice.version_no && <Tag color="warning">有新版本</Tag>}{elsewhere.map((place) => <Tag key={place} color="error">重复：{place}</Tag>)}
                  {mayEdit && <Button size="small" type="text" danger aria-label={`移除 ${practice.no}`} onClick={() => setItems(items.filter((one) => one.practice.id !== practice.id))}>移除</Button>}
                </span>
                <span className="bank-stem"><RichLine doc={practice.content.stem} /></span>
              </span>
            )}
          </SortList>
        </>
      )}
      {adding && (
        <PickDialog title={`添加${name}`} within={within} taken={idsOf(items)} onClose={() => setAdding(false)} onPick={add} sources={[
          searchSource('chapter', '本章试题', '本章还没有正式试题', { ...within, catalog_ids: [at.id] }),
          ...(at.labelIds.length > 0 ? [searchSource('label', '本章知识点', '没有这些知识点的正式试题', { ...within, label_ids: [...at.labelIds] })] : []),
          searchSource('basket', '试题篮', '试题篮里没有本学科的正式试题', { ...within, basket: 1 }),
        ]} />
      )}
    </div>
  )
}

/** Questions that were chosen for a chapter or a label, for all lines of products or for one: each kind in its order (domain 3.6). */
export function SelectedPanel({ at, mayEdit }: { at: At; mayEdit: boolean }) {
  const client = useQueryClient()
  const [group, setGroup] = useState<number>(SET_GROUPS[0].value)
  const [line, setLine] = useState<string>(EVERY_LINE)
  const lines = PRODUCT_LINES.filter(({ level }) => level === levelOfSubject(at.subjectId))
  const queryKey = ['selected-sets', at.scope, at.id, line]
  const { data, error, isPending, refetch } = useQuery({ queryKey, queryFn: ({ signal }) => call(selectedSets, { scope: at.scope, ref_id: String(at.id), product_line: line }, { signal, quiet: true, keepEmpty: true }) })
  const set = data?.sets.find(({ group_key }) => group_key === group)
  return (
    <div className="rail-panel">
      <Space wrap>
        <Segmented aria-label="习题类型" value={group} onChange={setGroup} options={SET_GROUPS.map(({ value, label }) => ({ value: value as number, label: `${label} ${data?.sets.find(({ group_key }) => group_key === value)?.items.length || ''}` }))} />
        {lines.length > 0 && <Select aria-label="产品线" value={line} onChange={setLine} options={[{ value: EVERY_LINE, label: '全部产品线' }, ...lines.map(({ code, name }) => ({ value: code, label: name }))]} popupMatchSelectWidth={false} />}
      </Space>
      {error ? <Alert type="error" title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} /> : isPending ? <Skeleton active />
        : set && <Group key={`${line} ${group} ${set.version_no}`} at={at} line={line} set={set} mayEdit={mayEdit} onBuilt={() => client.invalidateQueries({ queryKey })} />}
    </div>
  )
}
