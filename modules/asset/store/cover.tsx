import { request } from '../../../core/endpoint/call.tsx'

/** Where in a video a cover is taken unless told: behind what fades in. */
const PART = 0.1
/** Width of a cover, in pixels. */
const WIDTH = 640
/** How long a video may take to show a picture, in milliseconds. */
const PATIENCE = 10_000

/**
 * A picture of a video as the browser shows it.
 * @param at second; absent: a little behind its beginning
 * @returns undefined where the browser cannot play it
 */
async function frameOf(url: string, at: number | undefined): Promise<Blob | undefined> {
  const video = document.createElement('video')
  video.muted = true
  video.preload = 'auto'
  const happens = (name: string) => new Promise<boolean>((resolve) => {
    video.addEventListener(name, () => resolve(true), { once: true })
    video.addEventListener('error', () => resolve(false), { once: true })
    setTimeout(() => resolve(false), PATIENCE)
  })
  try {
    const loaded = happens('loadeddata')
    video.src = url
    if (!(await loaded) || video.videoWidth === 0) return undefined
    const seeked = happens('seeked')
    video.currentTime = at ?? (Number.isFinite(video.duration) ? video.duration * PART : 0)
    if (!(await seeked)) return undefined
    const canvas = document.createElement('canvas')
    canvas.width = Math.min(WIDTH, video.videoWidth)
    canvas.height = Math.round((canvas.width / video.videoWidth) * video.videoHeight)
    canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height)
    return await new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined), 'image/jpeg', 0.85))
  } finally {
    video.removeAttribute('src')
    video.load()
  }
}

/**
 * Uploads a picture of a video as its cover.
 * @param source the file, or the address that serves it
 * @returns address of the picture; undefined where the browser cannot show one: a cover is never worth a failure
 */
export async function coverOf(source: File | string, at?: number): Promise<string | undefined> {
  const url = typeof source === 'string' ? source : URL.createObjectURL(source)
  try {
    const frame = await frameOf(url, at)
    if (!frame) return undefined
    const body = new FormData()
    body.append('file', new File([frame], 'cover.jpg', { type: 'image/jpeg' }))
    return (await request<{ url: string }>('POST', '/daoyuan/api/end/files?kind=image', body, { quiet: true })).url
  } catch {
    return undefined
  } finally {
    if (typeof source !== 'string') URL.revokeObjectURL(url)
  }
}
