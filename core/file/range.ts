/**
 * Reads a Range header.
 * @param size bytes that there are
 * @returns the first and last byte; undefined when the whole is meant; `none` when nothing of it exists
 */
export function parseRange(header: string | undefined, size: number): { start: number; end: number } | 'none' | undefined {
  // Several ranges in one answer: nobody asks for that, and HTTP allows to send everything instead.
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (!match) return undefined
  const [, from = '', to = ''] = match
  if (from === '' && to === '') return undefined
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  // `bytes=5-2` is malformed, which HTTP says to ignore.
  if (from !== '' && to !== '' && Number(to) < start) return undefined
  return start > end ? 'none' : { start, end }
}
