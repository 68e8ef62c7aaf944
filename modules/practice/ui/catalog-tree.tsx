import { Cascader, Empty } from 'antd'
import { useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import type { TreeSource } from '../../../core/tree/source.tsx'
import { TreePane } from '../../../core/tree/tree-pane.tsx'
import { catalogs, type Catalog } from '../textbook/calls.ts'
import { chosenAfter } from './label-tree.tsx'
import { useVersions } from './use-practice.tsx'

interface Props {
  subjectId: number
  selected: readonly number[]
  onSelect: (ids: number[], chapters: readonly { id: number; name: string }[]) => void
  multiple?: boolean
  height?: number
}

type Picked = Catalog & { readonly below: number }

/** Chapters of a book as everybody may read them. */
const catalogSource = (partworkId: number): TreeSource<Picked> => ({
  key: ['catalogs', partworkId, 'pick'],
  level: async (parent, signal) => (await call(catalogs, parent === undefined ? { partwork_id: String(partworkId) } : { pid: String(parent) }, { ...(signal && { signal }) })).catalogs
    .map((node) => ({ ...node, below: node.has_children ? 1 : 0 })),
})

/** Chapters of one book, which is chosen above them: version, then book. */
export function CatalogTree({ subjectId, selected, onSelect, multiple = false, height = 440 }: Props) {
  const versions = useVersions(subjectId)
  const [chosen, setChosen] = useState<{ subjectId: number; ids: number[] }>()
  const first = versions[0]
  const path = chosen?.subjectId === subjectId ? chosen.ids : first ? [first.id, first.partworks[0]?.id ?? 0] : []
  const partworkId = path[1]
  return (
    <div className="label-tree">
      <Cascader className="wide" allowClear={false} aria-label="教材版本和册别" placeholder="选择教材" value={path} showSearch
        options={versions.map((version) => ({ value: version.id, label: version.version, children: version.partworks.map((book) => ({ value: book.id, label: book.name })) }))}
        onChange={(ids) => setChosen({ subjectId, ids: ids.map(Number) })} />
      {partworkId ? (
        <TreePane<Picked> key={partworkId} label="章节" source={catalogSource(partworkId)} height={height} empty="本册还没有章节" selected={selected}
          title={(node) => <>{node.name}<span className="label-count">{node.practice_count || ''}</span></>}
          onSelect={(node) => {
            const ids = chosenAfter(selected, node.id, multiple)
            onSelect(ids, ids.map((id) => ({ id, name: id === node.id ? node.name : '' })))
          }} />
      ) : <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="该学科还没有教材" />}
    </div>
  )
}
