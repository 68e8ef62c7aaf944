import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Checkbox, Drawer, Empty, Input, InputNumber, Modal, Popconfirm, Select, Skeleton, Space, Tag } from 'antd'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { useCan } from '../../../core/session/staff-context.tsx'
import { useWide } from '../../../core/ui/use-media.tsx'
import { QuestionView, SelectedPanel, useSubjects } from '../../practice/door.tsx'
import type { PracticeCard } from '../../practice/module.ts'
import { EXCELLENT_GROUP, EXCELLENT_RIGHTS, EXCELLENT_SETS } from '../sets.ts'
import { fillExcellent, readExcellent, readVariants, setExcellentTargets, type ExcellentLabel } from './calls.ts'
import '../book-content.css'

const lacks = ({ n, target_n }: ExcellentLabel) => Math.max(0, (target_n ?? 0) - n)

/** What practises the same as one question. */
function Variants({ practice, variants, onClose }: { practice: PracticeCard; variants: readonly PracticeCard[]; onClose: () => void }) {
  return (
    <Drawer open size={640} title={`${practice.no} 的举一反三（${variants.length}）`} onClose={onClose}>
      {variants.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={<>还没有举一反三，在<Link to={`/practice/official/${practice.id}`}>试题</Link>里添加</>} />}
      {variants.map((card, at) => <QuestionView key={card.id} content={card.content} number={at + 1} answer="folded" />)}
    </Drawer>
  )
}

/** The set of one label, each question with what practises the same beside it. */
function LabelPanel({ label, subjectId, mayEdit, onBuilt }: { label: ExcellentLabel; subjectId: number; mayEdit: boolean; onBuilt: () => Promise<unknown> }) {
  const [shown, setShown] = useState<PracticeCard>()
  const { data, refetch } = useQuery({ queryKey: ['excellent-variants', label.id], queryFn: ({ signal }) => call(readVariants, undefined, { params: { id: label.id }, signal, quiet: true }) })
  const of = (id: number) => data?.items.find(({ practice_id }) => practice_id === id)?.variants ?? []
  return (
    <article aria-label={`知识点 ${label.name}`} className="bc-drawer">
      <h2 className="bc-title">{label.name} <small className="note">难度 1–2 的正式试题 {label.offered} 道</small></h2>
      <SelectedPanel at={{ scope: 'label', id: label.id, subjectId, labelIds: [] }} mayEdit={mayEdit} only={{
        line: EXCELLENT_SETS, group: EXCELLENT_GROUP, groups: [EXCELLENT_GROUP], onGroup: () => undefined, onBuilt: () => Promise.all([onBuilt(), refetch()]),
        beside: (practice) => <Button size="small" type="text" onClick={() => setShown(practice)}>{of(practice.id).length === 0 ? <Tag color="warning">没有变式</Tag> : `变式 ${of(practice.id).length}`}</Button>,
      }} />
      {shown && <Variants practice={shown} variants={of(shown.id)} onClose={() => setShown(undefined)} />}
    </article>
  )
}

/** 优选题: hard questions for the strongest, knowledge by knowledge, with what practises the same. */
export default function ExcellentScreen() {
  const { message } = App.useApp()
  const can = useCan()
  const wide = useWide('lg')
  const client = useQueryClient()
  const subjects = useSubjects().filter(({ id }) => id < 300 && id !== 9)
  const [address, setAddress] = useSearchParams()
  const [words, setWords] = useState('')
  const [shortOnly, setShortOnly] = useState(false)
  const [all, setAll] = useState(false)
  const [target, setTarget] = useState<number | null>()
  const [onlyNew, setOnlyNew] = useState(true)
  const subjectId = Number(address.get('cat_id')) || subjects[0]?.id
  const queryKey = ['excellent', subjectId]
  const { data, error, refetch } = useQuery({ queryKey, enabled: subjectId !== undefined, queryFn: ({ signal }) => call(readExcellent, { cat_id: String(subjectId) }, { signal, quiet: true }), staleTime: 0 })
  const told = (reason: Error) => void message.error(reason.message, 5)
  const targets = useMutation({
    mutationFn: (n: number) => call(setExcellentTargets, { cat_id: subjectId ?? 0, target_n: n, only_new: onlyNew }, { quiet: true }),
    onSuccess: (next) => { client.setQueryData(queryKey, next); setTarget(undefined); void message.success('已设目标') }, onError: told,
  })
  const fill = useMutation({
    mutationFn: () => call(fillExcellent, { cat_id: subjectId ?? 0 }, { quiet: true }),
    onSuccess: ({ filled, left, labels }) => {
      client.setQueryData(queryKey, { labels })
      void client.invalidateQueries({ queryKey: ['selected-sets', 'label'] })
      void (left > 0 ? message.warning(`已补 ${filled} 道，难题不够，还差 ${left} 道`, 5) : message.success(`已补 ${filled} 道`))
    }, onError: told,
  })
  if (subjectId === undefined) return <Empty description="没有可以查看的学科" />
  const mayEdit = can(EXCELLENT_RIGHTS.id('edit'))
  const labels = data?.labels ?? []
  const missing = labels.reduce((sum, label) => sum + lacks(label), 0)
  const alone = labels.reduce((sum, one) => sum + one.alone, 0)
  const shown = labels.filter((label) => (all || label.offered > 0 || label.n > 0 || label.target_n !== null) && (!shortOnly || lacks(label) > 0) && (words.trim() === '' || label.name.includes(words.trim())))
  // Beside the tree there is room for one: what lacks questions is looked at first.
  const first = wide && !address.has('id') ? (shown.find((label) => lacks(label) > 0) ?? shown.find(({ n }) => n > 0)) : undefined
  const at = labels.find(({ id }) => id === Number(address.get('id'))) ?? first
  const go = (id: number | undefined) => setAddress({ cat_id: String(subjectId), ...(id !== undefined && { id: String(id) }) })
  const panel = at && <LabelPanel key={at.id} label={at} subjectId={subjectId} mayEdit={mayEdit} onBuilt={() => refetch()} />
  return (
    <div className="bc">
      <div className="bc-line">
        <p><Select aria-label="学科" value={subjectId} onChange={(id: number) => setAddress({ cat_id: String(id) })} options={subjects.map(({ id, name }) => ({ value: id, label: name }))} popupMatchSelectWidth={false} showSearch={{ optionFilterProp: 'label' }} />{' '}
          <span className="figure" aria-live="polite">{data && `${labels.filter(({ n }) => n > 0).length} 个知识点已选 ${labels.reduce((sum, { n }) => sum + n, 0)} 道${missing > 0 ? `，缺 ${missing} 道` : ''}${alone > 0 ? `，${alone} 道没有变式` : ''}`}</span></p>
        {mayEdit && (
          <Space wrap>
            <Button onClick={() => setTarget(5)}>设目标</Button>
            <Popconfirm title="补齐本学科的缺题？" description="只选难度 1–2 的正式试题，同一道题只选一次。" okText="补齐" onConfirm={() => fill.mutate()}><Button type="primary" loading={fill.isPending} disabled={missing === 0}>补齐缺题</Button></Popconfirm>
          </Space>
        )}
      </div>
      {error && <Alert type="warning" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />}
      <div className="bc-sides" data-alone={!wide}>
        <aside className="bc-pane" aria-label="知识点">
          <Input.Search allowClear placeholder="知识点名称" aria-label="搜索知识点" value={words} onChange={(event) => setWords(event.target.value)} />
          <Checkbox checked={shortOnly} onChange={(event) => setShortOnly(event.target.checked)}>只看缺题</Checkbox> <Checkbox checked={all} onChange={(event) => setAll(event.target.checked)}>含没有难题的</Checkbox>
          {!data && !error && <Skeleton active />}
          <ul className="bc-tree">
            {shown.map((label) => (
              <li key={label.id} data-current={label.id === at?.id} style={{ paddingInlineStart: 6 + label.depth * 14 }}>
                <button type="button" aria-current={label.id === at?.id} onClick={() => go(label.id)}>{label.name}</button>
                <small data-short={lacks(label) > 0} title={`已选 ${label.n} 道，可选 ${label.offered} 道`}>{label.target_n === null ? label.n || '' : `${label.n}/${label.target_n}`} <span className="note">可选 {label.offered}</span></small>
              </li>
            ))}
          </ul>
          {data && shown.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={labels.length === 0 ? '该学科还没有知识点' : '没有符合的知识点'} />}
        </aside>
        {wide && <section className="bc-pane">{panel ?? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="选择知识点，为学优生选难题" />}</section>}
      </div>
      {!wide && <Drawer open={at !== undefined} size="100%" title="优选题" onClose={() => go(undefined)}>{panel}</Drawer>}
      <Modal open={target !== undefined} title="设目标 · 有难题的最下级知识点" okText="设目标" confirmLoading={targets.isPending} okButtonProps={{ disabled: !target }} onOk={() => { if (target) targets.mutate(target) }} onCancel={() => setTarget(undefined)}>
        <p>每个知识点 <InputNumber aria-label="目标题数" min={1} max={200} precision={0} suffix="道" value={target ?? null} onChange={setTarget} /></p>
        <Checkbox checked={onlyNew} onChange={(event) => setOnlyNew(event.target.checked)}>已有目标的不改</Checkbox>
      </Modal>
    </div>
  )
}
