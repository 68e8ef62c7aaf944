import { Cascader, Drawer, Empty, Tabs, Tag } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { RecordForm } from '../../../core/record/record-form.tsx'
import { standardId } from '../../../core/grant/grant.ts'
import { ListPage } from '../../../core/list/list-page.tsx'
import { useCan } from '../../../core/session/staff-context.tsx'
import type { TreeNode } from '../../../core/tree/calls.ts'
import { resourceSource } from '../../../core/tree/source.tsx'
import { TreeTools } from '../../../core/tree/tree-page.tsx'
import { TreePane } from '../../../core/tree/tree-pane.tsx'
import { useWide } from '../../../core/ui/use-media.tsx'
import { SubjectSelect } from '../ui/subject-select.tsx'
import { useSubjects, useVersions } from '../ui/use-practice.tsx'
import { ChapterPanel } from './chapter-panel.tsx'
import { chapter, materialVersion, partwork } from './textbook.ts'
import { Unmapped } from './unmapped.tsx'
import { useReloadChapters } from './use-chapters.tsx'
import '../../../core/list/list.css'
import '../ui/bank.css'
import '../label/label.css'

/** A chapter with the number of its questions, and whether it teaches nothing yet. */
const title = ({ name, below, label_count, practice_count }: TreeNode) => <>{name}{below === 0 && label_count === 0 && <Tag className="chapter-unmapped" color="warning">未对应</Tag>}<span className="label-count">{Number(practice_count) || ''}</span></>

const EDIT = standardId(chapter.grant, 'edit')

/** The chapters of one book at the left, what a chapter teaches at the right. */
function Chapters() {
  const can = useCan()
  const wide = useWide('lg')
  const reload = useReloadChapters()
  const subjects = useSubjects()
  const [address, setAddress] = useSearchParams()
  const [adding, setAdding] = useState(false)
  const subjectId = Number(address.get('cat_id')) || subjects[0]?.id
  const versions = useVersions(subjectId)
  const asked = Number(address.get('partwork_id')) || undefined
  const version = versions.find(({ partworks }) => partworks.some(({ id }) => id === asked)) ?? versions.find(({ partworks }) => partworks.length > 0)
  const bookId = version?.partworks.some(({ id }) => id === asked) ? asked : version?.partworks[0]?.id
  const selected = Number(address.get('id')) || undefined
  const mayEdit = can(EDIT)
  const go = (part: Readonly<Record<string, string | undefined>>) => {
    const next = new URLSearchParams(address)
    for (const [key, value] of Object.entries(part)) if (value === undefined) next.delete(key)
    else next.set(key, value)
    setAddress(next)
  }
  const open = (id: number | undefined) => go({ id: id === undefined ? undefined : String(id) })
  if (subjectId === undefined) return <Empty description="没有可以查看的学科" />
  const panel = selected !== undefined && <ChapterPanel key={selected} id={selected} onShow={open} />
  return (
    <div className="labels">
      <aside className="labels-tree" aria-label="教材目录">
        <SubjectSelect value={subjectId} onChange={(id) => { go({ cat_id: String(id), partwork_id: undefined, id: undefined }) }} />
        {versions.length > 0 && (
          <Cascader className="wide" allowClear={false} aria-label="教材版本和册别" placeholder="选择教材" value={version && bookId ? [version.id, bookId] : []} showSearch
            options={versions.map((one) => ({ value: one.id, label: one.version, disabled: one.partworks.length === 0, children: one.partworks.map((book) => ({ value: book.id, label: book.name })) }))}
            onChange={(ids) => { go({ partwork_id: String(ids[1]), id: undefined }) }} />
        )}
        {bookId === undefined ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="该学科还没有教材" /> : (
          <TreePane<TreeNode> key={bookId} label="章节" source={resourceSource(chapter, { partwork_id: bookId }, mayEdit)} title={title} height={wide ? 600 : 420} empty="本册还没有章节，可以新增或导入"
            selected={selected === undefined ? [] : [selected]} onSelect={({ id }) => open(id)} onChanged={reload}
            tools={<TreeTools resource={chapter} group={{ partwork_id: bookId }} onAdd={() => setAdding(true)} onChanged={() => void reload()} />} />
        )}
      </aside>
      <div className="labels-main">{(wide && panel) || (bookId === undefined ? <Empty description="请先在「教材版本」和「册别」中建立教材" /> : <Unmapped bookId={bookId} mayEdit={mayEdit} onOpen={open} />)}</div>
      {!wide && <Drawer open={selected !== undefined} size="100%" title="章节" onClose={() => go({ id: undefined })}>{panel}</Drawer>}
      {adding && bookId !== undefined && <RecordForm resource={chapter} start={{ partwork_id: bookId }} onClose={() => setAdding(false)} onSaved={(saved) => { void reload(); open(saved.id) }} />}
    </div>
  )
}

/** 电子书目录标签: chapters and what they teach, with the versions and books that they stand in (domain 1.11). */
export default function CatalogueScreen() {
  return (
    <Tabs className="catalogue" destroyOnHidden items={[
      { key: 'chapters', label: '目录与知识点', children: <Chapters /> },
      { key: 'versions', label: '教材版本', children: <ListPage resource={materialVersion} embedded={{ fixed: {} }} /> },
      { key: 'books', label: '册别', children: <ListPage resource={partwork} embedded={{ fixed: {} }} /> },
    ]} />
  )
}
