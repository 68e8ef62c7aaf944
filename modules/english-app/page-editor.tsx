import { CaretRightOutlined, DeleteOutlined } from '@ant-design/icons'
import { Alert, Button, Input, InputNumber, Modal, Space } from 'antd'
import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { request } from '../../core/endpoint/call.tsx'
import { isSameJson } from '../../core/field/same-json.ts'
import { useCloseGuard } from '../../core/form/close-guard.tsx'
import type { RowDialogProps } from '../../core/resource/present.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { useSaid } from '../../core/undo/use-said.tsx'
import { between, isSilent, MOST_REGIONS, moved, nextSilent, overlapping, resized, type Region } from './region.ts'
import { englishPage } from './page.ts'
import './english.css'

type Page = WireRow<typeof englishPage>
type Drag = { readonly way: 'draw' | 'move' | 'size'; readonly from: { x: number; y: number }; readonly region: Region | undefined }

/** A pixel of a page that is shown at some hundred, in shares. */
const STEP = 0.001
const ARROWS: Readonly<Record<string, readonly [number, number]>> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }
const newKey = () => crypto.randomUUID().slice(0, 8)

/** 编辑点读: regions drawn on the page, each with its words and the piece of the recording that says them. */
export function PageEditor({ row, reload, onClose }: Omit<RowDialogProps, 'row'> & { row: Page }) {
  const said = useSaid()
  const [regions, setRegions] = useState<readonly Region[]>(() => row.regions ?? [])
  const [chosen, setChosen] = useState<string>()
  const [drag, setDrag] = useState<Drag>()
  const [drawn, setDrawn] = useState<Region>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const canvas = useRef<SVGSVGElement>(null)
  const audio = useRef<HTMLAudioElement>(null)
  const until = useRef<number>(undefined)
  const dirty = !isSameJson(regions, row.regions ?? [])
  const close = useCloseGuard(dirty, `${row.name}的点读区域`, onClose)
  const current = regions.find(({ key }) => key === chosen)
  const over = overlapping(regions)
  const silent = regions.filter(isSilent).length

  const set = (key: string, change: (one: Region) => Region) => setRegions((list) => list.map((one) => (one.key === key ? change(one) : one)))
  const remove = (key: string) => {
    setRegions((list) => list.filter((one) => one.key !== key))
    setChosen(undefined)
  }
  const at = (event: PointerEvent) => {
    const box = canvas.current?.getBoundingClientRect()
    return box ? { x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height } : { x: 0, y: 0 }
  }
  const begin = (event: PointerEvent, way: Drag['way'], region?: Region) => {
    event.stopPropagation()
    canvas.current?.setPointerCapture(event.pointerId)
    // With Alt a copy is taken along.
    const taken = region && event.altKey && way === 'move' ? { ...region, key: newKey() } : region
    if (taken && taken !== region) setRegions((list) => [...list, taken])
    setChosen(taken?.key)
    setDrag({ way, from: at(event), region: taken })
  }
  const follow = (event: PointerEvent) => {
    if (!drag) return
    const to = at(event)
    const { region, from } = drag
    if (!region) setDrawn(between('drawn', from, to))
    else set(region.key, () => (drag.way === 'size' ? { ...resized(region, to.x - from.x, to.y - from.y), text: region.text } : moved(region, to.x - from.x, to.y - from.y)))
  }
  const end = () => {
    if (drawn && regions.length < MOST_REGIONS) {
      const made = { ...drawn, key: newKey() }
      setRegions([...regions, made])
      setChosen(made.key)
    }
    setDrawn(undefined)
    setDrag(undefined)
  }
  const keys = (event: KeyboardEvent) => {
    if ((event.target as HTMLElement).closest('input, textarea')) return
    const [dx, dy] = ARROWS[event.key] ?? []
    const by = STEP * (event.shiftKey ? 10 : 1)
    if (current && dx !== undefined && dy !== undefined) set(current.key, (one) => moved(one, dx * by, dy * by))
    else if (current && (event.key === 'Delete' || event.key === 'Backspace')) remove(current.key)
    else if (event.key.toLowerCase() === 'n') setChosen(nextSilent(regions, chosen))
    else return
    event.preventDefault()
  }
  const play = ({ from, to }: Region) => {
    if (!audio.current || from === null || to === null) return
    until.current = to
    audio.current.currentTime = from
    void audio.current.play().catch(() => undefined)
  }
  const now = () => Math.round((audio.current?.currentTime ?? 0) * 10) / 10
  const save = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      const saved = await request<Page & { undo?: number }>('PUT', `${englishPage.api.item}/${row.id}`, { regions, rev: row.rev }, { quiet: true })
      said({ words: '点读区域已保存', undo: saved.undo })
      reload()
      onClose()
    } catch (failure) {
      setProblem(failure instanceof Error ? failure.message : '保存失败')
      setBusy(false)
    }
  }
  return (
    <Modal open width={1120} title={`编辑点读 · ${row.name}`} okText="保存" okButtonProps={{ disabled: !dirty }} confirmLoading={busy} onOk={() => void save()} onCancel={close} mask={{ closable: false }}>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      <div className="page-editor">
        {/* The whole picture takes keys: a region that is chosen is moved by them. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex */}
        <div className="page-canvas" role="group" aria-label="页面" tabIndex={0} onKeyDown={keys}>
          <img src={row.image} alt={row.name} draggable={false} />
          <svg ref={canvas} viewBox="0 0 1 1" preserveAspectRatio="none" onPointerDown={(event) => begin(event, 'draw')} onPointerMove={follow} onPointerUp={end}>
            {[...regions, ...(drawn ? [drawn] : [])].map((one) => (
              <g key={one.key} data-chosen={one.key === chosen} data-silent={isSilent(one)}>
                <rect x={one.x} y={one.y} width={one.w} height={one.h} vectorEffect="non-scaling-stroke" onPointerDown={(event) => begin(event, 'move', one)} onDoubleClick={() => play(one)} />
                {one.key === chosen && <rect className="page-corner" x={one.x + one.w - 0.012} y={one.y + one.h - 0.012} width={0.012} height={0.012} onPointerDown={(event) => begin(event, 'size', one)} />}
              </g>
            ))}
          </svg>
        </div>
        <aside>
          {row.audio ? (
            // The words of the page stand beside it.
            // oxlint-disable-next-line jsx-a11y/media-has-caption
            <audio ref={audio} src={row.audio} controls preload="metadata" onTimeUpdate={(event) => { if (until.current !== undefined && event.currentTarget.currentTime >= until.current) { event.currentTarget.pause(); until.current = undefined } }} />
          ) : <p className="note">还没有整页录音，先在「编辑」中上传，再为区域取时间。</p>}
          <p className="note">共 {regions.length} 个区域{silent > 0 && `，${silent} 个未配音`}。在图上拖出区域；Alt 拖动复制，方向键微调（Shift 十倍），N 到下一个未配音，Delete 删除，双击试听。</p>
          {over.length > 0 && <Alert type="warning" showIcon title={`${over.length} 处区域重叠，学生可能点不中`} />}
          {current && (
            <div className="page-region">
              <Input.TextArea autoSize={{ minRows: 2, maxRows: 4 }} maxLength={200} value={current.text} placeholder="这里读的是什么" aria-label="区域文字" onChange={(event) => set(current.key, (one) => ({ ...one, text: event.target.value }))} />
              {(['from', 'to'] as const).map((key) => (
                <Space key={key}>
                  <InputNumber value={current[key]} min={0} step={0.1} precision={1} suffix="秒" aria-label={key === 'from' ? '开始' : '结束'} placeholder={key === 'from' ? '开始' : '结束'} onChange={(value) => set(current.key, (one) => ({ ...one, [key]: value }))} />
                  <Button disabled={!row.audio} onClick={() => set(current.key, (one) => ({ ...one, [key]: now() }))}>{key === 'from' ? '从此刻开始' : '到此刻结束'}</Button>
                </Space>
              ))}
              <Space>
                <Button icon={<CaretRightOutlined />} disabled={!row.audio || isSilent(current)} onClick={() => play(current)}>试听</Button>
                <Button danger icon={<DeleteOutlined />} onClick={() => remove(current.key)}>删除区域</Button>
              </Space>
            </div>
          )}
        </aside>
      </div>
    </Modal>
  )
}
