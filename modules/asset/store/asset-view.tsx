import { FileOutlined, PictureOutlined, PlayCircleOutlined, SoundOutlined } from '@ant-design/icons'
import { Alert, Image } from 'antd'
import { useRef, type ReactNode } from 'react'
import { sizeText } from '../../../core/file/size.ts'
import { present, type Presentation } from '../../../core/resource/present.tsx'
import type { WireRow } from '../../../core/resource/endpoints.ts'
import { ASSET_STATE, type AssetKind, type videoAsset } from '../asset.ts'
import { ASSETS } from '../asset.ts'
import { AssetPlayer } from '../player.tsx'
import type { Subtitle } from '../subtitle.ts'
import { beyondEnd, clock } from '../timing.ts'
import { MoveDialog } from './move-dialog.tsx'
import { ReplaceDialog } from './replace-dialog.tsx'
import { SubtitlesInput } from './subtitles-input.tsx'
import { UploadButton } from './upload-button.tsx'
import { UsesTab } from './uses-tab.tsx'
import { VersionsTab } from './versions-tab.tsx'

export type AssetRow = WireRow<typeof videoAsset>

const ICONS: Readonly<Record<AssetKind, ReactNode>> = { video: <PlayCircleOutlined />, audio: <SoundOutlined />, image: <PictureOutlined />, document: <FileOutlined /> }

/** A small picture of an asset; a video runs through under the pointer. */
function Thumb({ row }: { row: AssetRow }) {
  const video = useRef<HTMLVideoElement>(null)
  const picture = row.cover ?? (row.kind === 'image' ? row.url : null)
  if (row.kind !== 'video' || row.state !== ASSET_STATE.ready) return <span className="asset-thumb">{picture ? <img src={picture} alt="" loading="lazy" /> : ICONS[row.kind]}</span>
  return (
    <span className="asset-thumb" onPointerEnter={() => { if (video.current && !video.current.src) video.current.src = row.url }}
      onPointerMove={({ currentTarget, clientX }) => {
        const { left, width } = currentTarget.getBoundingClientRect()
        if (video.current?.duration) video.current.currentTime = ((clientX - left) / width) * video.current.duration
      }}
      onPointerLeave={() => { video.current?.removeAttribute('src'); video.current?.load() }}>
      {/* Nobody listens to a picture that is run through. */}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
      {picture ? <video ref={video} poster={picture} muted preload="none" aria-hidden /> : ICONS.video}
    </span>
  )
}

/** What a person looks at first: the thing itself, and what is out of place in it. */
function Head({ row }: { row: AssetRow }) {
  const cues = (row.cues ?? []).map(({ sec, practice_id }) => ({ sec: sec ?? 0, title: `试题 ${practice_id}` }))
  const chapters = (row.chapters ?? []).map(({ sec, title }) => ({ sec: sec ?? 0, title: title ?? '' }))
  const out = beyondEnd([...chapters, ...cues], row.seconds)
  return (
    <div className="asset-head">
      {row.fail_reason && <Alert type={row.state === ASSET_STATE.ready ? 'info' : 'warning'} showIcon title={row.fail_reason} />}
      {out.length > 0 && <Alert type="warning" showIcon title={`有 ${out.length} 处章节或打点超出了结尾（${clock(row.seconds ?? 0)}）：${out.slice(0, 5).map(({ sec, title }) => `${clock(sec)} ${title}`).join('、')}。请编辑后调整时间`} />}
      {(row.kind === 'video' || row.kind === 'audio') && row.state !== ASSET_STATE.failed && <AssetPlayer key={row.url} url={row.url} kind={row.kind} poster={row.cover ?? undefined} chapters={chapters} cues={cues} subtitles={(row.subtitles ?? []) as Subtitle[]} />}
      {row.kind === 'image' && <Image src={row.url} alt={row.name} height={320} />}
      {row.kind === 'document' && <a href={row.url} target="_blank" rel="noopener noreferrer">打开文档</a>}
    </div>
  )
}

/** The list of assets of one kind: all look the same, and are replaced by the right of their own screen. */
const viewOf = ({ rights }: Pick<typeof videoAsset, 'rights'>): Presentation => present(ASSETS.video)({
  cells: {
    cover: Thumb,
    seconds: ({ value }) => (value === null ? null : <span className="figure">{clock(value)}</span>),
    bytes: ({ value }) => (value === null ? null : <span className="figure">{sizeText(value)}</span>),
    width: ({ value, row }) => (value === null ? null : <span className="figure">{value}×{row.height}</span>),
  },
  inputs: { subtitles: SubtitlesInput },
  bulkFields: ['tag_ids', 'licence', 'licence_until'],
  slots: {
    toolbar: UploadButton,
    head: Head,
    details: [{ key: 'uses', label: '引用', Content: UsesTab }, { key: 'versions', label: '历史文件', Content: VersionsTab }],
  },
  rowActions: [
    { key: 'replace', label: '替换文件', grant: rights.id('replace'), visible: (row) => row.deleted_at === null },
    { key: 'move_uses', label: '转移引用', grant: rights.id('replace'), visible: (row) => row.deleted_at === null && Number(row.use_count) > 0 },
  ],
  dialogs: { replace: ReplaceDialog, move_uses: MoveDialog },
})

/** The lists of the library. */
export const ASSET_VIEWS: Readonly<Record<AssetKind, Presentation>> = { video: viewOf(ASSETS.video), audio: viewOf(ASSETS.audio), image: viewOf(ASSETS.image), document: viewOf(ASSETS.document) }
