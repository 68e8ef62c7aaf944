import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Checkbox, Modal, Segmented, Slider, Space, Upload } from 'antd'
import { useRef, useState, type KeyboardEvent } from 'react'
import { call, request } from '../../../core/endpoint/call.tsx'
import { upload } from '../../../core/field/file-input.tsx'
import { UPLOAD_KINDS } from '../../../core/file/kinds.ts'
import { useCloseGuard } from '../../../core/form/close-guard.tsx'
import type { WireRow } from '../../../core/resource/endpoints.ts'
import type { RowDialogProps } from '../../../core/resource/present.tsx'
import { useSaid } from '../../../core/undo/use-said.tsx'
import { ACCENTS, MOST_WORDS, putRecordings, type Accent } from '../calls.ts'
import type { englishUnit } from '../unit.ts'
import { englishWord } from '../word.ts'
import { clipOf, RATE, wavOf } from './clip.ts'
import { insertAt, join, levelsOf, matched, piecesOf, QUIET, split, suggestSilence, type Piece, type Silence } from './cuts.ts'
import { decodeRecording } from './decode.ts'
import { MatchList, type UnitWord } from './match-list.tsx'
import { usePlayer } from './use-player.tsx'
import { scaleOf, Wave } from './wave.tsx'
import './recording.css'

type Unit = WireRow<typeof englishUnit>

/** What was read of a file. */
interface Recording { readonly name: string; readonly samples: Float32Array<ArrayBuffer>; readonly levels: Float32Array; readonly silence: Silence }

/** Largest file of a word. */
const MOST_BYTES = 5 * 1024 * 1024
const ZOOM = { least: 20, most: 240, usual: 90 } as const

/** 整段录音: one recording of a unit's words, cut where nobody speaks; pieces and words are looked at side by side before anything is written. */
export function RecordingDialog({ row, reload, onClose }: Omit<RowDialogProps, 'row'> & { row: Unit }) {
  const said = useSaid()
  const [accent, setAccent] = useState<Accent>('uk')
  const [again, setAgain] = useState(false)
  const [recording, setRecording] = useState<Recording>()
  const [pieces, setPieces] = useState<readonly Piece[]>([])
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set())
  const [chosen, setChosen] = useState<string>()
  const [zoom, setZoom] = useState<number>(ZOOM.usual)
  const [problem, setProblem] = useState<string>()
  const [sent, setSent] = useState<number>()
  /** Pieces that have arrived, so that a second attempt sends the rest alone. */
  const arrived = useRef(new Map<string, string>())
  const made = useRef(0)
  const head = useRef<HTMLDivElement>(null)
  const { data } = useQuery({ queryKey: ['english recording', row.id], queryFn: ({ signal }) => request<{ items: UnitWord[] }>('GET', englishWord.api.list, { unit_id: row.id, page_size: MOST_WORDS, sort: 'sort' }, { signal, quiet: true }) })
  const all = data?.items ?? []
  const words = all.filter((word) => again || !word[`${accent}_audio`])
  const pairs = matched(pieces, words, left)
  const given = pairs.flatMap(({ word, piece }) => (piece ? [{ word, piece }] : []))
  const names = new Map(given.map(({ word, piece }) => [piece.key, word.headword]))
  const length = (recording?.samples.length ?? 0) / RATE
  const wanted = words.length - left.size
  const close = useCloseGuard(recording !== undefined && sent === undefined, '切好的录音', onClose)
  const player = usePlayer(recording?.samples, (seconds) => { if (head.current) head.current.style.transform = `translateX(${seconds * scaleOf(zoom, length)}px)` })
  const newKey = () => `m${made.current += 1}`
  const current = pieces.find(({ key }) => key === chosen)
  const hear = ({ key, from, to }: Piece) => {
    setChosen(key)
    player.play(from, to)
  }

  const open = async (file: File) => {
    setProblem(undefined)
    try {
      const samples = Float32Array.from(await decodeRecording(file))
      const levels = levelsOf(samples, RATE)
      const silence = suggestSilence(levels, wanted)
      const found = piecesOf(levels, silence)
      if (found.length === 0) throw new Error('录音中没有听到说话声')
      arrived.current.clear()
      setRecording({ name: file.name, samples, levels, silence })
      setPieces(found)
      setChosen(found[0]?.key)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : '无法读取这个录音')
    }
  }
  const listen = (part: Partial<Silence>) => {
    if (!recording) return
    const silence = { ...recording.silence, ...part }
    setRecording({ ...recording, silence })
    setPieces(piecesOf(recording.levels, silence))
    setChosen(undefined)
  }
  const add = (at: number) => {
    const key = newKey()
    const next = insertAt(pieces, at, length, key)
    if (!next) return setProblem('这里已经有一段，或放不下新的一段')
    setProblem(undefined)
    setPieces(next)
    setChosen(key)
  }
  const drop = (key: string) => {
    const at = pieces.findIndex((piece) => piece.key === key)
    setPieces(pieces.filter((piece) => piece.key !== key))
    setChosen(pieces[at + 1]?.key ?? pieces[at - 1]?.key)
  }
  const step = (by: 1 | -1) => {
    const at = pieces.findIndex(({ key }) => key === chosen)
    setChosen(pieces[Math.min(pieces.length - 1, Math.max(0, at + by))]?.key)
  }
  const keys = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !recording || (event.target as HTMLElement).closest('input, label')) return
    const key = event.key.toLowerCase()
    const onButton = (event.target as HTMLElement).closest('button') !== null
    if (key === 'j' || key === 'arrowdown') step(1)
    else if (key === 'k' || key === 'arrowup') step(-1)
    else if (key === ' ' && current && !onButton) hear(current)
    else if ((key === 'delete' || key === 'backspace') && current) drop(current.key)
    else if (key === 's' && current) setPieces(split(pieces, current.key, player.now(), newKey()))
    else if (key === 'm' && current) setPieces(join(pieces, current.key))
    else return
    event.preventDefault()
  }
  const save = async () => {
    if (!recording) return
    setProblem(undefined)
    setSent(0)
    try {
      const list: { id: number; rev: number; url: string }[] = []
      for (const [at, { word, piece }] of given.entries()) {
        const place = `${piece.from} ${piece.to}`
        const url = arrived.current.get(place) ?? await upload(new File([wavOf(clipOf(recording.samples, RATE, piece), RATE)], `${word.headword}.wav`, { type: 'audio/wav' }), 'audio', MOST_BYTES)
        arrived.current.set(place, url)
        list.push({ id: word.id, rev: word.rev, url })
        setSent(at + 1)
      }
      const { given: count, undo } = await call(putRecordings, { accent, words: list }, { quiet: true })
      said({ words: `${count} 个单词已有${ACCENTS.find(({ value }) => value === accent)?.label ?? '录音'}`, undo })
      reload()
      onClose()
    } catch (error) {
      setProblem(error instanceof Error ? error.message : '保存失败')
      setSent(undefined)
    }
  }
  const spare = pieces.length - given.length
  const count = pieces.length === wanted ? `${pieces.length} 段，与单词一一对应` : `${pieces.length} 段，${wanted} 个单词${pieces.length > wanted ? `，多出 ${pieces.length - wanted} 段` : `，还差 ${wanted - pieces.length} 段`}`
  return (
    <Modal open width={1120} title={`整段录音 · ${row.name}`} okText={sent === undefined ? `用于 ${given.length} 个单词` : `已上传 ${sent} / ${given.length}`} okButtonProps={{ disabled: given.length === 0 || spare > 0 }} confirmLoading={sent !== undefined} onOk={() => void save()} onCancel={close} mask={{ closable: false }}>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      {/* The whole dialog takes keys: which piece is meant is said by the one that is chosen. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex */}
      <div className="recording" role="group" aria-label="切分录音" tabIndex={0} onKeyDown={keys}>
        <div className="recording-bar">
          <Segmented aria-label="口音" value={accent} options={[...ACCENTS]} onChange={(next) => { setAccent(next); setLeft(new Set()) }} />
          <Upload accept={UPLOAD_KINDS.audio.accept.join(',')} showUploadList={false} beforeUpload={(file) => { void open(file); return false }}><Button type={recording ? 'default' : 'primary'}>{recording ? '换一个录音' : '选择录音'}</Button></Upload>
          <Checkbox checked={again} onChange={({ target }) => { setAgain(target.checked); setLeft(new Set()) }}>连同已有录音的单词（{all.length} 个）</Checkbox>
          {recording && <span role="status" data-even={pieces.length === wanted}>{count}</span>}
        </div>
        {!recording ? <p className="note">{words.length === 0 && data ? '本单元的单词都已有录音。勾选「连同已有录音的单词」可以重录。' : `按单词表的顺序朗读 ${words.length} 个单词，每个之间停顿一下，录成一个文件。录音在本机切分，切好的片段才会上传。`}</p> : (
          <>
            <div className="recording-bar">
              <span>静音门限 <Slider aria-label="静音门限" min={QUIET} max={0} value={recording.silence.threshold} onChange={(threshold) => listen({ threshold })} tooltip={{ formatter: (value) => `${value} dB` }} /></span>
              <span>最短停顿 <Slider aria-label="最短停顿" min={0.1} max={1.5} step={0.05} value={recording.silence.gap} onChange={(gap) => listen({ gap })} tooltip={{ formatter: (value) => `${value} 秒` }} /></span>
              <span>放大 <Slider aria-label="放大" min={ZOOM.least} max={ZOOM.most} value={zoom} onChange={setZoom} tooltip={{ open: false }} /></span>
            </div>
            <Wave samples={recording.samples} pieces={pieces} names={names} chosen={chosen} zoom={zoom} head={head} onChoose={setChosen} onChange={setPieces} onPlay={hear} onAdd={add} />
            <Space wrap>
              <Button disabled={!current} onClick={() => { if (current && !player.playing) hear(current); else player.stop() }}>{player.playing ? '停止' : '试听'}</Button>
              <Button disabled={!current} onClick={() => { if (current) setPieces(split(pieces, current.key, player.now(), newKey())) }}>切开</Button>
              <Button disabled={!current || current === pieces.at(-1)} onClick={() => { if (current) setPieces(join(pieces, current.key)) }}>与后一段合并</Button>
              <Button disabled={!current} onClick={() => { if (current) drop(current.key) }}>去掉这一段</Button>
              <Button onClick={() => add(current ? current.to + ((pieces[pieces.indexOf(current) + 1]?.from ?? length) - current.to) / 2 : length / 2)}>补一段</Button>
            </Space>
            <p className="note">拖动一段的两端，或用 Tab 选中后按 ← →（Shift 十倍）；J / K 换一段，空格试听，S 切开，M 与后一段合并，Delete 去掉；双击空白处补一段。改门限或停顿会重新切分。</p>
            <MatchList pairs={pairs} accent={accent} chosen={chosen} onHear={hear} left={left} onLeave={(id, out) => setLeft(out ? new Set([...left, id]) : new Set([...left].filter((one) => one !== id)))} />
          </>
        )}
      </div>
    </Modal>
  )
}
