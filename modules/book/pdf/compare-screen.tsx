import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Segmented, Skeleton, Space, Switch } from 'antd'
import { useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { useUnsavedWork } from '../../../core/form/unsaved.tsx'
import { standardId } from '../../../core/grant/grant.ts'
import { useCan } from '../../../core/session/staff-context.tsx'
import { usePageKeys } from '../../../core/ui/use-page-keys.tsx'
import { bookPage } from '../book-page.ts'
import { LAYERS, type Hotspot } from '../hotspot.ts'
import { PageCanvas } from '../pages/page-canvas.tsx'
import { useSpots } from '../pages/use-spots.tsx'
import { decideLost, PDF_STATE, readCompared, savePdfPage, UNREAD, usePdf, type Compared, type ComparedPage } from './calls.ts'
import { PAGE_NOTE } from './carry.ts'
import { LostList } from './lost-list.tsx'

const NOTES: Readonly<Record<number, string>> = { [PAGE_NOTE.fresh]: '新页', [PAGE_NOTE.byPlace]: '按位置带入，请核对', [PAGE_NOTE.moved]: '有移动', [UNREAD]: '无法读取' }

/** 对版: the pages of a new file beside those of now. */
export function CompareScreen({ id, onClose }: { id: number; onClose: () => void }) {
  const { data, error, refetch } = useQuery({ queryKey: ['book-pdf', id], queryFn: ({ signal }) => call(readCompared, undefined, { params: { id }, signal, quiet: true }), staleTime: 0 })
  if (error) return <Alert type="warning" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  if (!data) return <Skeleton active paragraph={{ rows: 12 }} />
  return <Loaded data={data} onClose={onClose} reload={async () => { await refetch() }} />
}

function Loaded({ data, onClose, reload }: { data: Compared; onClose: () => void; reload: () => Promise<void> }) {
  const { message, modal } = App.useApp()
  const client = useQueryClient()
  const can = useCan()
  const { pdf, pages, before, lost } = data
  const editable = pdf.state === PDF_STATE.ready && can(standardId(bookPage.grant, 'edit'))
  const dirty = useUnsavedWork().some(({ what }) => what.endsWith('页的热区'))
  const [no, setNo] = useState(pages[0]?.page_no ?? 1)
  const [only, setOnly] = useState(false)
  const [busy, setBusy] = useState(false)
  const open = lost.filter(({ done }) => done === null)
  const page = pages.find(({ page_no }) => page_no === no) ?? pages[0]
  const marked = pages.filter(({ note }) => note !== PAGE_NOTE.none)
  const go = (to: number | undefined) => {
    if (to === undefined || to === no) return
    if (!dirty) return setNo(to)
    modal.confirm({ title: '本页热区还没有保存', content: '离开后未保存的修改会丢失。', okText: '不保存，离开', onOk: () => setNo(to) })
  }
  const step = (by: number) => go(pages[pages.findIndex(({ page_no }) => page_no === no) + by]?.page_no)
  usePageKeys({ j: () => step(1), k: () => step(-1), n: () => go((marked.find(({ page_no }) => page_no > no) ?? marked[0])?.page_no) })
  const act = async (work: () => Promise<unknown>, said: string): Promise<boolean> => {
    setBusy(true)
    try {
      await work()
      void message.success(said)
      return true
    } catch (failure) {
      void message.error(failure instanceof Error ? failure.message : '操作失败', 5)
      return false
    } finally {
      setBusy(false)
      await reload()
    }
  }
  const decide = (keys: readonly string[], to?: number) => void act(() => call(decideLost, { keys: [...keys], ...(to !== undefined && { page_no: to }) }, { params: { id: pdf.id }, quiet: true }), to === undefined ? '已标为不再需要' : `已放到第 ${to} 页，请调整位置`)
  const adopt = () => modal.confirm({
    title: `采用「${pdf.name}」？`, content: `电子书换为新的 ${pages.length} 页，原有页面和热区随以前的印次保留。`, okText: '采用',
    onOk: async () => {
      if (!await act(() => call(usePdf, undefined, { params: { id: pdf.id }, quiet: true }), '已采用，电子书已换为新页面')) return
      await Promise.all([client.invalidateQueries({ queryKey: ['peb-pages'] }), client.invalidateQueries({ queryKey: ['book-pdfs'] })])
      onClose()
    },
  })
  return (
    <section className="compare" aria-label="对版">
      <div className="pages-line">
        <span><b>{pdf.state === PDF_STATE.ready ? '对版' : '印刷文件'} · {pdf.name}</b> · {pages.length} 页 · 待核对 {marked.length} 页 · 未对上 {open.length} 个热区</span>
        <Space wrap>
          <Button onClick={onClose}>返回电子书</Button>
          {editable && <Button type="primary" loading={busy} disabled={open.length > 0 || dirty} title={open.length > 0 ? '请先处理没有对上的热区' : dirty ? '请先保存本页' : undefined} onClick={adopt}>采用</Button>}
        </Space>
      </div>
      <div className="pages-line">
        <span className="compare-only"><Switch size="small" aria-label="只看待核对的页" checked={only} onChange={setOnly} /> 只看待核对的页</span>
        <span className="note">J、K 换页，N 到下一个待核对的页</span>
      </div>
      <div className="pages-sides">
        <nav aria-label="新页面" className="pages-list">
          {(only ? marked : pages).map((one) => (
            <button key={one.page_no} type="button" aria-current={one.page_no === no ? 'page' : undefined} onClick={() => go(one.page_no)}>
              {one.image !== '' && <img src={one.image} alt="" loading="lazy" />}<span>第 {one.page_no} 页</span>
              <small>{one.from_page === null ? `${one.spots.length} 热区` : `原第 ${one.from_page} 页 · ${one.spots.length} 热区`}</small>{one.note !== PAGE_NOTE.none && <small data-open>{NOTES[one.note]}</small>}
            </button>
          ))}
        </nav>
        {page && <Pair key={`${pdf.id} ${page.page_no} ${page.spots.length}`} data={data} page={page} old={before.find(({ page_no }) => page_no === page.from_page)} editable={editable} reload={reload} />}
      </div>
      {lost.length > 0 && <LostList lost={lost} data={data} page={page?.page_no} editable={editable && !busy && !dirty} onDecide={decide} />}
    </section>
  )
}

/** A page of now and the new one that goes on from it: side by side, or one over the other. */
function Pair({ data, page, old, editable, reload }: { data: Compared; page: ComparedPage; old: Compared['before'][number] | undefined; editable: boolean; reload: () => Promise<void> }) {
  const [over, setOver] = useState<'beside' | 'over'>('beside')
  const [chosen, setChosen] = useState<string>()
  const editing = useSpots({ page_no: page.page_no, spots: page.spots, saved: () => void reload(), save: (spots) => call(savePdfPage, { spots: [...spots] }, { params: { id: data.pdf.id, no: page.page_no }, quiet: true }) })
  const nameOf = (spot: Hotspot) => {
    const target = data.targets.find(({ kind, id }) => kind === spot.kind && id === spot.ref_id)
    return `${LAYERS.find(({ value }) => value === spot.layer)?.label ?? ''}${spot.no === '' ? '' : ` ${spot.no}`}：${spot.ref_id === null ? '未绑定' : target?.name ?? '已被删除'}`
  }
  const still = { ...editing, spots: old?.spots ?? [], change: () => undefined }
  return (
    <div className="compare-pair">
      <div className="pages-line">
        <Segmented size="small" aria-label="对照方式" value={over} onChange={setOver} disabled={!old} options={[{ value: 'beside', label: '并排' }, { value: 'over', label: '重叠' }]} />
        {editable && <Space><Button disabled={!editing.undo} onClick={editing.undo}>撤销</Button><Button type="primary" loading={editing.busy} disabled={!editing.dirty} onClick={() => void editing.save()}>保存本页</Button></Space>}
      </div>
      <div className="compare-pages" data-over={over === 'over' && old !== undefined}>
        {old ? <figure><figcaption>原第 {old.page_no} 页</figcaption><PageCanvas image={old.image} alt={`原第 ${old.page_no} 页`} editing={still} editable={false} layer={1} chosen={chosen} onChoose={setChosen} nameOf={nameOf} /></figure> : <p className="note compare-none">{data.before.length === 0 ? '电子书还没有页面，热区按题号识别' : '没有对应的原页面，热区按题号识别'}</p>}
        <figure><figcaption>新第 {page.page_no} 页</figcaption>{page.image === '' ? <Alert type="error" showIcon title="这一页无法读取，请重新导出 PDF 后上传" /> : <PageCanvas image={page.image} alt={`新第 ${page.page_no} 页`} editing={editing} editable={editable} layer={1} chosen={chosen} onChoose={setChosen} nameOf={nameOf} />}</figure>
      </div>
    </div>
  )
}
