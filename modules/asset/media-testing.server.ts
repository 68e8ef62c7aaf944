/** Files of video as tests need them, made of one clip and of nothing. */
import { join } from 'node:path'
import { ALL_FORMATS, Conversion, EncodedPacket, EncodedVideoPacketSource, FilePathSource, FilePathTarget, Input, Mp4OutputFormat, Output, type OutputFormat, type VideoCodec } from 'mediabunny'

/** 15 seconds of H.264 and AAC, the index before the pictures. */
export const CLIP = join(import.meta.dirname, 'demo', 'clip.mp4')

/**
 * Writes the clip's own pictures and sound in another wrapping.
 * @param until second at which it ends; all of it when absent
 */
export async function wrapClip(path: string, format: OutputFormat, until?: number): Promise<string> {
  const input = new Input({ source: new FilePathSource(CLIP), formats: ALL_FORMATS })
  const conversion = await Conversion.init({ input, output: new Output({ format, target: new FilePathTarget(path) }), showWarnings: false, ...(until !== undefined && { trim: { start: 0, end: until } }) })
  await conversion.execute()
  input.dispose()
  return path
}

/** Writes a file that says its pictures are of this codec; they are none. */
export async function claimCodec(path: string, codec: VideoCodec, count = 50): Promise<string> {
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: false }), target: new FilePathTarget(path) })
  const source = new EncodedVideoPacketSource(codec)
  output.addVideoTrack(source)
  await output.start()
  const decoderConfig = { codec: codec === 'hevc' ? 'hvc1.1.6.L93.B0' : 'avc1.42e01e', codedWidth: 1280, codedHeight: 720, description: Buffer.alloc(23, 1) }
  for (let i = 0; i < count; i++) await source.add(new EncodedPacket(Buffer.alloc(100, i), i === 0 ? 'key' : 'delta', i / 25, 1 / 25), i === 0 ? { decoderConfig } : undefined)
  await output.finalize()
  return path
}
