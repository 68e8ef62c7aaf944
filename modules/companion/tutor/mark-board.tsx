import { Button, Input, Segmented, Space } from 'antd'
import { useRef, useState, type PointerEvent } from 'react'
import { TOOLS, type Marks, type Stroke, type Tool } from '../progress.ts'

const COLOURS = ['#d4380d', '#1677ff', '#389e0d']
/** Signs are as large as this share of the picture's shorter side. */
const SIGN = 0.05
/** Points nearer than this share of the width are the same point. */
const STEP = 0.002

type Point = readonly [number, number]

const round = (value: number) => Math.round(value * 10) / 10

/** A line through points as one path. */
const pathOf = (points: readonly Point[]) => points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('')

const SIGNS: Readonly<Partial<Record<Tool, (x: number, y: number, s: number) => string>>> = {
  tick: (x, y, s) => `M${x - s} ${y}L${x - s / 3} ${y + s * 0.7}L${x + s} ${y - s * 0.8}`,
  cross: (x, y, s) => `M${x - s * 0.7} ${y - s * 0.7}L${x + s * 0.7} ${y + s * 0.7}M${x + s * 0.7} ${y - s * 0.7}L${x - s * 0.7} ${y + s * 0.7}`,
  half: (x, y, s) => `M${x - s} ${y}L${x - s / 3} ${y + s * 0.7}L${x + s} ${y - s * 0.8}M${x} ${y - s * 0.5}L${x + s * 0.7} ${y + s * 0.5}`,
}

function StrokeView({ stroke: { tool, points, colour, text }, size }: { stroke: Stroke; size: number }) {
  const [first] = points
  if (!first) return null
  const line = { fill: 'none', stroke: colour, strokeWidth: Math.max(2, size / 250), strokeLinecap: 'round', strokeLinejoin: 'round' } as const
  const [x, y] = first
  if (tool === 'text') return <text x={x} y={y} fill={colour} fontSize={size * SIGN} fontWeight="600">{text}</text>
  const sign = SIGNS[tool]
  if (sign) return <path d={sign(x, y, size * SIGN)} {...line} />
  if (tool === 'circle') {
    const [endX, endY] = points.at(-1) ?? first
    return <ellipse cx={(x + endX) / 2} cy={(y + endY) / 2} rx={Math.abs(endX - x) / 2} ry={Math.abs(endY - y) / 2} {...line} />
  }
  return <path d={pathOf(points)} {...line} />
}

/** A picture with what was drawn on it: points are pixels of the picture itself, whatever size it is shown in. */
export function MarkedPicture({ src, strokes, onClick }: { src: string; strokes: readonly Stroke[]; onClick?: () => void }) {
  const [size, setSize] = useState<Point>()
  return (
    <span className="marked">
      <img src={src} alt="学生提交的图片" loading="lazy" onLoad={({ currentTarget }) => setSize([currentTarget.naturalWidth, currentTarget.naturalHeight])} />
      {size && <svg viewBox={`0 0 ${size[0]} ${size[1]}`} aria-hidden>{strokes.map((stroke, index) => <StrokeView key={index} stroke={stroke} size={Math.min(...size)} />)}</svg>}
      {onClick && <button type="button" aria-label="批注这张图片" onClick={onClick} />}
    </span>
  )
}

/** Draws on a picture: pen, signs, circle, text; the last stroke can be taken back. */
export function MarkBoard({ src, before, target, busy, onSave, onClose }: { src: string; before: readonly Stroke[]; target: Pick<Marks, 'message_id' | 'picture'>; busy: boolean; onSave: (marks: Marks) => void; onClose: () => void }) {
  const [size, setSize] = useState<Point>()
  const [tool, setTool] = useState<Tool>('pen')
  const [colour, setColour] = useState(COLOURS[0] ?? '')
  const [text, setText] = useState('')
  const [strokes, setStrokes] = useState<readonly Stroke[]>([])
  const [drawing, setDrawing] = useState<Stroke>()
  const svg = useRef<SVGSVGElement>(null)
  const at = (event: PointerEvent): Point | undefined => {
    const matrix = svg.current?.getScreenCTM()
    if (!matrix) return undefined
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse())
    return [round(x), round(y)]
  }
  const begin = (event: PointerEvent) => {
    const point = at(event)
    if (!point || (tool === 'text' && text.trim() === '')) return
    const stroke: Stroke = { tool, points: [point], colour, ...(tool === 'text' && { text: text.trim() }) }
    if (tool !== 'pen' && tool !== 'circle') return setStrokes([...strokes, stroke])
    svg.current?.setPointerCapture(event.pointerId)
    setDrawing(stroke)
  }
  const draw = (event: PointerEvent) => {
    const point = drawing && at(event)
    if (!drawing || !point || !size) return
    const last = drawing.points.at(-1)
    if (last && Math.hypot(point[0] - last[0], point[1] - last[1]) < size[0] * STEP) return
    setDrawing({ ...drawing, points: tool === 'circle' ? [drawing.points[0] ?? point, point] : [...drawing.points, point] })
  }
  const end = () => {
    if (drawing) setStrokes([...strokes, drawing])
    setDrawing(undefined)
  }
  const shown = [...before, ...strokes, ...(drawing ? [drawing] : [])]
  return (
    <div className="mark-board">
      <Space wrap>
        <Segmented<Tool> aria-label="画笔工具" options={[...TOOLS]} value={tool} onChange={setTool} />
        {tool === 'text' && <Input aria-label="批注文字" maxLength={60} value={text} placeholder="先写字，再点图片" onChange={(event) => setText(event.target.value)} />}
        <Segmented aria-label="颜色" options={COLOURS.map((value) => ({ value, label: <span className="swatch" style={{ background: value }} /> }))} value={colour} onChange={setColour} />
        <Button disabled={strokes.length === 0} onClick={() => setStrokes(strokes.slice(0, -1))}>撤销一笔</Button>
        <Button type="primary" loading={busy} disabled={strokes.length === 0} onClick={() => onSave({ ...target, strokes })}>保存批注</Button>
        <Button onClick={onClose}>取消</Button>
      </Space>
      <span className="marked large">
        <img src={src} alt="正在批注的图片" onLoad={({ currentTarget }) => setSize([currentTarget.naturalWidth, currentTarget.naturalHeight])} />
        {size && <svg ref={svg} role="img" aria-label="画布" viewBox={`0 0 ${size[0]} ${size[1]}`} onPointerDown={begin} onPointerMove={draw} onPointerUp={end} onPointerCancel={end}>{shown.map((stroke, index) => <StrokeView key={index} stroke={stroke} size={Math.min(...size)} />)}</svg>}
      </span>
    </div>
  )
}
