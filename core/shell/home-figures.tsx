import { ArrowDownOutlined, ArrowUpOutlined, HolderOutlined, MinusOutlined, MoreOutlined, PlusOutlined, UndoOutlined } from '@ant-design/icons'
import { closestCenter, DndContext, KeyboardSensor, PointerSensor, useSensor, useSensors, type DragEndEvent } from '@dnd-kit/core'
import { arrayMove, SortableContext, sortableKeyboardCoordinates, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Button, Dropdown, Skeleton, type MenuProps } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { call } from '../endpoint/call.tsx'
import { CARD_DAYS, cardKey, MOST_CARDS, readCardKey, trends, type CardDays, type TrendCard } from '../module/dashboard.ts'
import { usePreference } from '../preference/use-preference.tsx'
import { change, figure, linePoints } from './trend-figures.ts'

const AddFigure = lazy(async () => ({ default: (await import('./add-figure.tsx')).AddFigure }))

/** How old figures may be, in milliseconds: each says until when it counts in the address of its list. */
const FRESH = 300_000
/** Size of a line, in pixels. */
const WIDTH = 112
const HEIGHT = 32

const ways = { up: <ArrowUpOutlined aria-label="上升" />, down: <ArrowDownOutlined aria-label="下降" />, same: <MinusOutlined aria-label="持平" /> }

/** Bit by bit, with the stretch before dashed. */
function Line({ values, before_values: before }: Pick<TrendCard, 'values' | 'before_values'>) {
  const most = Math.max(...values, ...before, 1)
  const points = (line: readonly number[]) => linePoints(line, most, WIDTH, HEIGHT)
  return (
    <svg className="figure-line" width={WIDTH} height={HEIGHT} viewBox={`-1 -1 ${WIDTH + 2} ${HEIGHT + 2}`} aria-hidden>
      <polyline points={points(before)} data-before /><polyline points={points(values)} />
    </svg>
  )
}

/** What one figure came to, how that stands to the stretch before, and what can be done with its card. */
function Figure({ card, place, last, onMenu }: { card: TrendCard; place: number; last: boolean; onMenu: (key: string) => void }) {
  const { title, as, to, value, before, days, less } = card
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({ id: cardKey(card) })
  const moved = change(value, before)
  const tone = moved && moved.way !== 'same' ? ((moved.way === 'up') === (less !== true) ? 'good' : 'bad') : undefined
  const items: MenuProps['items'] = [
    ...(Object.entries(CARD_DAYS)).map(([key, label]) => ({ key, label, disabled: Number(key) === days })),
    { type: 'divider' }, { key: 'up', label: '上移', disabled: place === 0 }, { key: 'down', label: '下移', disabled: last }, { type: 'divider' }, { key: 'remove', label: '移除', danger: true },
  ]
  return (
    <li ref={setNodeRef} className="figure-card" data-dragging={isDragging} style={{ transform: CSS.Transform.toString(transform && { ...transform, scaleY: 1 }), transition }}>
      <Link className="home-figure" to={to} draggable={false}>
        <span>{title} <em>{CARD_DAYS[days]}</em></span><strong className="figure">{figure(value, as)}</strong>
        <small data-tone={tone}>{moved ? <>{ways[moved.way]} {moved.text} 比上期 {figure(before, as)}</> : '上期没有'}</small>
        <Line {...card} />
      </Link>
      <span className="figure-tools">
        <button type="button" ref={setActivatorNodeRef} className="figure-handle" {...attributes} {...listeners} aria-label={`移动 ${title}`} title="拖动排序；键盘按空格拿起，方向键移动"><HolderOutlined /></button>
        <Dropdown trigger={['click']} menu={{ items, onClick: ({ key }) => onMenu(key) }}><Button type="text" size="small" icon={<MoreOutlined />} aria-label={`${title}的操作`} /></Dropdown>
      </span>
    </li>
  )
}

const announcements = { onDragStart: () => '已拿起，方向键移动，空格放下，Esc 取消', onDragOver: () => undefined, onDragEnd: () => '已放下', onDragCancel: () => '已取消' }

/** How things go, as far as the person may know: the cards that they chose, or those that everybody with their rights begins with. */
export function HomeFigures() {
  const [chosen, setChosen] = usePreference<string[] | null>('home_figures', null)
  const [adding, setAdding] = useState(false)
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }), useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }))
  // Moving a card asks for nothing: the question is the same in whatever order.
  const asked = chosen?.toSorted()
  const { data, error, refetch } = useQuery({
    queryKey: ['trends', asked], enabled: asked?.length !== 0, staleTime: FRESH, placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(trends, asked ? { card: asked } : {}, { signal, quiet: true }),
  })
  const byKey = new Map((data?.trends ?? []).map((card) => [cardKey(card), card]))
  const keys = chosen ?? [...byKey.keys()]
  const cards = keys.flatMap((key) => byKey.get(key) ?? [])
  const waiting = !data && asked?.length !== 0
  const move = (key: string, onto: string | undefined) => {
    if (onto !== undefined && onto !== key) setChosen(arrayMove(keys, keys.indexOf(key), keys.indexOf(onto)))
  }
  const act = (key: string, place: number, what: string) => {
    const neighbour = (by: number) => { const card = cards[place + by]; return card && cardKey(card) }
    if (what === 'up') return move(key, neighbour(-1))
    if (what === 'down') return move(key, neighbour(1))
    if (what === 'remove') return setChosen(keys.filter((one) => one !== key))
    const name = readCardKey(key)?.name ?? ''
    return setChosen([...new Set(keys.map((one) => (one === key ? cardKey({ name, days: Number(what) as CardDays }) : one)))])
  }
  const drop = ({ active, over }: DragEndEvent) => move(String(active.id), over ? String(over.id) : undefined)
  return (
    <section aria-labelledby="home-figures">
      <header className="figure-head">
        <h2 id="home-figures" className="home-title">指标 <small>虚线为上期</small></h2>
        {chosen && <Button type="text" size="small" icon={<UndoOutlined />} onClick={() => setChosen(null)}>恢复默认</Button>}
        <Button type="text" size="small" icon={<PlusOutlined />} disabled={waiting || keys.length >= MOST_CARDS} title={keys.length >= MOST_CARDS ? `最多 ${MOST_CARDS} 个指标` : undefined} onClick={() => setAdding(true)}>添加</Button>
      </header>
      {error && !data ? <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
        : waiting ? <div className="home-part" aria-busy><Skeleton active paragraph={{ rows: 6 }} /></div>
          : cards.length === 0 ? <div className="home-part"><p className="home-hint">{chosen ? '首页没有指标。' : '近 30 天没有数据。'}<Button type="link" onClick={() => setAdding(true)}>添加指标</Button></p></div> : (
            <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={drop} accessibility={{ announcements, screenReaderInstructions: { draggable: '按空格拿起，方向键移动，空格放下，Esc 取消' } }}>
              <SortableContext items={cards.map(cardKey)} strategy={verticalListSortingStrategy}>
                <ol className="home-card figure-cards">{cards.map((card, place) => <Figure key={cardKey(card)} card={card} place={place} last={place === cards.length - 1} onMenu={(what) => act(cardKey(card), place, what)} />)}</ol>
              </SortableContext>
            </DndContext>
          )}
      {adding && <Suspense><AddFigure there={keys} onClose={() => setAdding(false)} onAdd={(key) => setChosen([...keys, key])} /></Suspense>}
    </section>
  )
}
