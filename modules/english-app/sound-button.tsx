import { SoundOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useRef } from 'react'

/** Plays a recording. */
export function SoundButton({ url, label }: { url: string; label: string }) {
  const audio = useRef<HTMLAudioElement>(null)
  return (
    <>
      <Button type="text" size="small" icon={<SoundOutlined />} aria-label={label} title={label} onClick={(event) => { event.stopPropagation(); void audio.current?.play().catch(() => undefined) }} />
      {/* It is a single word, which stands beside the button. */}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
      <audio ref={audio} src={url} preload="none" />
    </>
  )
}
