import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Drawer, Empty, InputNumber, Segmented, Select, Skeleton, Space, Tag } from 'antd'
import { useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { choiceLabel } from '../../../core/field/choice.ts'
import { formatTime } from '../../../core/field/time.ts'
import { useUnsaved } from '../../../core/form/unsaved.tsx'
import { useCan } from '../../../core/session/staff-context.tsx'
import { PRODUCT_LINES } from '../../reference/module.ts'
import type { PracticeCard } from '../bank/calls.ts'
import { levelOfSubject } from '../bank/number.ts'
import { bankScreen, DIFFICULTY_BANDS, difficultyBand, editorPath } from '../bank/practice.ts'
import { QuestionView } from '../content/render.tsx'
import { RichLine } from '../../../core/rich-text/rich-text.tsx'
import { TYPES } from '../content/question.ts'
import { PickDialog, searchSource } from '../similar/pick-dialog.tsx'
import { DifficultyTag } from '../ui/practice-card.tsx'
import { SortList } from '../ui/sort-list.tsx'
import { EVERY_LINE, MOST_SELECTED, proposeSelected, rebuildSelected, selectedSets, SET_GROUPS, type Selected, type SelectedSet, type SetScope } from './calls.ts'

/** What the questions are chosen for. */
interface At {
  scope: SetScope
  id: number
  subjectId: number
  labelIds: readonly number[]
}

/** Groups that the sets of a line or a book consist of: 例题, 精选, 深度练 (spec 3). */
const LINE_GROUPS: readonly number[] = [1, 2, 3]

/** How many questions of each kind: 单选题 3 · 填空题 2. */
const tally = (names: readonly string[]) => [...new Set(names)].map((name) => `${name} ${names.filter((one) => one === name).length}`).join(' · ')

/** How hard the questions are together: hard ones at the left. */
function DifficultyBar({ items }: { items: readonly Selected[] }) {
  const parts = DIFFICULTY_BANDS.map(({ label, tone }) => ({ label, tone, n: items.filter(({ practice }) => difficultyBand(practice.difficulty)?.label === label).length })).filter(({ n }) => n > 0)
  return (
    <span className="selected-bar" role="img" aria-label={`难度：${parts.map(({ label, n }) => `${label} ${n}`).join('，') || '未定'}`}>
      {parts.map(({ label, tone, n }) => <span key={label} data-tone={tone} style={{ flexGrow: n }} title={`${label} ${n} 道`} />)}
    </span>
  )
}

/** The set as its learners get it. */
function Preview({ name, items, onClose }: { name: string; items: readonly Selected[]; onClose: () => void }) {
  const [answers, setAnswers] = useState(false)
  return (
    <Drawer open size={720} title={`预览卷面 · ${name}`} onClose={onClose} extra={<Button onClick={() => setAnswers(!answers)}>{answers ? '隐藏答案' : '显示答案'}</Button>}>
      {items.map(({ practice }, at) => <QuestionView key={practice.id} content={practice.content} number={at + 1} answer={answers ? 'shown' : 'none'} />)}
    </Drawer>
  )
}

/** What the questions are together: types, difficulties, labels. */
function Summary({ items }: { items: readonly Selected[] }) {
  const labels = new Set(items.flatMap(({ practice }) => practice.labels.filter(({ kind }) => kind === 'knowledge').map(({ name }) => name)))
  return (
    <ul className="selected-summary note">
      <li>题型：{tally(items.map(({ practice }) => practice.category_name ?? choiceLabel(TYPES, practice.type)))}</li>
      <li><DifficultyBar items={items} /> 难度：{tally(DIFFICULTY_BANDS.flatMap(({ label }) => items.filter(({ practice }) => difficultyBand(practice.difficulty)?.label === label).map(() => label)))}</li>
      <li>知识点：{[...labels].join('、') || '无'}</li>
    </ul>
  )
}

interface GroupProps {
  at: At
  line: string
  set: SelectedSet
  mayEdit: boolean
  /** Questions are proposed for what is missing. */
  fills: boolean
  onBuilt: () => Promise<unknown>
  beside: ((practice: PracticeCard) => ReactNode) | undefined
}

function Group({ at, line, set, mayEdit, fills, onBuilt, beside }: GroupProps) {
  const { message } = App.useApp()
  const navigate = useNavigate()
  const [items, setItems] = useState<readonly Selected[]>(set.items)
  const [target, setTarget] = useState(set.target_n)
  const [adding, setAdding] = useState(false)
  const [shown, setShown] = useState(false)
  const [busy, setBusy] = useState(false)
  const can = useCan()
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
  const add = async (rows: readonly PracticeCard[]) => setItems([...items, ...rows.map((practice) => ({ practice, version_no: practice.version_no, elsewhere: [], twins: [] }))])
  const missing = target === null ? 0 : target - items.length
  const fill = async () => {
    setBusy(true)
    try {
      const { items: found } = await call(proposeSelected, { scope: at.scope, ref_id: at.id, product_line: line, group_key: set.group_key, n: missing, taken: idsOf(items) }, { keepEmpty: true })
      setItems([...items, ...found])
      if (found.length < missing) void message.warning(`可选的正式试题不够，补了 ${found.length} 道，还差 ${missing - found.length} 道`)
      else void message.success(`已补 ${found.length} 道，确认后请保存`)
    } catch {
      // The shell has shown why.
    } finally {
      setBusy(false)
    }
  }
  const within = { cat_id: at.subjectId, pool: 'official' as const }
  return (
    <div className="rail-panel">
      <Space wrap>
        {mayEdit && can(bankScreen('official', levelOfSubject(at.subjectId))) && <Button onClick={() => setAdding(true)} disabled={items.length >= MOST_SELECTED}>添加试题</Button>}
        {mayEdit && fills && <Button disabled={missing <= 0} loading={busy} title={missing > 0 ? '从正式试题中补到目标题数' : '先填写目标题数'} onClick={() => void fill()}>一键补齐</Button>}
        {items.length > 0 && <Button onClick={() => setShown(true)}>预览卷面</Button>}
        {mayEdit && <Button type="primary" disabled={!dirty && outdated === 0} loading={busy} onClick={() => void save()}>保存</Button>}
        <span>共 {items.length} 道，目标 {mayEdit ? <InputNumber size="small" aria-label="目标题数" min={1} max={MOST_SELECTED} precision={0} placeholder="不限" value={target} onChange={setTarget} /> : target ?? '不限'}</span>
        {set.at !== null && <span className="note">第 {set.version_no} 版 · {set.staff_name ?? '系统'} · {formatTime(set.at).slice(0, 16)}</span>}
      </Space>
      {missing > 0 && <Alert type="info" title={`还差 ${missing} 道`} />}
      {outdated > 0 && <Alert type="warning" title={`${outdated} 道题有新版本，保存后采用`} />}
      {items.length === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={`还没有${name}试题`} /> : (
        <>
          <Summary items={items} />
          <SortList items={items.map((one) => ({ ...one, id: one.practice.id, name: one.practice.no }))} onChange={(next) => { if (mayEdit) setItems(next.map(({ id: _id, name: _name, ...one }) => one)) }}>
            {({ practice, version_no, elsewhere, twins }) => (
              <span className="selected-item">
                <span><Button size="small" type="link" onClick={() => void navigate(editorPath(practice.level, practice.pool, practice.id))}>{practice.no}</Button><DifficultyTag value={practice.difficulty} />
                  {version_no !== practice.version_no && <Tag color="warning">有新版本</Tag>}{elsewhere.map((place) => <Tag key={place} color="error">重复：{place}</Tag>)}{twins.map((no) => <Tag key={no} color="error">与 {no} 同题</Tag>)}
                  {beside?.(practice)}
                  {mayEdit && <Button size="small" type="text" danger aria-label={`移除 ${practice.no}`} onClick={() => setItems(items.filter((one) => one.practice.id !== practice.id))}>移除</Button>}
                </span>
                <span className="bank-stem"><RichLine doc={practice.content.stem} /></span>
              </span>
            )}
          </SortList>
        </>
      )}
      {shown && <Preview name={name} items={items} onClose={() => setShown(false)} />}
      {adding && (
        <PickDialog title={`添加${name}`} within={within} taken={idsOf(items)} onClose={() => setAdding(false)} onPick={add} sources={[
          at.scope === 'chapter' ? searchSource('chapter', '本章试题', '本章还没有正式试题', { ...within, catalog_ids: [at.id] }) : searchSource('here', '本知识点试题', '本知识点还没有正式试题', { ...within, label_ids: [at.id] }),
          ...(at.scope === 'chapter' && at.labelIds.length > 0 ? [searchSource('label', '本章知识点', '没有这些知识点的正式试题', { ...within, label_ids: [...at.labelIds] })] : []),
          searchSource('basket', '试题篮', '试题篮里没有本学科的正式试题', { ...within, basket: 1 }),
        ]} />
      )}
    </div>
  )
}

/** Questions that were chosen for a chapter or a label, for all lines of products or for one: each kind in its order (domain 3.6). */
export function SelectedPanel({ at, mayEdit, only }: {
  at: At
  mayEdit: boolean
  /** The line whose sets are worked on, where a screen is about one; with the group that is shown, and who is told of another. */
  only?: { line: string; group: number; groups?: readonly number[]; onGroup: (group: number) => void; onBuilt: () => Promise<unknown>; beside?: (practice: PracticeCard) => ReactNode }
}) {
  const client = useQueryClient()
  const [chosen, setChosen] = useState<number>(SET_GROUPS[0].value)
  const [picked, setLine] = useState<string>(EVERY_LINE)
  const line = only?.line ?? picked
  const [group, setGroup] = only ? [only.group, only.onGroup] : [chosen, setChosen]
  const groups = SET_GROUPS.filter(({ value }) => !only || (only.groups ?? LINE_GROUPS).includes(value))
  const lines = only ? [] : PRODUCT_LINES.filter(({ level }) => level === levelOfSubject(at.subjectId))
  const queryKey = ['selected-sets', at.scope, at.id, line]
  const { data, error, isPending, refetch } = useQuery({ queryKey, queryFn: ({ signal }) => call(selectedSets, { scope: at.scope, ref_id: String(at.id), product_line: line }, { signal, quiet: true, keepEmpty: true }) })
  const set = data?.sets.find(({ group_key }) => group_key === group)
  return (
    <div className="rail-panel">
      <Space wrap>
        {groups.length > 1 && <Segmented aria-label="习题类型" value={group} onChange={setGroup} options={groups.map(({ value, label }) => ({ value: value as number, label: `${label} ${data?.sets.find(({ group_key }) => group_key === value)?.items.length || ''}` }))} />}
        {lines.length > 0 && <Select aria-label="产品线" value={line} onChange={setLine} options={[{ value: EVERY_LINE, label: '全部产品线' }, ...lines.map(({ code, name }) => ({ value: code, label: name }))]} popupMatchSelectWidth={false} />}
      </Space>
      {error ? <Alert type="error" title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} /> : isPending ? <Skeleton active />
        : set && <Group key={`${line} ${group} ${set.version_no}`} at={at} line={line} set={set} mayEdit={mayEdit} fills={only !== undefined || at.scope === 'chapter'} beside={only?.beside} onBuilt={() => Promise.all([client.invalidateQueries({ queryKey }), only?.onBuilt()])} />}
    </div>
  )
}
