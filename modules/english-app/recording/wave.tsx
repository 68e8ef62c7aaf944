import { useEffect, useRef, type KeyboardEvent, type PointerEvent, type Ref } from 'react'
import { RATE } from './clip.ts'
import { moveEnd, type Piece } from './cuts.ts'

/** Height of the wave; its style sheet has the same. */
const HEIGHT = 120
/** Widest canvas that every browser draws. */
const MOST_WIDTH = 30_000
/** How far one key moves an end, in seconds; with Shift ten times as far. */
const STEP = 0.01

/** Pixels of a second at a zoom, as far as a canvas is wide. */
export const scaleOf = (zoom: number, length: number): number => Math.min(zoom, MOST_WIDTH / Math.max(1, length))

interface WaveProps {
  readonly samples: Float32Array
  readonly pieces: readonly Piece[]
  /** Name of each piece, by its key. */
  readonly names: ReadonlyMap<string, string>
  readonly chosen: string | undefined
  readonly zoom: number
  /** The line that moves while something is heard. */
  readonly head: Ref<HTMLDivElement>
  onChoose: (key: string) => void
  onChange: (pieces: Piece[]) => void
  onPlay: (piece: Piece) => void
  /** Asks for a piece where there is none. */
  onAdd: (at: number) => void
}

/** One end of a piece, moved by the mouse or by keys. */
function End({ piece, end, name, scale, length, onMove }: { piece: Piece; end: 'from' | 'to'; name: string; scale: number; length: number; onMove: (to: number) => void }) {
  const grip = useRef<{ x: number; at: number }>(undefined)
  const keys = (event: KeyboardEvent) => {
    const way = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
    if (way === 0) return
    event.preventDefault()
    event.stopPropagation()
    onMove(piece[end] + way * STEP * (event.shiftKey ? 10 : 1))
  }
  const take = (event: PointerEvent<HTMLSpanElement>) => {
    event.stopPropagation()
    event.currentTarget.setPointerCapture(event.pointerId)
    grip.current = { x: event.clientX, at: piece[end] }
  }
  return (
    <span className="wave-end" data-end={end} role="slider" tabIndex={0} aria-label={`${name} ${end === 'from' ? '开始' : '结束'}`} aria-valuemin={0} aria-valuemax={length} aria-valuenow={piece[end]} aria-valuetext={`${piece[end].toFixed(2)} 秒`}
      onKeyDown={keys} onPointerDown={take} onPointerMove={(event) => { if (grip.current) onMove(grip.current.at + (event.clientX - grip.current.x) / scale) }} onPointerUp={() => { grip.current = undefined }} />
  )
}

/** The recording as a picture, with its pieces on it. */
export function Wave({ samples, pieces, names, chosen, zoom, head, onChoose, onChange, onPlay, onAdd }: WaveProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const length = samples.length / RATE
  const scale = scaleOf(zoom, length)
  const width = Math.ceil(length * scale)

  useEffect(() => {
    const pen = canvas.current?.getContext('2d')
    if (!pen || !canvas.current) return
    pen.clearRect(0, 0, width, HEIGHT)
    pen.fillStyle = getComputedStyle(canvas.current).color
    const each = samples.length / width
    for (let x = 0; x < width; x += 1) {
      let peak = 0
      // A few samples of each column show its height as well as all of them.
      for (let at = Math.floor(x * each), step = Math.max(1, Math.floor(each / 64)); at < (x + 1) * each; at += step) peak = Math.max(peak, Math.abs(samples[at] ?? 0))
      const height = Math.max(1, peak * HEIGHT)
      pen.fillRect(x, (HEIGHT - height) / 2, 1, height)
    }
  }, [samples, width])

  useEffect(() => {
    const shown = box.current?.querySelector('[data-chosen="true"]')
    shown?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [chosen])

  return (
    <div className="wave" ref={box}>
      {/* A piece is put where there is none by two clicks; the button below does the same. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div className="wave-track" style={{ width }} onDoubleClick={(event) => { if (event.target === canvas.current) onAdd(event.nativeEvent.offsetX / scale) }}>
        <canvas ref={canvas} width={width} height={HEIGHT} />
        {pieces.map((piece) => {
          const name = names.get(piece.key) ?? '多出的一段'
          return (
            <div key={piece.key} className="wave-piece" data-chosen={piece.key === chosen} data-spare={!names.has(piece.key)} style={{ left: piece.from * scale, width: (piece.to - piece.from) * scale }}>
              <button type="button" tabIndex={-1} title={`${name}，双击试听`} onClick={() => onChoose(piece.key)} onDoubleClick={() => onPlay(piece)}>{name}</button>
              {(['from', 'to'] as const).map((end) => <End key={end} piece={piece} end={end} name={name} scale={scale} length={length} onMove={(to) => { onChoose(piece.key); onChange(moveEnd(pieces, piece.key, end, to, length)) }} />)}
            </div>
          )
        })}
        <div className="wave-head" ref={head} />
      </div>
    </div>
  )
}
