import { useEffect, useRef, useState } from 'react'
import { RATE } from './clip.ts'

/** Plays parts of samples. */
export interface Player {
  /** Whether something is heard. */
  readonly playing: boolean
  play: (from: number, to: number) => void
  stop: () => void
  /** Where it plays or stopped, in seconds. */
  now: () => number
}

/** Plays parts of a recording. @param onTime called with the place while something is heard */
export function usePlayer(samples: Float32Array<ArrayBuffer> | undefined, onTime: (seconds: number) => void): Player {
  const [playing, setPlaying] = useState(false)
  const heard = useRef<{ context: AudioContext; source?: AudioBufferSourceNode; frame?: number }>(undefined)
  const place = useRef(0)
  const stop = () => {
    const { source, frame } = heard.current ?? {}
    if (frame !== undefined) cancelAnimationFrame(frame)
    if (source) {
      source.onended = null
      source.stop()
      source.disconnect()
    }
    if (heard.current) heard.current = { context: heard.current.context }
    setPlaying(false)
  }
  useEffect(() => () => {
    if (heard.current?.frame !== undefined) cancelAnimationFrame(heard.current.frame)
    void heard.current?.context.close()
    heard.current = undefined
  }, [])
  const play = (from: number, to: number) => {
    if (!samples || to <= from) return
    stop()
    const context = heard.current?.context ?? new AudioContext()
    void context.resume()
    const buffer = context.createBuffer(1, samples.length, RATE)
    buffer.copyToChannel(samples, 0)
    const source = context.createBufferSource()
    source.buffer = buffer
    source.connect(context.destination)
    const begin = context.currentTime
    source.start(0, from, to - from)
    source.onended = stop
    const follow = () => {
      place.current = Math.min(to, from + context.currentTime - begin)
      onTime(place.current)
      if (heard.current) heard.current.frame = requestAnimationFrame(follow)
    }
    heard.current = { context, source }
    heard.current.frame = requestAnimationFrame(follow)
    setPlaying(true)
  }
  return { playing, play, stop, now: () => place.current }
}
