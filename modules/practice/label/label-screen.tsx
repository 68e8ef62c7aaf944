import { Drawer, Empty, Segmented, Tabs } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { RecordForm } from '../../../core/record/record-form.tsx'
import { choiceLabel } from '../../../core/field/choice.ts'
import { useCan } from '../../../core/session/staff-context.tsx'
import type { TreeNode } from '../../../core/tree/calls.ts'
import { resourceSource } from '../../../core/tree/source.tsx'
import { TreeTools } from '../../../core/tree/tree-page.tsx'
import { TreePane } from '../../../core/tree/tree-pane.tsx'
import { useWide } from '../../../core/ui/use-media.tsx'
import { SubjectSelect } from '../ui/subject-select.tsx'
import { useSubjects } from '../ui/use-practice.tsx'
import { EDIT_GRANT } from './calls.ts'
import { Coverage, Orphans } from './coverage.tsx'
import { LABEL_KINDS, type LabelKind } from './label.ts'
import { LabelPanel } from './label-panel.tsx'
import { LABEL_RESOURCES, useReloadLabels } from './label-tools.tsx'
import '../../../core/list/list.css'
import '../ui/bank.css'
import './label.css'

/** A label with the number of its questions. */
const title = ({ name, status, back_count, official_count }: TreeNode) => <span className={status === 0 ? 'label-off' : undefined}>{name}<span className="label-count">{Number(back_count) + Number(official_count) || ''}</span></span>

/** The trees of labels of a subject, one kind at a time: the tree at the left, a label or the whole tree at the right (domain 1.11). */
export function LabelScreen({ kinds }: { kinds: readonly LabelKind[] }) {
  const can = useCan()
  const wide = useWide('lg')
  const reload = useReloadLabels()
  const subjects = useSubjects()
  const [address, setAddress] = useSearchParams()
  const [adding, setAdding] = useState(false)
  const kind = kinds.find((one) => one === address.get('kind')) ?? kinds[0] ?? 'knowledge'
  const subjectId = Number(address.get('cat_id')) || subjects[0]?.id
  const selected = Number(address.get('id')) || undefined
  const mayEdit = can(EDIT_GRANT[kind])
  const go = (part: Readonly<Record<string, string | undefined>>) => {
    const next = new URLSearchParams(address)
    for (const [key, value] of Object.entries(part)) if (value === undefined) next.delete(key)
    else next.set(key, value)
    setAddress(next)
  }
  const open = (id: number | undefined) => go({ id: id === undefined ? undefined : String(id) })
  if (subjectId === undefined) return <Empty description="没有可以查看的学科" />
  const label = choiceLabel(LABEL_KINDS, kind)
  const resource = LABEL_RESOURCES[kind]
  const group = { subject_id: subjectId }
  const panel = selected !== undefined && <LabelPanel key={selected} id={selected} onShow={open} />
  const overview = (
    <Tabs items={[
      { key: 'coverage', label: '覆盖热力图', children: <Coverage kind={kind} subjectId={subjectId} onOpen={open} /> },
      { key: 'orphans', label: '孤立标签', children: <Orphans kind={kind} subjectId={subjectId} onOpen={open} /> },
    ]} />
  )
  return (
    <section className="labels" aria-label={`${label}管理`}>
      <aside className="labels-tree" aria-label={`${label}树`}>
        {kinds.length > 1 && <Segmented<LabelKind> block value={kind} options={kinds.map((one) => ({ value: one, label: choiceLabel(LABEL_KINDS, one) }))} onChange={(next) => go({ kind: next, id: undefined })} />}
        <SubjectSelect value={subjectId} onChange={(id) => go({ cat_id: String(id), id: undefined })} />
        <TreePane<TreeNode> key={`${kind} ${subjectId}`} label={label} source={resourceSource(resource, group, mayEdit)} title={title} height={wide ? 600 : 420} empty="还没有标签，可以新增或导入" placeholder="名称、别名或编码"
          selected={selected === undefined ? [] : [selected]} onSelect={({ id }) => open(id)} onChanged={reload}
          tools={<TreeTools resource={resource} group={group} onAdd={() => setAdding(true)} onChanged={() => void reload()} />} />
        {mayEdit && wide && <p className="note">拖动可以移动标签；用键盘时按 Alt + 方向键移动、F2 改名；也可以用右侧的按钮。</p>}
      </aside>
      <div className="labels-main">{(wide && panel) || overview}</div>
      {!wide && <Drawer open={selected !== undefined} size="100%" title={label} onClose={() => go({ id: undefined })}>{panel}</Drawer>}
      {adding && <RecordForm resource={resource} start={group} onClose={() => setAdding(false)} onSaved={(saved) => { void reload(); open(saved.id) }} />}
    </section>
  )
}
