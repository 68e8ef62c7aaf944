import { ArrowDownOutlined, ArrowUpOutlined, DeleteOutlined } from '@ant-design/icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Empty, Segmented, Skeleton, Space, Tag } from 'antd'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { Picker } from '../../core/field/reference.tsx'
import { resourceEndpoints, type WireRow } from '../../core/resource/endpoints.ts'
import { useCan } from '../../core/session/staff-context.tsx'
import { useSaid } from '../../core/undo/use-said.tsx'
import { relationGraph, setRelations } from './calls.ts'
import { lesson } from './lesson.ts'
import { RelationGraph } from './relation-graph.tsx'
import { lessonRelation, relationRights } from './relation.ts'
import { RELATION, RELATIONS, type RelationKind } from './relation-kind.ts'
import './lesson.css'

type Row = WireRow<typeof lessonRelation>
const { list } = resourceEndpoints(lessonRelation)

const WORDS: Readonly<Record<RelationKind, string>> = {
  [RELATION.before]: '学员要先学完这些课程', [RELATION.bundle]: '开通主课程时一起开通，价格合并计算', [RELATION.gift]: '开通主课程时一起赠送', [RELATION.alike]: '向学员推荐的同类课程，互不影响',
}

/** The courses that go with one in one way: chosen, put in order, saved as a whole. */
function KindPane({ id, kind, rows, may, onSaved }: { id: number; kind: RelationKind; rows: readonly Row[]; may: boolean; onSaved: () => void }) {
  const said = useSaid()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const ids = rows.map(({ child_id }) => child_id)
  const save = async (next: readonly number[], words: string) => {
    setBusy(true)
    setProblem(undefined)
    try {
      await call(setRelations, { parent_id: id, child_ids: [...next], kind }, { quiet: true })
      said({ words, instead: { label: '改回原来的', run: () => void call(setRelations, { parent_id: id, child_ids: ids, kind }).then(onSaved, () => undefined) } })
      onSaved()
    } catch (error) {
      setProblem(error instanceof Error ? error.message : '保存失败，请重试')
    } finally {
      setBusy(false)
    }
  }
  const swap = (at: number, by: number) => {
    const next = [...ids]
    const [moved] = next.splice(at, 1)
    if (moved !== undefined) next.splice(at + by, 0, moved)
    void save(next, '已调整顺序')
  }
  return (
    <div className="relation-pane">
      <p className="review-note">{WORDS[kind]}</p>
      {may && <Picker target={lesson} id={undefined} label="要关联的课程" value={undefined} disabled={busy} onChange={(picked) => { if (picked !== null) void save([...new Set([...ids, picked])], '已关联') }} />}
      {problem !== undefined && <Alert type="error" showIcon closable={{ onClose: () => setProblem(undefined) }} title={problem} />}
      {rows.length === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有关联课程" /> : (
        <ol className="relation-list">
          {rows.map((row, at) => (
            <li key={row.id}>
              <Link to={`/course/relation?lesson_id=${row.child_id}`}>{row.child_name}</Link>
              {row.is_parent ? <Tag>还有下级</Tag> : null}
              {may && (
                <Space size={0}>
                  <Button type="text" size="small" icon={<ArrowUpOutlined />} aria-label={`上移 ${row.child_name ?? ''}`} disabled={busy || at === 0} onClick={() => swap(at, -1)} />
                  <Button type="text" size="small" icon={<ArrowDownOutlined />} aria-label={`下移 ${row.child_name ?? ''}`} disabled={busy || at === rows.length - 1} onClick={() => swap(at, 1)} />
                  <Button type="text" size="small" danger icon={<DeleteOutlined />} aria-label={`解除 ${row.child_name ?? ''}`} disabled={busy} onClick={() => void save(ids.filter((one) => one !== row.child_id), '已解除关联')} />
                </Space>
              )}
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}

/** What goes with one course, and where it stands among all that are connected with it. */
function Relations({ id }: { id: number }) {
  const client = useQueryClient()
  const may = useCan()(relationRights.id('edit'))
  const [kind, setKind] = useState<RelationKind>(RELATION.bundle)
  const rows = useQuery({ queryKey: ['lesson-relations', id], queryFn: async ({ signal }) => ((await call(list, { parent_id: String(id), page_size: '200' }, { signal, quiet: true })) as { items: Row[] }).items })
  const graph = useQuery({ queryKey: ['lesson-graph', id], queryFn: ({ signal }) => call(relationGraph, undefined, { params: { id }, signal, quiet: true }) })
  const reload = () => void Promise.all([client.invalidateQueries({ queryKey: ['lesson-relations'] }), client.invalidateQueries({ queryKey: ['lesson-graph'] })])
  const error = rows.error ?? graph.error
  if (error) return <Alert type="warning" showIcon title={error.message} />
  if (!rows.data || !graph.data) return <Skeleton active paragraph={{ rows: 8 }} />
  const of = (value: RelationKind) => rows.data.filter((row) => row.kind === value)
  return (
    <div className="relation-panes">
      <section aria-label="关联课程">
        <Segmented<RelationKind> aria-label="关系" value={kind} onChange={setKind} options={RELATIONS.map(({ value, label }) => ({ value, label: `${label} ${of(value).length}` }))} />
        <KindPane key={`${id} ${kind}`} id={id} kind={kind} rows={of(kind)} may={may} onSaved={reload} />
      </section>
      <section aria-label="关联图"><RelationGraph graph={graph.data} id={id} /></section>
    </div>
  )
}

/** 课程关联: the course that the address names; from the menu it is chosen first, and the last one comes back. */
export default function RelationScreen() {
  const [search, setSearch] = useSearchParams()
  const asked = Number(search.get('lesson_id')) || undefined
  return (
    <section className="lesson-page">
      <div className="lesson-chooser"><Picker target={lesson} id={undefined} label="主课程" value={asked} onChange={(picked) => setSearch(picked === null ? {} : { lesson_id: String(picked) })} /></div>
      {asked === undefined ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="选择主课程后设置它的前置、打包、赠送和同类课程" /> : <Relations key={asked} id={asked} />}
    </section>
  )
}
