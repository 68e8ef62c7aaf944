import { FileDoneOutlined } from '@ant-design/icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Checkbox, Form, Input, Modal, Segmented, Skeleton, Space, Tag } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { fillPath } from '../../../core/endpoint/define.ts'
import { useAttempt } from '../../../core/form/use-attempt.tsx'
import { useCan } from '../../../core/session/staff-context.tsx'
import type { HandoverProps } from '../../practice/module.ts'
import { BASE_EDIT_GRANTS } from '../paper.ts'
import { SMART_EDIT } from '../smart/smart-paper.ts'
import { paperSpecSheet } from '../spec/calls.ts'
import { importedPaper, paperFromImport, type ImportedPaper } from './calls.ts'
import './from-import.css'

const KINDS: Readonly<Record<ImportedPaper['alike'][number]['kind'], string>> = { same: '题库已有', suspected: '疑似重复', variant: '变式' }
type Use = 'bank' | 'new'

/** Makes a paper of an imported file that was read as a whole one. */
export default function ImportPaper({ batch, onChanged }: HandoverProps) {
  const can = useCan()
  const [open, setOpen] = useState(false)
  if (!batch.whole || !BASE_EDIT_GRANTS.some((grant) => can(grant))) return null
  return (
    <div className="import-paper">
      <span>这个文件是一份整卷：大题、题序、分值和注意事项可以一并成卷。</span>
      <Button type="primary" icon={<FileDoneOutlined />} onClick={() => setOpen(true)}>成卷</Button>
      {open && <MakeDialog batch={batch} onChanged={onChanged} onClose={() => setOpen(false)} />}
    </div>
  )
}

function MakeDialog({ batch, onChanged, onClose }: HandoverProps & { onClose: () => void }) {
  const client = useQueryClient()
  const { busy, attempt } = useAttempt()
  const [name, setName] = useState<string>()
  const [problems, setProblems] = useState(false)
  const [choices, setChoices] = useState<ReadonlyMap<number, Use>>(new Map())
  const key = ['import-paper', batch.id]
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: ({ signal }) => call(importedPaper, undefined, { params: { id: batch.id }, signal, quiet: true }), staleTime: 0 })
  const make = () => attempt(async () => {
    await call(paperFromImport, { name: (name ?? data?.name ?? '').trim(), problems, choices: [...choices].map(([ord, use]) => ({ ord, use })) }, { params: { id: batch.id }, quiet: true })
    await client.invalidateQueries({ queryKey: key })
    onChanged()
  })
  const asked = (data?.alike ?? []).filter(({ ord, kind }) => kind !== 'same' && !choices.has(ord)).length
  return (
    <Modal open title="成卷" width={760} onCancel={onClose} footer={data?.made ? <Button onClick={onClose}>关闭</Button> : (
      <Space>
        <Button onClick={onClose}>取消</Button>
        <Button type="primary" loading={busy} disabled={!data || asked > 0 || (data.problems.length > 0 && !problems)} onClick={() => void make()}>生成试卷</Button>
      </Space>
    )}>
      {error && <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />}
      {!data && !error && <Skeleton active />}
      {data && (data.made ? <Made made={data.made} /> : (
        <Plan data={data} name={name ?? data.name} onName={setName} problems={problems} onProblems={setProblems} choices={choices} onChoose={(ord, use) => setChoices(new Map([...choices, [ord, use]]))} />
      ))}
    </Modal>
  )
}

/** Where to go on from: the paper, its specification table, and a paper like it. */
function Made({ made }: { made: NonNullable<ImportedPaper['made']> }) {
  const can = useCan()
  return (
    <Alert type="success" showIcon title={`已生成试卷「${made.name}」`} description={(
      <Space wrap>
        <Link to={made.detail}>打开试卷</Link>
        <a href={fillPath(paperSpecSheet.path, { id: made.id })} download>下载双向细目表</a>
        {can(SMART_EDIT) && <Link to={`/papers/smart-test-paper?parallel=${made.id}`}>组平行卷</Link>}
      </Space>
    )} />
  )
}

interface PlanProps {
  data: ImportedPaper
  name: string
  onName: (name: string) => void
  problems: boolean
  onProblems: (on: boolean) => void
  choices: ReadonlyMap<number, Use>
  onChoose: (ord: number, use: Use) => void
}

function Plan({ data, name, onName, problems, onProblems, choices, onChoose }: PlanProps) {
  const total = data.sections.reduce((sum, { points }) => sum + points, 0)
  return (
    <Form layout="vertical">
      <Form.Item label="试卷名称" htmlFor="import-paper-name"><Input id="import-paper-name" maxLength={100} value={name} onChange={({ target }) => onName(target.value)} /></Form.Item>
      <p className="import-paper-facts">{[data.subject_name, `${data.sections.reduce((sum, { questions }) => sum + questions, 0)} 题`, `${total} 分`, data.minutes ? `${data.minutes} 分钟` : '', data.secret, data.notices.length > 0 ? `注意事项 ${data.notices.length} 条` : ''].filter(Boolean).map((fact) => <Tag key={fact}>{fact}</Tag>)}</p>
      <ol className="import-paper-sections">{data.sections.map(({ part, title, questions, points }, index) => <li key={index}>{part && <b>{part}</b>}<span>{title}</span><span className="note">{questions} 题 · {points} 分</span></li>)}</ol>
      {data.notes.length > 0 && <Alert type="warning" showIcon title="与卷面写明的不一致，请核对" description={<ul className="reasons">{data.notes.map((note) => <li key={note}>{note}</li>)}</ul>} />}
      {data.left_out.length > 0 && <Alert type="info" showIcon title={`跳过的 ${data.left_out.length} 题不在试卷中：${data.left_out.slice(0, 8).join('、')}`} />}
      {data.problems.length > 0 && (
        <Alert type="error" showIcon title={`${data.problems.length} 题有问题：${data.problems.slice(0, 8).join('、')}`}
          description={<Checkbox checked={problems} onChange={({ target }) => onProblems(target.checked)}>存为草稿放进试卷，改好并发布后才能上架</Checkbox>} />
      )}
      {data.alike.length > 0 && (
        <section aria-label="与题库相似的试题">
          <h3>与题库相似的试题</h3>
          <ul className="import-paper-alike">{data.alike.map(({ ord, place, kind, no }) => (
            <li key={ord}>
              <span>{place} <Tag color={kind === 'same' ? 'success' : 'warning'}>{KINDS[kind]} {no}</Tag></span>
              <Segmented<Use | 'open'> size="small" aria-label={`${place}用哪一道`} value={choices.get(ord) ?? (kind === 'same' ? 'bank' : 'open')} onChange={(use) => { if (use !== 'open') onChoose(ord, use) }}
                options={[...(kind === 'same' || choices.has(ord) ? [] : [{ value: 'open' as const, label: '请选择' }]), { value: 'bank', label: '用题库的题' }, { value: 'new', label: '作为新题' }]} />
            </li>
          ))}</ul>
        </section>
      )}
      <p className="note">题库没有的题存为后备题库草稿，发布后自动换成正式题；全部发布后试卷才能提交审核。</p>
    </Form>
  )
}
