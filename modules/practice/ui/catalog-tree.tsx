import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Cascader, Empty, Skeleton, Tree, type TreeDataNode } from 'antd'
import { useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { catalogs, type Catalog } from '../textbook/calls.ts'
import { useVersions } from './use-practice.tsx'

interface Props {
  subjectId: number
  selected: readonly number[]
  onSelect: (ids: number[], chapters: readonly { id: number; name: string }[]) => void
  multiple?: boolean
  height?: number
}

/** Chapters of one book, which is chosen above them: version, then book. */
export function CatalogTree({ subjectId, selected, onSelect, multiple = false, height = 440 }: Props) {
  const client = useQueryClient()
  const versions = useVersions(subjectId)
  const [chosen, setChosen] = useState<{ subjectId: number; ids: number[] }>()
  const [children, setChildren] = useState<ReadonlyMap<number, readonly Catalog[]>>(new Map())
  const first = versions[0]
  const path = chosen?.subjectId === subjectId ? chosen.ids : first ? [first.id, first.partworks[0]?.id ?? 0] : []
  const partworkId = path[1]
  const top = useQuery({
    queryKey: ['catalogs', partworkId, 'top'], enabled: Boolean(partworkId), queryFn: ({ signal }) => call(catalogs, { partwork_id: String(partworkId) }, { signal }), staleTime: 60_000,
  })
  const grow = (nodes: readonly Catalog[]): TreeDataNode[] => nodes.map((node) => {
    const below = children.get(node.id)
    return { key: node.id, isLeaf: !node.has_children, title: <>{node.name}<span className="label-count">{node.practice_count || ''}</span></>, ...(below && { children: grow(below) }) }
  })
  const names = new Map([...(top.data?.catalogs ?? []), ...[...children.values()].flat()].map((node) => [node.id, node.name]))
  return (
    <div className="label-tree">
      <Cascader className="wide" allowClear={false} aria-label="教材版本和册别" placeholder="选择教材" value={path} showSearch
        options={versions.map((version) => ({ value: version.id, label: version.version, children: version.partworks.map((book) => ({ value: book.id, label: book.name })) }))}
        onChange={(ids) => setChosen({ subjectId, ids: ids.map(Number) })} />
      {versions.length > 0 && top.isPending ? <Skeleton active /> : !top.data || top.data.catalogs.length === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={versions.length === 0 ? '该学科还没有教材' : '本册还没有章节'} /> : (
        <Tree key={partworkId} blockNode virtual height={height} multiple={multiple} treeData={grow(top.data.catalogs)} selectedKeys={[...selected]}
          loadData={async ({ key }) => {
            const id = Number(key)
            if (children.has(id)) return
            const answer = await client.fetchQuery({ queryKey: ['catalogs', partworkId, id], queryFn: ({ signal }) => call(catalogs, { pid: String(id) }, { signal }), staleTime: 60_000 })
            setChildren((known) => new Map(known).set(id, answer.catalogs))
          }}
          onSelect={(keys) => onSelect(keys.map(Number), keys.map((key) => ({ id: Number(key), name: names.get(Number(key)) ?? '' })))} />
      )}
    </div>
  )
}
