import { readShades } from './read-shades.ts'

/** Pixels of the longer side in which a code is looked for: more is slower and finds no more. */
const LONGEST = 960

const canvas = document.createElement('canvas')

/** Looks for a code in what a camera shows at the moment, in browsers that cannot by themselves. */
export function readFrame(video: HTMLVideoElement): Promise<string | undefined> {
  const scale = Math.min(1, LONGEST / Math.max(video.videoWidth, video.videoHeight, 1))
  const [width, height] = [Math.round(video.videoWidth * scale), Math.round(video.videoHeight * scale)]
  if (width === 0 || height === 0) return Promise.resolve(undefined)
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) return Promise.resolve(undefined)
  context.drawImage(video, 0, 0, width, height)
  const { data } = context.getImageData(0, 0, width, height)
  const shades = new Uint8ClampedArray(width * height)
  for (let at = 0; at < shades.length; at++) shades[at] = ((data[at * 4] ?? 0) * 306 + (data[at * 4 + 1] ?? 0) * 601 + (data[at * 4 + 2] ?? 0) * 117) >> 10
  return Promise.resolve(readShades(shades, width, height))
}
