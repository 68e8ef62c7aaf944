import { StepBackwardOutlined, StepForwardOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Select, Tooltip } from 'antd'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { decodeSubtitle, LANGUAGES, readSubtitle, writeVtt, type Subtitle } from './subtitle.ts'
import { clock } from './timing.ts'
import './store/store.css'

/** Something to go to at a second. */
export interface Mark {
  readonly sec: number
  readonly title: string
}

interface PlayerProps {
  readonly url: string
  readonly kind: 'video' | 'audio'
  readonly poster?: string | undefined
  readonly chapters?: readonly Mark[] | undefined
  readonly cues?: readonly Mark[] | undefined
  readonly subtitles?: readonly Subtitle[] | undefined
  /** Second at which a trial ends; absent: all of it plays. */
  readonly trialEnd?: number | undefined
  /** Where it goes, each time that another one is given. */
  readonly at?: { readonly sec: number } | undefined
}

const RATES = [0.5, 0.75, 1, 1.25, 1.5, 2]
/** Seconds of one picture; lessons are recorded at 25 a second. */
const FRAME = 1 / 25

const NONE: readonly { lang: string; src: string }[] = []

/** Addresses of subtitles as browsers read them: SubRip and older encodings are rewritten, once while the console is open. */
function useTracks(subtitles: readonly Subtitle[]): readonly { lang: string; src: string }[] {
  const { data = NONE } = useQuery({
    queryKey: ['subtitle', subtitles.map(({ url }) => url)],
    enabled: subtitles.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => Promise.all(subtitles.map(async ({ lang, url }) => {
      const answer = await fetch(url, { signal })
      const lines = answer.ok ? readSubtitle(decodeSubtitle(new Uint8Array(await answer.arrayBuffer()))) : []
      return { lang, src: URL.createObjectURL(new Blob([writeVtt(lines)], { type: 'text/vtt' })) }
    })),
  })
  return data
}

/** Plays an asset: speed, single pictures, chapters, subtitles, what is bound to seconds, and the end of a trial. */
export function AssetPlayer({ url, kind, poster, chapters = [], cues = [], subtitles = [], trialEnd, at }: PlayerProps) {
  const media = useRef<HTMLVideoElement & HTMLAudioElement>(null)
  const [broken, setBroken] = useState(false)
  const [now, setNow] = useState(0)
  const [length, setLength] = useState(0)
  const [ended, setEnded] = useState(false)
  const tracks = useTracks(subtitles)
  const go = (sec: number) => {
    if (!media.current) return
    media.current.currentTime = Math.max(0, sec)
    setNow(sec)
  }
  const follow = useEffectEvent(() => { if (at) go(at.sec) })
  useEffect(() => follow(), [at, length])
  const step = (pictures: number) => {
    media.current?.pause()
    go((media.current?.currentTime ?? 0) + pictures * FRAME)
  }
  const passed = () => {
    const at = media.current?.currentTime ?? 0
    const over = trialEnd !== undefined && at >= trialEnd
    if (over && media.current) {
      media.current.pause()
      media.current.currentTime = trialEnd
    }
    setEnded(over)
    setNow(at)
  }
  if (broken) return <Alert type="warning" showIcon title="浏览器不能播放这个文件" />
  const marks = [...chapters.map((mark) => ({ ...mark, kind: 'chapter' })), ...cues.map((mark) => ({ ...mark, kind: 'cue' }))].filter(({ sec }) => sec <= length)
  const current = chapters.findLast(({ sec }) => sec <= now)
  const Media = kind
  return (
    <div className="asset-player">
      <Media ref={media} src={url} {...(kind === 'video' && poster !== undefined && { poster })} controls preload="metadata" aria-label={kind === 'video' ? '视频' : '音频'} crossOrigin="anonymous"
        onError={() => setBroken(true)} onLoadedMetadata={() => setLength(media.current?.duration ?? 0)} onTimeUpdate={passed} onSeeking={passed}>
        {tracks.map(({ lang, src }) => <track key={src} kind="subtitles" srcLang={lang} label={LANGUAGES.find(({ value }) => value === lang)?.label ?? lang} src={src} />)}
      </Media>
      {ended && <Alert type="info" showIcon title="试看已结束" />}
      {marks.length > 0 && length > 0 && (
        <div className="player-line">
          {marks.map(({ sec, title, kind: which }) => (
            <Tooltip key={`${which} ${sec}`} title={`${clock(sec)} ${title}`}>
              <button type="button" className="player-mark" data-kind={which} style={{ insetInlineStart: `${(sec / length) * 100}%` }} aria-label={`${clock(sec)} ${title}`} onClick={() => go(sec)} />
            </Tooltip>
          ))}
        </div>
      )}
      <div className="player-tools">
        <Select<number> size="small" aria-label="播放速度" defaultValue={1} options={RATES.map((value) => ({ value, label: `${value} 倍速` }))} onChange={(rate) => { if (media.current) media.current.playbackRate = rate }} />
        {kind === 'video' && <>
          <Tooltip title="上一帧"><Button size="small" icon={<StepBackwardOutlined />} aria-label="上一帧" onClick={() => step(-1)} /></Tooltip>
          <Tooltip title="下一帧"><Button size="small" icon={<StepForwardOutlined />} aria-label="下一帧" onClick={() => step(1)} /></Tooltip>
        </>}
        <span className="figure">{clock(now)} / {clock(length)}</span>
      </div>
      {chapters.length > 0 && (
        <ol className="player-chapters" aria-label="章节">
          {chapters.map((chapter) => <li key={chapter.sec}><button type="button" data-on={chapter === current} onClick={() => go(chapter.sec)}><span className="figure">{clock(chapter.sec)}</span> {chapter.title}</button></li>)}
        </ol>
      )}
    </div>
  )
}
