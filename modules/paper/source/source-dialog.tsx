import { FileAddOutlined } from '@ant-design/icons'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Drawer, Empty, Input, Select, Skeleton, Space } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { extendPresentation } from '../../../core/resource/present.tsx'
import { useCan } from '../../../core/session/staff-context.tsx'
import { cats } from '../../reference/module.ts'
import { BASE_EDIT_GRANTS } from '../paper.ts'
import paperView from '../paper-view.tsx'
import { FromSkeleton } from '../skeleton/from-skeleton.tsx'
import { STAGES } from '../stage.ts'
import { paperFromSource, paperSources } from './calls.ts'
import '../editor/paper.css'

/** What papers are made of beside the form. */
function Toolbar({ reload }: { reload: () => void }) {
  return <><FromSkeleton /><FromSources reload={reload} /></>
}

/** Makes papers of the sources that questions of the bank name, such as those of an imported set. */
function FromSources({ reload }: { reload: () => void }) {
  const can = useCan()
  const [open, setOpen] = useState(false)
  if (!BASE_EDIT_GRANTS.some((grant) => can(grant))) return null
  return (
    <>
      <Button icon={<FileAddOutlined />} onClick={() => setOpen(true)}>按来源组卷</Button>
      {open && <SourceDrawer onMade={reload} onClose={() => setOpen(false)} />}
    </>
  )
}

function SourceDrawer({ onMade, onClose }: { onMade: () => void; onClose: () => void }) {
  const { message } = App.useApp()
  const [subjectId, setSubjectId] = useState<number>()
  const [keyword, setKeyword] = useState('')
  const subjects = useQuery({ queryKey: ['cats'], queryFn: ({ signal }) => call(cats, { education_level: '9' }, { signal, quiet: true }), staleTime: 600_000 })
  const found = useQuery({
    queryKey: ['paper-sources', subjectId, keyword], enabled: subjectId !== undefined,
    queryFn: ({ signal }) => call(paperSources, { cat_id: String(subjectId), ...(keyword && { keyword }) }, { signal, quiet: true }),
  })
  const make = useMutation({
    mutationFn: (source: { source_paper: string; year: number | null }) => call(paperFromSource, { cat_id: subjectId ?? 0, source_paper: source.source_paper, ...(source.year !== null && { year: source.year }) }, { quiet: true }),
    onSuccess: ({ name, question_count }) => { void message.success(`已生成「${name}」，共 ${question_count} 题`); onMade(); void found.refetch() },
    onError: (error) => void message.error(error.message, 5),
  })
  const { detail } = STAGES[found.data?.level ?? 0] ?? STAGES[0]
  return (
    <Drawer open size={720} title="按来源组卷" onClose={onClose}>
      <Space orientation="vertical" className="paper-wide">
        <Select className="paper-wide" aria-label="学科" placeholder="选择学科" showSearch={{ optionFilterProp: 'label' }} value={subjectId ?? null} onChange={(id) => setSubjectId(id ?? undefined)}
          options={(subjects.data?.subjects ?? []).filter(({ id }) => id !== 9 && id < 300).map(({ id, name }) => ({ value: id, label: name }))} />
        <Input.Search allowClear placeholder="来源试卷" aria-label="来源试卷" onSearch={(text) => setKeyword(text.trim())} />
        <span className="paper-faint">正式题库中的试题按来源试卷和年份归到一起，题目按原卷顺序，大题按学科的题型规则。</span>
      </Space>
      {found.error && <Alert type="error" showIcon title={found.error.message} action={<Button size="small" onClick={() => void found.refetch()}>重试</Button>} />}
      {subjectId !== undefined && found.isPending && <Skeleton active />}
      {found.data?.items.length === 0 && <Empty description="没有注明来源试卷的试题" />}
      <ul className="paper-candidates">
        {(found.data?.items ?? []).map(({ source_paper, year, question_count, paper_id }) => (
          <li key={`${source_paper} ${year}`} className="paper-item-bar">
            <span>{year ?? '年份未注明'} · {source_paper} · {question_count} 题</span>
            {paper_id === null
              ? <Button size="small" type="primary" loading={make.isPending && make.variables.source_paper === source_paper && make.variables.year === year} onClick={() => make.mutate({ source_paper, year })} aria-label={`组卷 ${year ?? ''}${source_paper}`}>组卷</Button>
              : <Link to={detail.replace(':id', String(paper_id))}>查看试卷</Link>}
          </li>
        ))}
      </ul>
    </Drawer>
  )
}

/** Lists of base papers: beside what all papers have, they can be begun with a skeleton, or made of the sources of questions. */
export default extendPresentation(paperView, { slots: { toolbar: Toolbar } })
