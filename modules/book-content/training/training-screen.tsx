import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Skeleton } from 'antd'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { request } from '../../../core/endpoint/call.tsx'
import { Picker } from '../../../core/field/reference.tsx'
import { ListsPage, type ListsPageView } from '../../../core/list/lists-page.tsx'
import { useCan } from '../../../core/session/staff-context.tsx'
import { book } from '../../book/module.ts'
import { trainMaterial } from '../material/material.ts'
import materialView from '../material/material-view.tsx'
import orderView from '../order/order-view.tsx'
import { writingOrder } from '../order/writing-order.ts'
import { TrainingMap } from './training-map.tsx'
import '../book-content.css'

/** Key under which the book that was open last comes back. */
const LAST = 'book-training'

/** The map of holes of the book that the address names; from the menu the last one comes back, or the newest. */
function BookMap() {
  const [address, setAddress] = useSearchParams()
  const asked = Number(address.get('book_id')) || undefined
  const known = asked ?? (Number(sessionStorage.getItem(LAST)) || undefined)
  const { data, error, refetch } = useQuery({
    queryKey: ['newest-book'], enabled: known === undefined,
    queryFn: async ({ signal }) => ((await request<Record<string, { id: number }[]>>('GET', book.api.list, { page_size: 1 }, { signal, quiet: true }))[book.api.reply.items] ?? [])[0] ?? null,
  })
  useEffect(() => {
    if (asked !== undefined) sessionStorage.setItem(LAST, String(asked))
  }, [asked])
  if (known === undefined && error) return <Alert type="warning" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  if (known === undefined && data === undefined) return <Skeleton active />
  const id = known ?? data?.id
  return (
    <div className="bc">
      <div className="bc-book"><Picker target={book} id={undefined} label="图书" value={id} onChange={(picked) => setAddress(picked === null ? {} : { book_id: String(picked) })} /></div>
      {id === undefined ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有图书，新建图书后在这里查看各章的训练" /> : <TrainingMap key={id} bookId={id} />}
    </div>
  )
}

const VIEWS = {
  map: { key: 'map', label: '缺题地图', Content: BookMap },
  materials: { key: 'materials', label: '训练素材', resource: trainMaterial, presentation: materialView },
  orders: { key: 'orders', label: '写题任务', resource: writingOrder, presentation: orderView },
} satisfies Record<string, ListsPageView>

/** 训练: what the chapters of a book have and lack, the pages that are made of it, and who writes what is missing. */
export default function TrainingScreen() {
  const can = useCan()
  return <ListsPage label="缺题地图、训练素材或写题任务" views={[VIEWS.map, ...(can(trainMaterial.grant) ? [VIEWS.materials] : []), VIEWS.orders]} />
}
