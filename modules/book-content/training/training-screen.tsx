import { Empty, Segmented } from 'antd'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Picker } from '../../../core/field/reference.tsx'
import { ListPage } from '../../../core/list/list-page.tsx'
import { useCan } from '../../../core/session/staff-context.tsx'
import { book } from '../../book/module.ts'
import { trainMaterial } from '../material/material.ts'
import materialView from '../material/material-view.tsx'
import orderView from '../order/order-view.tsx'
import { writingOrder } from '../order/writing-order.ts'
import { TrainingMap } from './training-map.tsx'
import '../book-content.css'

const SHOWN = [{ value: 'map', label: '缺题地图' }, { value: 'materials', label: '训练素材' }, { value: 'orders', label: '写题任务' }] as const
type Shown = (typeof SHOWN)[number]['value']

/** Key under which the book that was open last comes back. */
const LAST = 'book-training'

/** The map of holes of the book that the address names; from the menu the last one comes back. */
function BookMap() {
  const [address, setAddress] = useSearchParams()
  const asked = Number(address.get('book_id')) || undefined
  const id = asked ?? (Number(sessionStorage.getItem(LAST)) || undefined)
  useEffect(() => {
    if (asked !== undefined) sessionStorage.setItem(LAST, String(asked))
  }, [asked])
  return (
    <>
      <div className="bc-book"><Picker target={book} id={undefined} label="图书" value={id} onChange={(picked) => setAddress(picked === null ? {} : { book_id: String(picked) })} /></div>
      {id === undefined ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="选择图书后查看各章的训练" /> : <TrainingMap key={id} bookId={id} />}
    </>
  )
}

/** 训练: what the chapters of a book have and lack, the pages that are made of it, and who writes what is missing. */
export default function TrainingScreen() {
  const can = useCan()
  const [address, setAddress] = useSearchParams()
  const asked = SHOWN.find(({ value }) => value === address.get('show'))?.value
  const [shown, setShown] = useState<Shown>(asked ?? 'map')
  const [seen, setSeen] = useState(asked)
  if (asked !== seen) {
    setSeen(asked)
    if (asked) setShown(asked)
  }
  // A list reads the rest of the address as its filters, once it is told which list it is.
  useEffect(() => {
    if (asked) setAddress((now) => { const next = new URLSearchParams(now); next.delete('show'); return next }, { replace: true })
  }, [asked, setAddress])
  const show = (next: Shown) => {
    setShown(next)
    setAddress({})
  }
  return (
    <div className="bc">
      <Segmented<Shown> aria-label="缺题地图、训练素材或写题任务" value={shown} onChange={show} options={SHOWN.filter(({ value }) => value !== 'materials' || can(trainMaterial.grant)).map(({ value, label }) => ({ value, label }))} />
      {!asked && shown === 'map' && <BookMap />}
      {!asked && shown === 'materials' && <ListPage key="materials" resource={trainMaterial} presentation={materialView} />}
      {!asked && shown === 'orders' && <ListPage key="orders" resource={writingOrder} presentation={orderView} />}
    </div>
  )
}
