import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Collapse, Empty, Modal, Select, Skeleton, Tag } from 'antd'
import { useState } from 'react'
import { call, request } from '../../../core/endpoint/call.tsx'
import { useCan } from '../../../core/session/staff-context.tsx'
import { EDIT_GRANT } from '../label/calls.ts'
import { knowledgeLabel } from '../label/label.ts'
import { LabelTree } from '../ui/label-tree.tsx'
import { subjectTop } from '../label/label-tools.tsx'
import { decideImportLabels, listImportLabels, type ImportBatch, type ImportLabel, type LabelFate } from './calls.ts'

const FATES: Readonly<Record<LabelFate, { label: string; color: string }>> = {
  open: { label: '待决定', color: 'warning' }, known: { label: '已有', color: 'success' }, mapped: { label: '对应', color: 'processing' }, left: { label: '不要', color: 'default' },
}
const OTHER = -1
const MAKE = -2
const LEAVE = -3

interface RowProps {
  label: ImportLabel
  mayMake: boolean
  fixed: boolean
  onChoose: (choice: number) => void
}

const words = (path: readonly string[]) => path.join(' / ')

function Row({ label, mayMake, fixed, onChoose }: RowProps) {
  const { fate, to, suggestions } = label
  const options = [
    ...[...suggestions, ...(to && !suggestions.some(({ id }) => id === to.id) ? [to] : [])].map(({ id, path }) => ({ value: id, label: words(path) })),
    { value: OTHER, label: '选择其他知识点…' }, ...(mayMake ? [{ value: MAKE, label: `新建「${label.path.at(-1) ?? ''}」` }] : []), { value: LEAVE, label: '不要这个知识点' },
  ]
  return (
    <li className="import-label">
      <div><b>{label.path.at(-1)}</b>{label.path.length > 1 && <span className="note">{words(label.path.slice(0, -1))}</span>}<span className="note">{label.count} 道题</span></div>
      <div>
        <Tag color={FATES[fate].color}>{FATES[fate].label}</Tag>
        {fate === 'known' || fixed ? <span className="note">{to ? words(to.path) : ''}</span> : (
          <Select<number> aria-label={`${words(label.path)} 的去向`} className="import-label-choice" placeholder={suggestions[0] ? `建议：${words(suggestions[0].path)}` : '请选择'} value={fate === 'left' ? LEAVE : (to?.id ?? null)} options={options} onChange={onChoose} />
        )}
      </div>
    </li>
  )
}

/** What becomes of the labels that the file names: each is one of ours, made, or left out, and says so after writing too. */
export function LabelDecisions({ batch }: { batch: ImportBatch }) {
  const { message } = App.useApp()
  const client = useQueryClient()
  const can = useCan()
  const [picking, setPicking] = useState<ImportLabel>()
  const key = ['practice-import', batch.id, batch.job_id, batch.counts, 'labels']
  const { data, error, refetch, isPending } = useQuery({ queryKey: key, queryFn: ({ signal }) => call(listImportLabels, undefined, { params: { id: batch.id }, signal, quiet: true }) })
  if (isPending) return <Skeleton active paragraph={{ rows: 1 }} />
  if (error) return <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  const { items } = data
  if (items.length === 0) return null
  const of = (fate: LabelFate) => items.filter((item) => item.fate === fate)
  const open = of('open')
  const fixed = batch.state === 'done' || batch.state === 'undone'
  const decide = async (decisions: readonly { label: ImportLabel; to: number | null }[]) => {
    const next = await call(decideImportLabels, { decisions: decisions.map(({ label, to }) => ({ subject_id: label.subject_id, path: label.path, to })) }, { params: { id: batch.id }, keepEmpty: true })
    client.setQueryData(key, next)
  }
  const make = async (label: ImportLabel) => {
    const above = label.suggestions.find(({ path }) => label.path.slice(0, -1).includes(path.at(-1) ?? ''))
    const parent_id = above?.id ?? await subjectTop(client, 'knowledge', label.subject_id)
    const { id } = await request<{ id: number }>('POST', knowledgeLabel.api.item, { subject_id: label.subject_id, parent_id, name: label.path.at(-1)?.slice(0, 60) })
    await decide([{ label, to: id }])
    void message.success(`已新建知识点「${label.path.at(-1) ?? ''}」`)
  }
  const choose = (label: ImportLabel, choice: number) => {
    if (choice === OTHER) return setPicking(label)
    void (choice === MAKE ? make(label) : decide([{ label, to: choice === LEAVE ? null : choice }])).catch(() => undefined)
  }
  const suggested = open.flatMap((label) => (label.strong && label.suggestions[0] ? [{ label, to: label.suggestions[0].id }] : []))
  const accept = async () => {
    await decide(suggested)
    const left = open.length - suggested.length
    void message.success(`已采用 ${suggested.length} 个${left > 0 ? `，还有 ${left} 个没有把握，请逐个决定` : ''}`)
  }
  const title = fixed
    ? `知识点：${of('known').length} 个按名称对应，${of('mapped').length} 个指定，${of('left').length} 个没有写入`
    : open.length > 0 ? `有 ${open.length} 个知识点在题库中没有找到，入库前请决定去向` : `知识点 ${items.length} 个都有去向`
  return (
    <>
      <Collapse size="small" className="import-labels" defaultActiveKey={open.length > 0 && !fixed ? ['labels'] : []} items={[{
        key: 'labels', label: <span>{title}</span>, children: (
          <>
            {open.length > 0 && !fixed && (
              <div className="import-choose">
                {suggested.length > 0 && <Button size="small" onClick={() => void accept().catch(() => undefined)}>采用有把握的建议（{suggested.length}）</Button>}
                <Button size="small" onClick={() => void decide(open.map((label) => ({ label, to: null }))).catch(() => undefined)}>其余都不要</Button>
              </div>
            )}
            <ul className="import-label-list">{items.map((label) => <Row key={`${label.subject_id}/${label.path.join('/')}`} label={label} mayMake={can(EDIT_GRANT.knowledge)} fixed={fixed} onChoose={(choice) => choose(label, choice)} />)}</ul>
          </>
        ),
      }]} />
      <Modal open={picking !== undefined} title={picking && `「${picking.path.at(-1) ?? ''}」对应到`} footer={null} onCancel={() => setPicking(undefined)} destroyOnHidden>
        {picking ? <LabelTree kind="knowledge" subjectId={picking.subject_id} selected={picking.to ? [picking.to.id] : []} height={360} onSelect={([id]) => {
          if (id !== undefined) void decide([{ label: picking, to: id }]).catch(() => undefined)
          setPicking(undefined)
        }} /> : <Empty />}
      </Modal>
    </>
  )
}
