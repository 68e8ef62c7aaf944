import { CopyOutlined, LinkOutlined, PlusOutlined, RobotOutlined } from '@ant-design/icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Dropdown, Empty, Input, Modal, Result, Segmented, Skeleton, Table, Tag } from 'antd'
import { useDeferredValue, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { call, request } from '../../core/endpoint/call.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { useTabTitle } from '../../core/shell/tabs-context.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { bindPaper, copyBefore, paperMatrix, papersToBind, smartIntoHole, unbindPaper, type CellPaper, type PaperMatrix } from './calls.ts'
import { coursePaper } from './course-paper.ts'
import { matrixRights } from './lesson.ts'
import { matrixPath, sectionPath, videoPath } from './paths.ts'
import { PAPER_SLOTS } from './slots.ts'
import './lesson.css'

const TONES = { ok: 'success', wait: 'warning', bad: 'error' } as const
type Section = PaperMatrix['sections'][number]
interface Hole { readonly section: Section; readonly slot: number }
const label = (slot: number) => PAPER_SLOTS.find(({ value }) => value === slot)?.label ?? ''

/** Papers of the library, or smart papers, for one hole. */
function PickDialog({ id, hole, smart, onPick, onClose }: { id: number; hole: Hole; smart: boolean; onPick: (paperId: number) => Promise<void>; onClose: () => void }) {
  const [keyword, setKeyword] = useState('')
  const [busy, setBusy] = useState<number>()
  const words = useDeferredValue(keyword.trim())
  const { data, error } = useQuery({ queryKey: ['papers-to-bind', id, words], queryFn: ({ signal }) => call(papersToBind, words === '' ? {} : { keyword: words }, { params: { id }, signal, quiet: true }) })
  const rows = smart ? data?.smart.map((one) => ({ ...one, note: '智能试卷' })) : data?.items
  const pick = async (paperId: number) => {
    setBusy(paperId)
    await onPick(paperId)
    setBusy(undefined)
  }
  return (
    <Modal open title={`${smart ? '用智能试卷补齐' : '绑定试卷到'}「${hole.section.name}」· ${label(hole.slot)}`} footer={null} onCancel={onClose}>
      <Input.Search aria-label="搜索试卷" placeholder={smart ? '搜索智能试卷' : '搜索已上架的试卷'} allowClear value={keyword} onChange={(event) => setKeyword(event.target.value)} />
      {error && <Alert type="warning" showIcon title={error.message} />}
      <ul className="video-choice">
        {rows?.map(({ id: paperId, name, note }) => <li key={paperId}><span>{name}<small>{note}</small></span><Button size="small" loading={busy === paperId} onClick={() => void pick(paperId)}>{smart ? '生成草稿' : '绑定'}</Button></li>)}
        {rows?.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={smart ? '没有该学科的智能试卷，请先组卷' : '没有已上架的试卷'} />}
      </ul>
    </Modal>
  )
}

/** What stands in a cell: papers, or a hole with the ways to fill it. */
function Cell({ section, slot, papers, may, mayMake, act }: { section: Section; slot: number; papers: readonly CellPaper[]; may: boolean; mayMake: boolean; act: (key: string, hole: Hole, paper?: CellPaper) => void }) {
  if (!section.leaf && papers.length === 0) return <span className="matrix-none">—</span>
  const items = [
    ...(mayMake ? [{ key: 'new', icon: <PlusOutlined />, label: '新建试卷' }] : []), { key: 'bind', icon: <LinkOutlined />, label: '绑定已有试卷' },
    ...(mayMake ? [{ key: 'copy', icon: <CopyOutlined />, label: '复制上一章' }, { key: 'smart', icon: <RobotOutlined />, label: '用智能试卷补齐' }] : []),
  ]
  return (
    <div className="matrix-cell" data-hole={papers.length === 0}>
      {papers.map((paper) => (
        <div key={`${paper.paper_id} ${paper.bound}`}>
          {paper.path === null ? paper.name : <Link to={paper.path}>{paper.name}</Link>} <small>{paper.questions} 题</small>
          {paper.tone !== 'ok' && <Tag color={TONES[paper.tone]}>{paper.bound ? paper.state : '待上架'}</Tag>}
          {may && paper.bound && <Button type="link" size="small" onClick={() => act('unbind', { section, slot }, paper)}>移除</Button>}
        </div>
      ))}
      {may && <Dropdown trigger={['click']} menu={{ items, onClick: ({ key }) => act(key, { section, slot }) }}><Button size="small" type={papers.length === 0 ? 'dashed' : 'link'} icon={<PlusOutlined />} aria-label={`${section.name} ${label(slot)}：添加试卷`}>{papers.length === 0 ? '缺卷' : ''}</Button></Dropdown>}
    </div>
  )
}

/** Sections against kinds of papers: what is there, what waits to be shelved, what is missing. */
function Matrix({ id, type }: { id: number; type: number }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { message } = App.useApp()
  const can = useCan()
  const [picking, setPicking] = useState<Hole & { smart: boolean }>()
  const [waits, setWaits] = useState<string | null>(null)
  const { data, error } = useQuery({ queryKey: ['paper-matrix', id], queryFn: ({ signal }) => call(paperMatrix, undefined, { params: { id }, signal, quiet: true }) })
  useTabTitle(data && `${data.lesson.name} · 试卷`)
  if (error) return <Result status="warning" title={error.message} extra={<Link to="/course/list">返回课程列表</Link>} />
  if (!data) return <Skeleton active paragraph={{ rows: 10 }} />
  const [may, mayMake] = [can(matrixRights.id('edit')), can(coursePaper.actions.create)]
  const settle = async (work: Promise<PaperMatrix>, words: string): Promise<void> => {
    try {
      const next = await work
      setWaits(next.waits ?? null)
      client.setQueryData(['paper-matrix', id], next)
      setPicking(undefined)
      void message.success(words)
    } catch {
      // What was refused has been said by the call.
    }
  }
  const place = ({ section, slot }: Hole) => ({ section_id: section.id, slot })
  const params = { id }
  const acts: Readonly<Record<string, (hole: Hole, paper?: CellPaper) => void>> = {
    bind: (hole) => setPicking({ ...hole, smart: false }),
    smart: (hole) => setPicking({ ...hole, smart: true }),
    copy: (hole) => void settle(call(copyBefore, place(hole), { params }), '已复制为草稿，上架后学员可见'),
    unbind: ({ section, slot }, paper) => void settle(call(unbindPaper, { section_id: String(section.id), slot: String(slot), paper_id: String(paper?.paper_id ?? 0) }, { params }), '已移除'),
    new: ({ section, slot }) => void request<WireRow>('POST', coursePaper.api.item, { name: `${section.name}${label(slot)}`.slice(0, 100), subject_id: data.lesson.cat_id, lesson_id: id, section_id: section.id, slot })
      .then((made) => navigate(`/course/paper/addPractice/${made.id}`), () => undefined),
  }
  const leaves = data.sections.filter(({ leaf }) => leaf)
  const holes = leaves.filter(({ cells }) => (cells[String(type)] ?? []).length === 0).length
  const slots = PAPER_SLOTS.toSorted((a, b) => Number(b.value === type) - Number(a.value === type))
  return (
    <>
      <nav className="lesson-ways" aria-label="课程"><h1>{data.lesson.name}</h1><Link to={sectionPath(id)}>章节</Link><Link to={videoPath(id)}>视频</Link></nav>
      <Segmented<number> aria-label="试卷类型" value={type} onChange={(next) => void navigate(matrixPath(id, next), { replace: true })} options={PAPER_SLOTS.map(({ value, label: name }) => ({ value, label: name }))} />
      <p className="review-note" aria-live="polite">{leaves.length === 0 ? '还没有章节，请先建立章节' : holes === 0 ? `${label(type)}：${leaves.length} 节都有试卷` : `${label(type)}：${leaves.length} 节中 ${holes} 节缺卷`}</p>
      {waits !== null && <Alert type="warning" showIcon title={waits} action={<Link to={sectionPath(id)}>去发布</Link>} />}
      <Table<Section> size="small" rowKey="id" pagination={false} dataSource={data.sections} scroll={{ x: 'max-content' }} locale={{ emptyText: <Empty description={<Link to={sectionPath(id)}>建立章节</Link>} /> }} columns={[
        { title: '章节', dataIndex: 'name', fixed: 'left', width: 180, render: (name: string, { depth }) => <span style={{ paddingInlineStart: depth * 16 }}>{name}</span> },
        ...slots.map(({ value, label: name }) => ({ title: name, key: value, className: value === type ? 'matrix-asked' : '', render: (_value: unknown, section: Section) => <Cell section={section} slot={value} papers={section.cells[String(value)] ?? []} may={may} mayMake={mayMake} act={(key, hole, paper) => acts[key]?.(hole, paper)} /> })),
      ]} />
      {picking && <PickDialog id={id} hole={picking} smart={picking.smart} onClose={() => setPicking(undefined)}
        onPick={(paperId) => settle(picking.smart ? call(smartIntoHole, { ...place(picking), smart_id: paperId }, { params }) : call(bindPaper, { ...place(picking), paper_id: paperId }, { params }), picking.smart ? '已生成草稿，上架后学员可见' : '已绑定')} />}
    </>
  )
}

/** 课程试卷: a course's papers of all kinds, the one that the address names first. */
export default function MatrixScreen() {
  const { type, id } = useParams()
  const [asked, lessonId] = [Number(type), Number(id)]
  const slot = PAPER_SLOTS.find(({ value }) => value === asked)?.value
  if (slot === undefined || !lessonId) return <Result status="warning" title="没有这类试卷" extra={<Link to="/course/paper/list">返回试卷列表</Link>} />
  return <section className="lesson-page"><Matrix key={lessonId} id={lessonId} type={slot} /></section>
}
