import { PlayCircleOutlined } from '@ant-design/icons'
import { Button, Modal } from 'antd'
import { useState } from 'react'
import type { FileField } from './file.ts'
import { lazyInput } from './lazy-input.tsx'
import { Player } from './video-player.tsx'
import { NONE, type CellProps, type FieldView, type InputProps } from './view.tsx'

const VideoInput = lazyInput<InputProps<FileField>>(() => import('./video-input.tsx'))

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

export const videoView: FieldView<FileField> = { Cell: VideoCell, Input: VideoInput }
