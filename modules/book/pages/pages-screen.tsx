import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Empty, Skeleton, Upload } from 'antd'
import { useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { call, request } from '../../../core/endpoint/call.tsx'
import { upload } from '../../../core/field/file-input.tsx'
import { Picker } from '../../../core/field/reference.tsx'
import { IMAGES } from '../../../core/file/kinds.ts'
import { standardId } from '../../../core/grant/grant.ts'
import { useCan } from '../../../core/session/staff-context.tsx'
import { useUnsavedWork } from '../../../core/form/unsaved.tsx'
import { book, BOOK_STATE } from '../book.ts'
import { bookPage, MAX_PAGES } from '../book-page.ts'
import { readPages, type BookContent } from '../calls.ts'
import { CompareScreen } from '../pdf/compare-screen.tsx'
import { PdfBar } from '../pdf/pdf-bar.tsx'
import { PageEditor } from './page-editor.tsx'
import './pages.css'

/** Key under which the book that was open last comes back. */
const LAST = 'peb-detail'

/** 电子书详情: the pages of a book that the address names; from the menu the last one comes back. */
export default function PagesScreen() {
  const [search, setSearch] = useSearchParams()
  const asked = Number(search.get('book_id')) || undefined
  const id = asked ?? (Number(sessionStorage.getItem(LAST)) || undefined)
  const pdf = Number(search.get('pdf')) || undefined
  useEffect(() => {
    if (asked !== undefined) sessionStorage.setItem(LAST, String(asked))
  }, [asked])
  return (
    <div className="pages">
      <div className="pages-bar"><Picker target={book} id={undefined} label="图书" value={id} onChange={(picked) => setSearch(picked === null ? {} : { book_id: String(picked) })} /></div>
      {id === undefined ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="选择图书后编辑电子书页面" /> : pdf !== undefined ? <CompareScreen key={pdf} id={pdf} onClose={() => setSearch({ book_id: String(id) })} /> : <Pages key={id} id={id} page={Number(search.get('page')) || undefined} onPage={(page) => setSearch({ book_id: String(id), page: String(page) }, { replace: true })} />}
    </div>
  )
}

function Pages({ id, page, onPage }: { id: number; page: number | undefined; onPage: (page: number) => void }) {
  const { data, error, refetch } = useQuery({ queryKey: ['peb-pages', id], queryFn: ({ signal }) => call(readPages, undefined, { params: { id }, signal, quiet: true }), staleTime: 0 })
  if (error) return <Alert type="warning" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  if (!data) return <Skeleton active paragraph={{ rows: 12 }} />
  return <Loaded content={data} page={page} onPage={onPage} reload={async () => { await refetch() }} />
}

function Loaded({ content, page, onPage, reload }: { content: BookContent; page: number | undefined; onPage: (page: number) => void; reload: () => Promise<void> }) {
  const { message, modal } = App.useApp()
  const can = useCan()
  const dirty = useUnsavedWork().some(({ what }) => what.endsWith('页的热区'))
  const [sending, setSending] = useState<string>()
  const editable = can(standardId(bookPage.grant, 'edit'))
  const { pages, book: row } = content
  const current = pages.find(({ page_no }) => page_no === page) ?? pages[0]
  const last = pages.at(-1)?.page_no ?? 0
  const go = (no: number) => {
    if (no === current?.page_no) return
    if (!dirty) return onPage(no)
    modal.confirm({ title: '本页热区还没有保存', content: '离开后未保存的修改会丢失。', okText: '不保存，离开', onOk: () => onPage(no) })
  }
  /** Pictures become the pages behind the last one, in the order of their names. */
  const add = async (files: readonly File[]) => {
    const sorted = [...files].sort((a, b) => a.name.localeCompare(b.name, 'zh-CN', { numeric: true }))
    let no = last
    try {
      for (const file of sorted) {
        setSending(`正在上传 ${no - last + 1} / ${sorted.length}`)
        await request('POST', bookPage.api.item, { book_id: row.id, page_no: no + 1, image: await upload(file, 'image', IMAGES.maxBytes) }, { quiet: true })
        no++
      }
      void message.success(`已添加 ${no - last} 页`)
    } catch (failure) {
      void message.error(`已添加 ${no - last} 页，第 ${no - last + 1} 个文件失败：${failure instanceof Error ? failure.message : '上传失败'}`, 5)
    } finally {
      setSending(undefined)
      await reload()
    }
  }
  return (
    <>
      <p className="pages-line">
        <span><b>{row.name}</b> · 共 {pages.length} 页 · 未绑定热区 {pages.reduce((sum, one) => sum + Number(one.unbound_cnt ?? 0), 0)} 个 · <Link to={`/practiceBook/content/pebManage?open=${row.id}`}>图书资料</Link></span>
        {editable && <Upload multiple accept={IMAGES.accept.join(',')} showUploadList={false} disabled={sending !== undefined || last >= MAX_PAGES} beforeUpload={(file, list) => { if (file === list[0]) void add(list); return false }}><Button loading={sending !== undefined}>{sending ?? '上传页面图片'}</Button></Upload>}
      </p>
      <PdfBar bookId={row.id} editable={editable && row.state !== BOOK_STATE.gone} />
      {!current ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={editable ? '还没有页面，请上传印刷文件（PDF）或按页码命名的图片' : '还没有页面'} /> : (
        <div className="pages-sides">
          <nav aria-label="页面" className="pages-list">
            {pages.map((one) => (
              <button key={one.id} type="button" aria-current={one.id === current.id ? 'page' : undefined} onClick={() => go(one.page_no)}>
                <img src={one.image} alt="" loading="lazy" /><span>第 {one.page_no} 页</span><small data-open={Number(one.unbound_cnt) > 0}>{Number(one.spot_cnt)} 热区{Number(one.unbound_cnt) > 0 && ` · ${Number(one.unbound_cnt)} 未绑`}</small>
              </button>
            ))}
          </nav>
          <PageEditor key={`${current.id} ${current.rev}`} bookId={row.id} page={current} before={pages[pages.indexOf(current) - 1]} targets={content.targets} editable={editable} reload={reload} />
        </div>
      )}
    </>
  )
}
