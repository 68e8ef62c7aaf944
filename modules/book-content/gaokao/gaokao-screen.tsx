import { useMutation, useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Checkbox, Drawer, Empty, Select, Skeleton, Space, Table } from 'antd'
import { useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { formatDate } from '../../../core/field/time.ts'
import { standardId } from '../../../core/grant/grant.ts'
import { useCan } from '../../../core/session/staff-context.tsx'
import { useWide } from '../../../core/ui/use-media.tsx'
import { useSubjects } from '../../practice/door.tsx'
import { EXAM_REGIONS } from '../../reference/module.ts'
import { OrderDialog } from '../order/order-dialog.tsx'
import { TRAINING } from '../sets.ts'
import { GAOKAO_RIGHTS, makeGaokao, readGaokao, readGaps, type GaokaoCell, type GaokaoPaper } from './calls.ts'
import '../book-content.css'

/** Questions of a paper of which nobody knows how long it is: what most exams have. */
const USUAL_QUESTIONS = 22
const TYPES = [{ value: 1, label: '新高考' }, { value: 2, label: '旧高考' }] as const
/** spec 2: where senior papers are edited. */
const paperPath = (id: number) => `/papers/detail/${id}`

/** How far the questions of a paper are done: explained, filmed, labelled. */
const partsOf = ({ questions, analysed, filmed, labelled }: GaokaoPaper) => [{ word: '题', n: questions, of: questions }, { word: '解析', n: analysed, of: questions }, { word: '视频', n: filmed, of: questions }, { word: '标签', n: labelled, of: questions }]

function Bars({ paper }: { paper: GaokaoPaper }) {
  const parts = partsOf(paper)
  return (
    <span className="bc-bars" role="img" aria-label={parts.map(({ word, n, of }) => `${word} ${n}/${of}`).join('，')}>
      {parts.map(({ word, n, of }) => <i key={word} title={`${word} ${n}/${of}`} data-full={of > 0 && n === of}><b style={{ blockSize: `${of === 0 ? 0 : Math.max(8, (n / of) * 100)}%` }} /></i>)}
    </span>
  )
}

/** What stands in a cell: its papers with their bars, questions that wait for a paper, or a hole. */
function Cell({ cell, name, onOpen }: { cell: GaokaoCell | undefined; name: string; onOpen: () => void }) {
  const state = !cell || (cell.papers.length === 0 && cell.loose === 0) ? 'none' : cell.papers.length === 0 ? 'loose' : cell.papers.every((paper) => paper.live) ? 'live' : 'draft'
  return (
    <button type="button" className="bc-exam" data-state={state} onClick={onOpen} aria-label={`${name} ${cell?.papers.length ? `${cell.papers.length} 份` : cell?.loose ? `${cell.loose} 题待成卷` : '缺卷'}${cell?.order ? '，已派写题任务' : ''}`}>
      {cell?.papers.map((paper) => <Bars key={paper.id} paper={paper} />)}
      {state === 'loose' && <small>{cell?.loose} 题待成卷</small>}
      {state === 'none' && <small>{cell?.order ? '已派' : '+'}</small>}
    </button>
  )
}

/** Questions of a paper that lack something, each one step from where it is mended. */
function Gaps({ paper }: { paper: GaokaoPaper }) {
  const { data, error } = useQuery({ queryKey: ['gaokao-gaps', paper.id], queryFn: ({ signal }) => call(readGaps, undefined, { params: { id: paper.id }, signal, quiet: true }) })
  if (error) return <Alert type="error" showIcon title={error.message} />
  if (!data) return <Skeleton active />
  if (data.total === 0) return <p className="bc-ok">解析、视频、标签都已齐全</p>
  return <ul className="bc-list">{data.items.map(({ id, no, place, lacks, path }) => <li key={id}><span className="figure">第 {place} 题</span> {path ? <Link to={path}>{no}</Link> : no} <em>缺{lacks.join('、')}</em></li>)}</ul>
}

interface Place { year: number; region_id: number }

/** One year of one region: its papers, what they lack, and the ways to fill a hole. */
function CellDrawer({ subjectId, type, place, cell, onChanged, onClose }: { subjectId: number; type: number | undefined; place: Place; cell: GaokaoCell | undefined; onChanged: () => Promise<unknown>; onClose: () => void }) {
  const { message } = App.useApp()
  const can = useCan()
  const wide = useWide('lg')
  const navigate = useNavigate()
  const [giving, setGiving] = useState(false)
  const title = `${place.year} 年 ${EXAM_REGIONS.find(({ id }) => id === place.region_id)?.name ?? ''}`
  const make = useMutation({
    mutationFn: () => call(makeGaokao, { cat_id: subjectId, ...place, ...(type !== undefined && { gaokao_type: type }) }, { quiet: true }),
    onSuccess: async ({ id, name, questions }) => {
      void message.success(`已建「${name}」${questions > 0 ? `，收入 ${questions} 题` : ''}`)
      await onChanged()
      await navigate(paperPath(id))
    },
    onError: (reason) => void message.error(reason.message, 5),
  })
  const [papers, loose, order] = [cell?.papers ?? [], cell?.loose ?? 0, cell?.order ?? null]
  return (
    <Drawer open size={wide ? 560 : '100%'} title={title} onClose={onClose}>
      <div className="bc-drawer">
        {papers.map((paper) => (
          <section key={paper.id} aria-label={paper.name}>
            <h2 className="bc-title"><Link to={paperPath(paper.id)}>{paper.name}</Link> <small className="note">{paper.live ? '已上架' : '未上架'}</small></h2>
            <p className="figure">{partsOf(paper).map(({ word, n, of }) => (word === '题' ? `${of} 题` : `${word} ${n}/${of}`)).join(' · ')}</p>
            <Gaps paper={paper} />
          </section>
        ))}
        {papers.length === 0 && <p>{loose > 0 ? `正式题库有这份卷的 ${loose} 道题，还没有成卷。` : '还没有这份卷，题库里也没有它的题。'}</p>}
        {order && <Alert type="info" showIcon title={`${order.staff_name ?? '已离职员工'} 正在录入，${formatDate(order.due_at)} 截止`} action={can(TRAINING) && <Link to={`/practiceBook/content/training?show=orders&open=${order.id}`}>查看</Link>} />}
        <Space wrap>
          {papers.length === 0 && can(GAOKAO_RIGHTS.id('edit')) && <Button type={loose > 0 ? 'primary' : 'default'} loading={make.isPending} onClick={() => make.mutate()}>{loose > 0 ? '用这些题成卷' : '新建空卷'}</Button>}
          {papers.length === 0 && <Link to="/practice/back"><Button>到题库导入真题</Button></Link>}
          {papers.length === 0 && !order && can(standardId(TRAINING, 'edit')) && <Button onClick={() => setGiving(true)}>派写题任务</Button>}
        </Space>
      </div>
      {giving && <OrderDialog title={title} most={USUAL_QUESTIONS} hole={{ kind: 'gaokao', subject_id: subjectId, ...place }} onClose={() => setGiving(false)} onDone={async () => { setGiving(false); await onChanged() }} />}
    </Drawer>
  )
}

/** 高考题: years against regions of a subject; each cell says how far its paper is. */
export default function GaokaoScreen() {
  const wide = useWide('lg')
  const subjects = useSubjects(0)
  const [address, setAddress] = useSearchParams()
  const [holesOnly, setHolesOnly] = useState(false)
  const [all, setAll] = useState(false)
  const subjectId = Number(address.get('cat_id')) || subjects[0]?.id
  const type = Number(address.get('gaokao_type')) || undefined
  const { data, error, refetch } = useQuery({
    queryKey: ['gaokao', subjectId, type], enabled: subjectId !== undefined, staleTime: 0,
    queryFn: ({ signal }) => call(readGaokao, { cat_id: String(subjectId), ...(type !== undefined && { gaokao_type: String(type) as '1' }) }, { signal, quiet: true }),
  })
  if (subjectId === undefined) return <Empty description="没有可以查看的高中学科" />
  const go = (part: Readonly<Record<string, string | undefined>>) => setAddress((now) => {
    const next = new URLSearchParams(now)
    for (const [key, value] of Object.entries(part)) if (value === undefined) next.delete(key)
    else next.set(key, value)
    return next
  })
  const cellOf = (year: number, regionId: number) => data?.cells.find((cell) => cell.year === year && cell.region_id === regionId)
  const years = (data?.years ?? []).slice(0, wide ? 10 : 4)
  // National papers are what everybody looks for; of the provinces those that have something.
  const regions = EXAM_REGIONS.filter(({ id, kind }) => (all || kind === 'national' || data?.cells.some((cell) => cell.region_id === id)) && (!holesOnly || years.some((year) => (cellOf(year, id)?.papers.length ?? 0) === 0)))
  const papers = data?.cells.flatMap((cell) => cell.papers) ?? []
  const place = address.get('at')?.split('-').map(Number)
  const at = place && place.length === 2 ? { year: place[0] ?? 0, region_id: place[1] ?? 0 } : undefined
  return (
    <div className="bc">
      <div className="bc-line">
        <p><Select aria-label="学科" value={subjectId} onChange={(id: number) => go({ cat_id: String(id), at: undefined })} options={subjects.map(({ id, name }) => ({ value: id, label: name }))} popupMatchSelectWidth={false} />{' '}
          <Select aria-label="高考类型" allowClear placeholder="新旧高考" value={type ?? null} onChange={(value: number | null) => go({ gaokao_type: value ? String(value) : undefined })} options={TYPES.map(({ value, label }) => ({ value, label }))} popupMatchSelectWidth={false} />{' '}
          <span className="figure" aria-live="polite">{data && `${papers.length} 份卷 ${papers.reduce((sum, { questions }) => sum + questions, 0)} 题，缺解析 ${papers.reduce((sum, one) => sum + one.questions - one.analysed, 0)}、视频 ${papers.reduce((sum, one) => sum + one.questions - one.filmed, 0)}、标签 ${papers.reduce((sum, one) => sum + one.questions - one.labelled, 0)}`}</span></p>
        <Space wrap><span className="note">柱：题 · 解析 · 视频 · 标签</span><Checkbox checked={holesOnly} onChange={(event) => setHolesOnly(event.target.checked)}>只看缺卷</Checkbox><Checkbox checked={all} onChange={(event) => setAll(event.target.checked)}>全部卷区</Checkbox></Space>
      </div>
      {error && <Alert type="warning" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />}
      {!data && !error && <Skeleton active paragraph={{ rows: 10 }} />}
      {data && (
        <Table size="small" rowKey="id" pagination={false} dataSource={[...regions]} scroll={{ x: 'max-content' }} locale={{ emptyText: <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有缺卷的卷区" /> }} columns={[
          { title: '卷区', dataIndex: 'name', width: 110, fixed: 'left' },
          ...years.map((year) => ({ title: String(year), key: year, width: 92, render: (_value: unknown, { id, name }: (typeof EXAM_REGIONS)[number]) => <Cell cell={cellOf(year, id)} name={`${year} 年 ${name}`} onOpen={() => go({ at: `${year}-${id}` })} /> })),
        ]} />
      )}
      {at && data && <CellDrawer key={`${at.year} ${at.region_id}`} subjectId={subjectId} type={type} place={at} cell={cellOf(at.year, at.region_id)} onChanged={() => refetch()} onClose={() => go({ at: undefined })} />}
    </div>
  )
}
