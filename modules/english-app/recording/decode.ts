import { RATE } from './clip.ts'

/** Longest recording that is cut at once, and its largest file. */
const MOST_MINUTES = 15
const MOST_BYTES = 100 * 1024 * 1024

/**
 * Reads a recording in the browser, mixed to one channel; it leaves the machine in pieces only.
 * @throws Error with a Chinese sentence
 */
export async function decodeRecording(file: File): Promise<Float32Array> {
  if (file.size > MOST_BYTES) throw new Error('录音不能超过 100 MB')
  const context = new OfflineAudioContext(1, 1, RATE)
  const decoded = await context.decodeAudioData(await file.arrayBuffer()).catch(() => undefined)
  if (!decoded) throw new Error('无法读取这个录音，请使用 mp3、m4a、wav 或 webm 文件')
  if (decoded.duration > MOST_MINUTES * 60) throw new Error(`录音最长 ${MOST_MINUTES} 分钟，请分成几段`)
  const [first, ...others] = Array.from({ length: decoded.numberOfChannels }, (_, channel) => decoded.getChannelData(channel))
  if (!first || decoded.duration === 0) throw new Error('录音中没有声音')
  return others.length === 0 ? first : first.map((one, at) => others.reduce((sum, channel) => sum + (channel[at] ?? 0), one) / (others.length + 1))
}
