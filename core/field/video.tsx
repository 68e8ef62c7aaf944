import { PlayCircleOutlined } from '@ant-design/icons'
import { Button, Modal } from 'antd'
import { useState } from 'react'
import type { FileField } from './file.ts'
import { later } from './later.tsx'
import { NONE, type CellProps, type FieldView, type InputProps } from './view.tsx'

const VideoInput = later<InputProps<FileField>>(() => import('./video-input.tsx'))

function VideoCell({ value }: CellProps<FileField>) {
  const [open, setOpen] = useState(false)
  if (typeof value !== 'string') return NONE
  return (
    <>
      <Button type="link" size="small" icon={<PlayCircleOutlined />} onClick={() => setOpen(true)}>播放</Button>
      {open && <Modal open title="播放视频" footer={null} width={800} onCancel={() => setOpen(false)} destroyOnHidden><Player url={value} playing /></Modal>}
    </>
  )
}

/** Plays an uploaded video; what is not needed yet is not fetched. */
export function Player({ url, playing = false }: { url: string; playing?: boolean }) {
  const [broken, setBroken] = useState(false)
  if (broken) return <span className="problem" role="alert">浏览器不能播放这个视频，请用 H.264 编码重新导出后上传</span>
  // Teachers upload what they recorded; there are no captions to offer.
  // oxlint-disable-next-line jsx-a11y/media-has-caption
  return <video className="video-player" src={url} controls preload="metadata" autoPlay={playing} aria-label="视频" onError={() => setBroken(true)} />
}

export const videoView: FieldView<FileField> = { Cell: VideoCell, Input: VideoInput, width: 90 }
