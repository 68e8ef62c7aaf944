import { useQuery } from '@tanstack/react-query'
import { TreeSelect } from 'antd'
import { useMemo } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { knowledgeTree, type LabelBranch } from '../../practice/module.ts'

interface Node {
  value: number
  title: string
  children?: Node[]
}

const nodeOf = ({ id, name, official_count, children }: LabelBranch): Node => ({ value: id, title: `${name}（${official_count}）`, ...(children && { children: children.map(nodeOf) }) })

/** Picks knowledge labels of a subject; each stands for everything below it. The number is of questions to choose from. */
export function KnowledgeSelect({ subjectId, value = [], onChange, label, id }: { subjectId: number | undefined; value?: number[]; onChange?: (ids: number[]) => void; label: string; id?: string }) {
  const { data, isFetching } = useQuery({
    queryKey: ['knowledge-tree', subjectId], enabled: subjectId !== undefined, staleTime: 300_000,
    queryFn: ({ signal }) => call(knowledgeTree, { cat_id: String(subjectId) }, { signal, quiet: true }),
  })
  const nodes = useMemo(() => (data?.items ?? []).map(nodeOf), [data])
  return (
    <TreeSelect<number[]> {...(id && { id })} multiple allowClear treeData={nodes} value={value} onChange={(ids) => onChange?.(ids)} loading={isFetching} disabled={subjectId === undefined} aria-label={label}
      placeholder={subjectId === undefined ? '请先选择学科' : '知识点不限'} maxTagCount="responsive" showSearch={{ treeNodeFilterProp: 'title' }} className="paper-wide" />
  )
}
