/** Stored pictures and sounds, fetched for a document that carries them. */
import { buffer } from 'node:stream/consumers'
import { imageSize } from 'image-size'
import { AppError } from '../../../core/error/error.ts'
import type { FileStore } from '../../../core/file/store.server.ts'
import { fileIdsIn } from '../../../core/file/url.ts'
import { assetsOf, type RichDoc } from '../../../core/rich-text/rich-doc.ts'
import type { WordPicture } from './docx/writer.ts'
import type { Asset } from './item.ts'

/**
 * @public
 * Fetches every picture and sound that texts name. Those that are gone are left out.
 * @returns the files by the address that the texts name them with; the name is unique and has an ending
 */
export async function loadAssets(files: Pick<FileStore, 'find' | 'open'>, docs: Iterable<RichDoc | null>): Promise<Map<string, Asset>> {
  const found = new Map<string, Asset>()
  for (const doc of docs) {
    for (const address of assetsOf(doc)) {
      const [id] = fileIdsIn(address)
      if (!id || found.has(address)) continue
      const file = await files.find(id)
      if (!file) continue
      try {
        const bytes = new Uint8Array(await buffer(await files.open(id)))
        found.set(address, { name: `${id}${/\.[a-z0-9]{2,5}$/i.exec(file.name)?.[0].toLowerCase() ?? ''}`, bytes, type: file.type })
      } catch (error) {
        if (!(error instanceof AppError)) throw error
      }
    }
  }
  return found
}

/** @public Pictures with their own size in pixels, for `WordWriter`. */
export function wordPictures(assets: ReadonlyMap<string, Asset>): Map<string, WordPicture> {
  return new Map([...assets].flatMap(([address, { bytes, type }]): [string, WordPicture][] => {
    if (!type.startsWith('image/')) return []
    const { width = 300, height = 200 } = sizeOf(bytes)
    return [[address, { bytes, type, width, height }]]
  }))
}

function sizeOf(bytes: Uint8Array): { width?: number; height?: number } {
  try {
    return imageSize(bytes)
  } catch {
    return {}
  }
}
