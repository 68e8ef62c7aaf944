/** Longest text that a cell of a workbook may hold. */
const MAX_TEXT = 32_767

const NEEDS_CARE = /[&<>"\u0000-\u001F\uD800-\uDFFF\uFFFE\uFFFF]|_x[0-9A-Fa-f]{4}_/
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Drops the characters that no XML document may hold: control characters other than tab and line breaks, half surrogates. */
export function dropForbidden(text: string): string {
  return text.replace(FORBIDDEN, '')
}

/**
 * Makes text safe inside an XML element or attribute of a workbook: entities escaped, characters that XML forbids
 * dropped, a carriage return kept as the format's own `_x000D_`, and text that merely looks like such an escape shielded.
 * Longer than a cell may be, it is cut.
 */
export function escapeXml(text: string): string {
  const short = text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text
  if (!NEEDS_CARE.test(short)) return short
  return dropForbidden(short)
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(/\r/g, '_x000D_')
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '')
}

/** Undoes the format's own escapes, such as `_x000D_` for a carriage return. */
export function decodeEscapes(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_whole, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
