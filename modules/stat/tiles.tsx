import { ArrowDownOutlined, ArrowUpOutlined, MinusOutlined } from '@ant-design/icons'
import { Button, Popover } from 'antd'
import { Link } from 'react-router'
import type { Behind, Tile } from './calls.ts'
import { changeText, figureText } from './words.ts'

const WIDTH = 120
const HEIGHT = 28
const ARROWS = { up: <ArrowUpOutlined aria-label="上升" />, down: <ArrowDownOutlined aria-label="下降" />, same: <MinusOutlined aria-label="持平" /> }

/** How a figure stands to the stretch before. */
export function ChangeWord({ of }: { of: Pick<Tile, 'as' | 'value' | 'before' | 'up'> }) {
  const moved = changeText(of)
  return moved ? <span className="stat-change" data-tone={moved.tone}>{ARROWS[moved.way]} {moved.text}</span> : <span className="stat-change">上期没有</span>
}

/** Day by day, with the stretch before dotted. */
function Spark({ values, before }: { values: readonly number[]; before: readonly number[] }) {
  if (values.length < 2) return <span className="stat-spark" />
  const most = Math.max(...values, ...before, 1)
  const line = (all: readonly number[]) => all.map((value, at) => `${Math.round((at * WIDTH * 10) / Math.max(1, all.length - 1)) / 10},${Math.round((1 - value / most) * HEIGHT * 10) / 10}`).join(' ')
  return <svg className="stat-spark" viewBox={`-1 -1 ${WIDTH + 2} ${HEIGHT + 2}`} preserveAspectRatio="none" aria-hidden><polyline data-before points={line(before)} /><polyline points={line(values)} /></svg>
}

/** The figures, of which one is open. */
export function Tiles({ tiles, open, onOpen }: { tiles: readonly Tile[]; open: string; onOpen: (name: string) => void }) {
  return (
    <div className="stat-tiles" role="group" aria-label="指标">
      {tiles.map((tile) => (
        <button key={tile.name} type="button" aria-pressed={tile.name === open} data-open={tile.name === open} title={tile.about} onClick={() => onOpen(tile.name)}>
          <span className="stat-title">{tile.title}{tile.note && <small>{tile.note}</small>}</span>
          <strong className="figure">{figureText(tile.as, tile.value)}</strong>
          <span className="stat-before"><ChangeWord of={tile} /> <span>上期 {figureText(tile.as, tile.before)}</span></span>
          <Spark values={tile.values} before={tile.before_values} />
        </button>
      ))}
    </div>
  )
}

/** A number that opens exactly its records. */
export function Num({ to, children }: { to: string | null; children: string }) {
  return to === null ? <span className="figure">{children}</span> : <Link className="figure" to={to}>{children}</Link>
}

function Lists({ as, behind }: { as: Tile['as']; behind: readonly Behind[] }) {
  return (
    <ul className="stat-lists">
      {behind.map(({ title, value, to }) => <li key={title}><span>{title}</span><Num to={to}>{figureText(as, value)}</Num></li>)}
    </ul>
  )
}

/** Where the records of the open figure are: one list, or one for each line of business. */
export function BehindLinks({ tile }: { tile: Tile }) {
  const [only] = tile.behind
  if (!only) return <span className="note">{tile.about}</span>
  if (tile.behind.length === 1) return only.to === null ? null : <Link to={only.to}>看这 {tile.as === 'number' ? figureText(tile.as, only.value) : ''} 条</Link>
  return <Popover trigger="click" placement="bottomRight" title={`${tile.title}在 ${tile.behind.length} 个列表里`} content={<Lists as={tile.as} behind={tile.behind} />}><Button size="small">看明细</Button></Popover>
}
