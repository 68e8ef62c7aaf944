/** Longest file name that is kept, in characters. */
const MAX_NAME = 100

/** Ending of a name without its dot, lower case; empty when there is none. */
export function extensionOf(name: string): string {
  return /\.([A-Za-z0-9]{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? ''
}

/**
 * A name that is safe on every system and in every header: no folders, no control or invisible characters,
 * none that Windows forbids, at most 100 characters with its ending kept.
 */
export function cleanFileName(name: string): string {
  const base = name.split(/[/\\]/).at(-1) ?? ''
  const clean = base
    .normalize('NFC')
    // What cannot be seen, half of a surrogate pair included.
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .replace(/[<>:"|?*]/g, '_')
    .replace(/\s+/g, ' ')
    .replace(/^ +|[. ]+$/g, '')
  const extension = extensionOf(clean)
  // Systems hide names that begin with a dot, and Windows drops dots at the end.
  const stem = clean.slice(0, extension ? -extension.length - 1 : undefined).replace(/^[. ]+|[. ]+$/g, '')
  const short = [...stem].slice(0, MAX_NAME - extension.length - 1).join('') || '未命名'
  return extension ? `${short}.${extension}` : short
}
