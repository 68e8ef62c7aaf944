import { DownloadOutlined, PlusOutlined, UploadOutlined } from '@ant-design/icons'
import { useQueryClient } from '@tanstack/react-query'
import { App, Button, Cascader, Drawer, Empty, Space, Tabs, Tag } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { RecordForm } from '../../../core/form/record-form.tsx'
import { standardId } from '../../../core/grant/grant.ts'
import { ListPage } from '../../../core/list/list-page.tsx'
import { useCan } from '../../../core/session/staff-context.tsx'
import { useWide } from '../../../core/ui/use-media.tsx'
import { SheetDialog } from '../outline/sheet-dialog.tsx'
import { EditTree } from '../ui/edit-tree.tsx'
import { SubjectSelect } from '../ui/subject-select.tsx'
import { useMoved } from '../ui/use-moved.tsx'
import { useSubjects, useVersions } from '../ui/use-practice.tsx'
import { catalogs, chapterLabels, moveChapter, readChapterSheet, type Catalog } from './calls.ts'
import { ChapterPanel } from './chapter-panel.tsx'
import { chapter, materialVersion, partwork } from './textbook.ts'
import { Unmapped } from './unmapped.tsx'
import { useReloadChapters } from './use-chapters.tsx'
import '../../../core/list/list.css'
import '../ui/bank.css'
import '../label/label.css'

const EDIT = standardId(chapter.grant, 'edit')

/** The chapters of one book at the left, what a chapter teaches at the right. */
function Chapters() {
  const { message } = App.useApp()
  const client = useQueryClient()
  const can = useCan()
  const wide = useWide('lg')
  const reload = useReloadChapters()
  const tellMoved = useMoved()
  const subjects = useSubjects()
  const [address, setAddress] = useSearchParams()
  const [expanded, setExpanded] = useState<number[]>([])
  const [adding, setAdding] = useState(false)
  const [importing, setImporting] = useState(false)
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
  const show = async (id: number | undefined) => {
    go({ id: id === undefined ? undefined : String(id) })
    if (id === undefined) return
    const { above } = await client.fetchQuery({ queryKey: ['chapter-labels', id], queryFn: () => call(chapterLabels, undefined, { params: { id } }) })
    setExpanded((known) => [...new Set([...known, ...above.map((one) => one.id)])])
  }
  const open = (id: number | undefined) => void show(id).catch(() => undefined)
  const move = async (node: Pick<Catalog, 'id' | 'name'>, parent: Catalog | undefined, before: number | undefined, was?: { parent: Catalog | undefined; before: number | undefined }) => {
    try {
      await call(moveChapter, { parent_id: parent?.id ?? null, ...(before !== undefined && { before_id: before }) }, { params: { id: node.id }, keepEmpty: true })
      if (parent && !expanded.includes(parent.id)) setExpanded([...expanded, parent.id])
      if (was) tellMoved(node.name, () => move(node, was.parent, was.before))
      else void message.success('已放回原处')
    } finally {
      await reload()
    }
  }
  if (subjectId === undefined) return <Empty description="没有可以查看的学科" />
  const panel = selected !== undefined && <ChapterPanel key={selected} id={selected} onShow={open} />
  return (
    <div className="labels">
      <aside className="labels-tree" aria-label="教材目录">
        <SubjectSelect value={subjectId} onChange={(id) => { setExpanded([]); go({ cat_id: String(id), partwork_id: undefined, id: undefined }) }} />
        {versions.length > 0 && (
          <Cascader className="wide" allowClear={false} aria-label="教材版本和册别" placeholder="选择教材" value={version && bookId ? [version.id, bookId] : []} showSearch
            options={versions.map((one) => ({ value: one.id, label: one.version, disabled: one.partworks.length === 0, children: one.partworks.map((book) => ({ value: book.id, label: book.name })) }))}
            onChange={(ids) => { setExpanded([]); go({ partwork_id: String(ids[1]), id: undefined }) }} />
        )}
        {bookId !== undefined && (
          <Space size={4} wrap>
            {mayEdit && <Button size="small" icon={<PlusOutlined />} onClick={() => setAdding(true)}>新增</Button>}
            {mayEdit && <Button size="small" icon={<UploadOutlined />} onClick={() => setImporting(true)}>导入</Button>}
            <Button size="small" icon={<DownloadOutlined />} href={`/daoyuan/api/end/chapter_sheets?partwork_id=${bookId}`}>导出</Button>
          </Space>
        )}
        {bookId === undefined ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="该学科还没有教材" /> : (
          <EditTree<Catalog> key={bookId} queryKey={['catalogs', bookId, 'edit']} height={wide ? 600 : 420} empty="本册还没有章节，可以新增或导入"
            read={async (pid, signal) => (await call(catalogs, pid === undefined ? { partwork_id: String(bookId) } : { pid: String(pid) }, { signal, quiet: true })).catalogs}
            title={(node) => <>{node.name}{!node.has_children && node.label_count === 0 && <Tag className="chapter-unmapped" color="warning">未对应</Tag>}<span className="label-count">{node.practice_count || ''}</span></>}
            selected={selected} onSelect={(node) => go({ id: node && String(node.id) })} expanded={expanded} onExpand={setExpanded}
            onMove={mayEdit ? (node, parent, before, was) => void move(node, parent, before, was).catch(() => undefined) : undefined} />
        )}
      </aside>
      <div className="labels-main">{(wide && panel) || (bookId === undefined ? <Empty description="请先在「教材版本」和「册别」中建立教材" /> : <Unmapped bookId={bookId} mayEdit={mayEdit} onOpen={open} />)}</div>
      {!wide && <Drawer open={selected !== undefined} size="100%" title="章节" onClose={() => go({ id: undefined })}>{panel}</Drawer>}
      {adding && bookId !== undefined && <RecordForm resource={chapter} start={{ partwork_id: bookId }} onClose={() => setAdding(false)} onSaved={(saved) => { void reload(); open(saved.id) }} />}
      {importing && bookId !== undefined && <SheetDialog title="导入目录" levels="一级到四级的名称" facts="页码" onClose={() => setImporting(false)} onDone={() => { setImporting(false); void reload() }}
        read={(file_id, mode, write) => call(readChapterSheet, { partwork_id: bookId, file_id, mode, write }, { keepEmpty: true })} />}
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
