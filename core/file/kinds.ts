const MB = 1024 * 1024
/** domain 1.19: workbooks and documents up to 50 MB; larger files go through the resumable upload. */
export const MAX_UPLOAD = 50 * 1024 * 1024

/** domain 1.19 */
export const IMAGES = { accept: ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml'], maxBytes: 5 * MB } as const
export const DOCUMENTS = {
  accept: [
    'application/pdf',
    'application/zip',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'image/png', 'image/jpeg',
  ],
  maxBytes: 50 * MB,
} as const

export const VIDEOS = { accept: ['video/mp4'], maxBytes: 4 * 1024 * MB } as const

/** What may be uploaded under which name (domain 1.19): MIME types and the largest size in bytes. */
export const UPLOAD_KINDS = {
  image: IMAGES,
  // Word lists bring their sound, and workbooks come as CSV too.
  file: { accept: [...DOCUMENTS.accept, 'text/csv', 'text/plain', 'audio/mpeg'], maxBytes: DOCUMENTS.maxBytes },
  video: VIDEOS,
  // What the editors of lessons and books bring: sound, subtitles, video of other makers, and files for printing.
  audio: { accept: ['audio/mpeg', 'audio/mp4', 'audio/wav', 'audio/webm'], maxBytes: 100 * MB },
  subtitle: { accept: ['text/vtt', 'application/x-subrip'], maxBytes: 2 * MB },
  footage: { accept: ['video/quicktime', 'video/matroska'], maxBytes: 300 * MB },
  print: { accept: ['application/pdf'], maxBytes: 300 * MB },
} as const satisfies Record<string, { accept: readonly string[]; maxBytes: number }>

type UploadKind = keyof typeof UPLOAD_KINDS

/** Reads the name of a kind; undefined when there is no such kind. */
export function uploadKind(name: unknown): UploadKind | undefined {
  return typeof name === 'string' && Object.hasOwn(UPLOAD_KINDS, name) ? (name as UploadKind) : undefined
}

/** Stands among a file's screens where all staff may fetch it: the ids of screens begin at 101. */
export const ALL_STAFF = 0
