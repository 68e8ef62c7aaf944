import { DOCUMENTS, IMAGES, VIDEOS } from '../field/file.ts'

/** What may be uploaded under which name (domain 1.19): MIME types and the largest size in bytes. */
export const UPLOAD_KINDS = {
  image: IMAGES,
  // Word lists bring their sound, and workbooks come as CSV too.
  file: { accept: [...DOCUMENTS.accept, 'text/csv', 'text/plain', 'audio/mpeg'], maxBytes: DOCUMENTS.maxBytes },
  video: VIDEOS,
} as const satisfies Record<string, { accept: readonly string[]; maxBytes: number }>

type UploadKind = keyof typeof UPLOAD_KINDS

/** Reads the name of a kind; undefined when there is no such kind. */
export function uploadKind(name: unknown): UploadKind | undefined {
  return typeof name === 'string' && Object.hasOwn(UPLOAD_KINDS, name) ? (name as UploadKind) : undefined
}
