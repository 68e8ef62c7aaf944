import { LeftOutlined, RightOutlined, ZoomInOutlined, ZoomOutOutlined } from '@ant-design/icons'
import { Button, Space } from 'antd'
import { useCallback, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { usePlainKeys } from './use-keys.tsx'
import './scan-pane.css'

/** As wide as its place, or so many times its own pixels. */
type Zoom = 'fit' | number

const SMALLEST = 0.1
const LARGEST = 6
/** What one press and one notch of the wheel make of it. */
const STEP = 1.25
const NOTCH = 1.1

/** What the keys of a pane with so many pictures do, for the line that says it. */
export const scanKeys = (pictures: number): string => `${pictures > 1 ? '[ ] 换原题图片　' : ''}+ − 0 缩放原题`

interface Props {
  /** Addresses of the pictures, at least one. */
  scans: readonly string[]
  /** Absent where the pane cannot be hidden. */
  onHide?: () => void
}

/** The original of a question, one picture at a time, to be read beside what was typed from it. */
export function ScanPane({ scans, onHide }: Props) {
  const [zoom, setZoom] = useState<Zoom>('fit')
  // Another question begins with its first picture, at the size that was chosen.
  const [turned, setTurned] = useState({ of: scans[0], to: 0 })
  const place = turned.of === scans[0] ? Math.min(turned.to, scans.length - 1) : 0
  const frame = useRef<HTMLDivElement>(null)
  const go = (to: number) => setTurned({ of: scans[0], to: Math.max(0, Math.min(scans.length - 1, to)) })
  /** Enlarges around a point of the frame, in pixels from its corner. */
  const zoomBy = useCallback((factor: number, x = 0, y = 0) => {
    const box = frame.current
    const picture = box?.querySelector('img')
    if (!box || !picture?.naturalWidth) return
    const before = picture.getBoundingClientRect().width / picture.naturalWidth
    const next = Math.max(SMALLEST, Math.min(LARGEST, before * factor))
    const [left, top] = [box.scrollLeft + x, box.scrollTop + y]
    flushSync(() => setZoom(next))
    box.scrollTo((left * next) / before - x, (top * next) / before - y)
  }, [])
  /** Turning the wheel with Ctrl held, and pinching, zooms the picture instead of the page. */
  const hearWheel = useCallback((box: HTMLDivElement) => {
    frame.current = box
    const turn = (event: WheelEvent) => {
      if (!event.ctrlKey) return
      event.preventDefault()
      const { left, top } = box.getBoundingClientRect()
      zoomBy(event.deltaY < 0 ? NOTCH : 1 / NOTCH, event.clientX - left, event.clientY - top)
    }
    box.addEventListener('wheel', turn, { passive: false })
    return () => box.removeEventListener('wheel', turn)
  }, [zoomBy])
  const closer = () => zoomBy(STEP)
  usePlainKeys({ '[': () => go(place - 1), ']': () => go(place + 1), '+': closer, '=': closer, '-': () => zoomBy(1 / STEP), 0: () => setZoom('fit') })
  return (
    <section className="scan" aria-label="原题图片">
      <header className="scan-head">
        {onHide && <b>原题</b>}
        {scans.length > 1 && (
          <Space size={2}>
            <Button size="small" type="text" icon={<LeftOutlined />} disabled={place === 0} aria-label="上一张" onClick={() => go(place - 1)} />
            <span className="figure" aria-live="polite">{place + 1} / {scans.length}</span>
            <Button size="small" type="text" icon={<RightOutlined />} disabled={place === scans.length - 1} aria-label="下一张" onClick={() => go(place + 1)} />
          </Space>
        )}
        <Space size={2} className="scan-tools">
          <Button size="small" type="text" icon={<ZoomOutOutlined />} aria-label="缩小" onClick={() => zoomBy(1 / STEP)} />
          <Button size="small" type="text" icon={<ZoomInOutlined />} aria-label="放大" onClick={closer} />
          <Button size="small" type={zoom === 'fit' ? 'link' : 'text'} aria-pressed={zoom === 'fit'} onClick={() => setZoom('fit')}>适合宽度</Button>
          <Button size="small" type={zoom === 1 ? 'link' : 'text'} aria-pressed={zoom === 1} onClick={() => setZoom(1)}>100%</Button>
          {onHide && <Button size="small" type="text" onClick={onHide}>收起</Button>}
        </Space>
      </header>
      <div key={scans[place]} ref={hearWheel} className="scan-frame">
        <img src={scans[place]} alt={`原题图片 ${place + 1}`} style={zoom === 'fit' ? { width: '100%' } : { zoom }} />
      </div>
    </section>
  )
}
