import { useState } from 'react'

/** Plays an uploaded video; what is not needed yet is not fetched. */
export function Player({ url, playing = false }: { url: string; playing?: boolean }) {
  const [broken, setBroken] = useState(false)
  if (broken) return <span className="problem" role="alert">浏览器不能播放这个视频，请用 H.264 编码重新导出后上传</span>
  // Teachers upload what they recorded; there are no captions to offer.
  // oxlint-disable-next-line jsx-a11y/media-has-caption
  return <video className="video-player" src={url} controls preload="metadata" autoPlay={playing} aria-label="视频" onError={() => setBroken(true)} />
}
