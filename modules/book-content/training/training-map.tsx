import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Checkbox, Drawer, Empty, Popconfirm, Skeleton, Space, Table } from 'antd'
import { useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { choiceLabel } from '../../../core/field/choice.ts'
import { standardId } from '../../../core/grant/grant.ts'
import { useCan } from '../../../core/session/staff-context.tsx'
import { useTabTitle } from '../../../core/shell/tabs-context.tsx'
import { useWide } from '../../../core/ui/use-media.tsx'
import { makeMaterial } from '../material/calls.ts'
import { MATERIAL_STATE, materialPath, trainMaterial } from '../material/material.ts'
import { TRAINING, TRAINING_GROUPS } from '../sets.ts'
import { fillBook, readTraining, type Training, type TrainingChapter } from './calls.ts'
import { HoleDrawer } from './hole-drawer.tsx'
import { figuresOf, totalsOf } from './totals.ts'
import { NameDialog, TargetDialog } from './training-dialogs.tsx'

/** A set of a chapter: how far it is, what is missing, and whether somebody writes it. */
function Cell({ chapter, group, promised, onOpen }: { chapter: TrainingChapter; group: (typeof TRAINING_GROUPS)[number]; promised: number; onOpen: () => void }) {
  const { n, target_n, missing } = figuresOf(chapter, group.value)
  const state = missing > 0 ? (promised >= missing ? 'given' : 'short') : n === 0 ? 'none' : 'full'
  const words = target_n === null ? (n === 0 ? '未选题' : `${n} 道`) : `${n} / ${target_n}`
  return (
    <button type="button" className="bc-cell" data-state={state} onClick={onOpen} aria-label={`${chapter.name} ${group.label} ${words}${missing > 0 ? `，缺 ${missing} 道` : ''}${promised > 0 ? `，已派 ${promised} 道` : ''}`}>
      <span>{words}</span>
      {target_n !== null && <i aria-hidden style={{ inlineSize: `${Math.min(100, (n / target_n) * 100)}%` }} />}
      {missing > 0 && <em>缺 {missing}{promised > 0 && ` · 已派 ${promised}`}</em>}
    </button>
  )
}

/** What was made of a chapter. */
function Materials({ chapter: { materials } }: { chapter: TrainingChapter }) {
  return materials.map(({ id, name, state }) => <div key={id}><Link to={materialPath(id)}>{name}</Link>{state === MATERIAL_STATE.final && <small className="bc-ok"> 已定稿</small>}</div>)
}

/** Questions that stand in more than one set of the book. */
function Doubles({ training, onOpen, onClose }: { training: Training; onOpen: (chapterId: number, group: number) => void; onClose: () => void }) {
  return (
    <Drawer open size={520} title={`重复的试题（${training.doubles.length}）`} onClose={onClose}>
      <ul className="bc-list">
        {training.doubles.map(({ practice_id, no, places }) => (
          <li key={practice_id}><b>{no}</b>{places.map(({ chapter_id, name, group_key }) => <Button key={`${chapter_id} ${group_key}`} type="link" size="small" onClick={() => onOpen(chapter_id, group_key)}>{name} {choiceLabel(TRAINING_GROUPS, group_key)}</Button>)}</li>
        ))}
      </ul>
    </Drawer>
  )
}

/** Chapters against kinds of sets: where questions are missing, and all that is done about it. */
export function TrainingMap({ bookId }: { bookId: number }) {
  const { message } = App.useApp()
  const can = useCan()
  const wide = useWide('md')
  const client = useQueryClient()
  const navigate = useNavigate()
  const [address, setAddress] = useSearchParams()
  const [chosen, setChosen] = useState<number[]>([])
  const [open, setOpen] = useState<'targets' | 'doubles' | 'material'>()
  const queryKey = ['book-training', bookId]
  const { data, error, refetch } = useQuery({ queryKey, queryFn: ({ signal }) => call(readTraining, undefined, { params: { id: bookId }, signal, quiet: true }), staleTime: 0 })
  useTabTitle(data && `${data.book.name} · 训练`)
  const fill = useMutation({
    mutationFn: () => call(fillBook, chosen.length > 0 ? { chapter_ids: chosen } : {}, { params: { id: bookId }, quiet: true }),
    onSuccess: ({ filled, left, training }) => {
      client.setQueryData(queryKey, training)
      if (left > 0) void message.warning(`已补 ${filled} 道，题库不够，还差 ${left} 道，可以派写题任务`, 5)
      else void message.success(`已补 ${filled} 道`)
    },
    onError: (reason) => void message.error(reason.message, 5),
  })
  if (error) return <Alert type="warning" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  if (!data) return <Skeleton active paragraph={{ rows: 12 }} />
  const mayEdit = can(standardId(TRAINING, 'edit'))
  const bookLink = <Link to={`/practiceBook/content/pebManage?open=${bookId}`}>图书资料</Link>
  if (data.book.partwork_id === null) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={<>这本图书还没有选教材册别，在{bookLink}里选择后，按它的章节选题</>} />
  const { chapters, orders, doubles } = data
  const totals = totalsOf(chapters)
  const promised = (chapterId: number, group: number) => orders.filter((one) => one.chapter_id === chapterId && one.group_key === group).reduce((sum, { wanted }) => sum + wanted, 0)
  const go = (chapterId: number, group: number) => setAddress({ book_id: String(bookId), id: String(chapterId), group: String(group) })
  const cell = (chapter: TrainingChapter, group: (typeof TRAINING_GROUPS)[number]) => <Cell chapter={chapter} group={group} promised={promised(chapter.id, group.value)} onOpen={() => go(chapter.id, group.value)} />
  const at = chapters.find(({ id }) => id === Number(address.get('id')))
  const picked = chosen.filter((id) => chapters.some((one) => one.id === id))
  const ready = (picked.length > 0 ? chapters.filter(({ id }) => picked.includes(id)) : chapters).filter(({ groups }) => groups.some(({ n }) => n > 0)).map(({ id }) => id)
  const what = picked.length > 0 ? `选中的 ${picked.length} 章` : '全书'
  return (
    <>
      <div className="bc-line">
        <p aria-live="polite"><b>{data.book.name}</b> <span className="note">{data.book.subject_name} · {data.book.partwork_name} · {bookLink}</span><br />
          <span className="figure">{totals.target === 0 ? `已选 ${totals.n} 道，还没有设目标` : totals.missing === 0 ? `目标 ${totals.target} 道，已选 ${totals.n} 道，没有缺题` : `目标 ${totals.target} 道，已选 ${totals.n} 道，${totals.holes} 处共缺 ${totals.missing} 道，已派 ${orders.reduce((sum, { wanted }) => sum + wanted, 0)} 道`}</span></p>
        <Space wrap>
          {doubles.length > 0 && <Button danger onClick={() => setOpen('doubles')}>重复 {doubles.length} 道</Button>}
          {mayEdit && <Button onClick={() => setOpen('targets')}>设目标</Button>}
          {can(standardId(trainMaterial.grant, 'edit')) && <Button disabled={ready.length === 0} onClick={() => setOpen('material')}>生成素材</Button>}
          {mayEdit && <Popconfirm title={`补齐${what}的缺题？`} description="从正式题库选题，同一道题在书里只出现一次。" okText="补齐" onConfirm={() => fill.mutate()}><Button type="primary" loading={fill.isPending} disabled={totals.missing === 0}>补齐{what}</Button></Popconfirm>}
        </Space>
      </div>
      {!wide && (
        <ul className="bc-chapters">
          {chapters.map((chapter) => (
            <li key={chapter.id} style={{ paddingInlineStart: chapter.depth * 12 }}>
              <p>{mayEdit && <Checkbox checked={picked.includes(chapter.id)} aria-label={`选择 ${chapter.name}`} onChange={(event) => setChosen(event.target.checked ? [...picked, chapter.id] : picked.filter((id) => id !== chapter.id))} />} <b>{chapter.name}</b> <small className="note">可选 {chapter.offered}</small></p>
              <div>{TRAINING_GROUPS.map((group) => <span key={group.value}><small className="note">{group.label}</small>{cell(chapter, group)}</span>)}</div>
              <Materials chapter={chapter} />
            </li>
          ))}
        </ul>
      )}
      {wide && <Table<TrainingChapter> size="small" rowKey="id" pagination={false} dataSource={chapters} scroll={{ x: 'max-content' }} locale={{ emptyText: <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="这册教材还没有章节" /> }}
        {...(mayEdit && { rowSelection: { selectedRowKeys: picked, onChange: (keys: readonly unknown[]) => setChosen(keys.map(Number)), getCheckboxProps: ({ name }: TrainingChapter) => ({ 'aria-label': `选择 ${name}` }) } })}
        columns={[
          { title: '章节', dataIndex: 'name', width: 240, render: (name: string, { depth }) => <span className="bc-name" style={{ paddingInlineStart: depth * 16 }}>{name}</span> },
          { title: '可选正式题', dataIndex: 'offered', align: 'right', width: 96, render: (offered: number) => <span className="figure">{offered}</span> },
          ...TRAINING_GROUPS.map((group) => ({ title: group.label, key: group.value, width: 150, render: (_value: unknown, chapter: TrainingChapter) => cell(chapter, group) })),
          { title: '素材', key: 'materials', width: 180, render: (_value, chapter) => <Materials chapter={chapter} /> },
        ]} />}
      {at && <HoleDrawer key={at.id} training={data} chapter={at} group={Number(address.get('group')) || 1} mayEdit={mayEdit} onGroup={(group) => go(at.id, group)} onChanged={() => refetch()} onClose={() => setAddress({ book_id: String(bookId) })} />}
      {open === 'targets' && <TargetDialog bookId={bookId} chapterIds={picked} onClose={() => setOpen(undefined)} onDone={(next) => { client.setQueryData(queryKey, next); setOpen(undefined); void message.success('已设目标') }} />}
      {open === 'doubles' && <Doubles training={data} onClose={() => setOpen(undefined)} onOpen={(chapterId, group) => { setOpen(undefined); go(chapterId, group) }} />}
      {open === 'material' && <NameDialog title={`生成素材 · ${what}`} note={`${ready.length} 个有选题的章节依次排入一份素材，重复的试题只印一次。`} initial={picked.length === 1 ? `${chapters.find(({ id }) => id === picked[0])?.name ?? ''} 训练` : `${data.book.name} 训练`} onClose={() => setOpen(undefined)}
        onSave={async (name) => navigate(materialPath((await call(makeMaterial, { name, chapter_ids: ready.slice(0, 50) }, { params: { id: bookId }, quiet: true })).id))} />}
    </>
  )
}
