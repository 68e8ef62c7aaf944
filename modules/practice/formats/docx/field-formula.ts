/** Formulas that old papers wrote as fields: EQ \\F(1,2), \\R(3,x), \\S\\UP(2). */

/** Arguments between brackets from a place on, and the place after them; null when the brackets do not close. */
function argumentsAt(source: string, open: number): { parts: string[]; end: number } | null {
  const parts = ['']
  let depth = 0
  for (let at = open; at < source.length; at++) {
    const char = source[at] ?? ''
    if (char === '(' && depth++ === 0) continue
    if (char === ')' && --depth === 0) return { parts, end: at + 1 }
    if ((char === ',' || char === ';') && depth === 1) parts.push('')
    else parts[parts.length - 1] += char
  }
  return null
}

function read(source: string): string | null {
  const at = source.indexOf('\\')
  if (at < 0) return source.trim().replace(/[%#&_]/g, '\\$&')
  const head = source.slice(0, at).trim()
  const command = /^\\(f|r|s\\(?:up|do)\d*)\s*(?=\()/i.exec(source.slice(at))
  const found = command && argumentsAt(source, at + command[0].length)
  const parts = found?.parts.map(read)
  const rest = found ? read(source.slice(found.end)) : null
  if (!command || !parts || rest === null || parts.some((part) => part === null)) return null
  const [first = '', second] = parts
  const kind = (command[1] ?? '').toLowerCase()
  const made = kind === 'f' ? `\\frac{${first}}{${second ?? ''}}` : kind === 'r' ? (second === undefined || first === '' ? `\\sqrt{${second ?? first}}` : `\\sqrt[${first}]{${second}}`) : kind.startsWith('s\\up') ? `^{${first}}` : `_{${first}}`
  return `${head}${made}${rest}`
}

/** The formula of a field as TeX, or null when it has parts that are not known. */
export const fieldTex = (instruction: string): string | null => read(instruction.replace(/^\s*EQ\b\s*/i, '')) || null
