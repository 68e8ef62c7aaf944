/** Endings that files of each MIME type may have; the first is given to a file that came without one. */
export const EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
  'image/png': ['png', 'apng'],
  'image/jpeg': ['jpg', 'jpeg', 'jfif'],
  'image/webp': ['webp'],
  'image/gif': ['gif'],
  'image/svg+xml': ['svg'],
  'video/mp4': ['mp4', 'm4v'],
  'video/quicktime': ['mov'],
  'video/matroska': ['mkv'],
  'audio/mpeg': ['mp3'],
  'audio/mp4': ['m4a'],
  'audio/wav': ['wav'],
  'audio/webm': ['weba', 'webm'],
  'text/vtt': ['vtt'],
  'application/x-subrip': ['srt'],
  'application/pdf': ['pdf'],
  'application/zip': ['zip'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx'],
  'text/csv': ['csv'],
  'text/plain': ['txt', 'log', 'md', 'gift'],
  'application/json': ['json', 'jsonl'],
  'application/xml': ['xml'],
}

/** MIME type that an ending stands for. */
export function typeOfExtension(extension: string): string | undefined {
  return Object.keys(EXTENSIONS).find((type) => EXTENSIONS[type]?.includes(extension))
}
