const DELIMITERS = [',', '\t', ';'] as const
const SAMPLED_RECORDS = 50

/** First characters with which a spreadsheet program takes text for a formula, full-width forms and line breaks included. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/

/**
 * Finds what separates the fields: the candidate that most records hold equally often.
 * @param sample the beginning of the file; its last record may be cut
 * @returns comma when the sample says nothing
 */
export function detectDelimiter(sample: string): ',' | '\t' | ';' {
  const records = countDelimiters(sample)
  let best: (typeof DELIMITERS)[number] = ','
  let bestScore = 0
  for (const [place, delimiter] of DELIMITERS.entries()) {
    const times = new Map<number, number>()
    for (const record of records) {
      const count = record[place] ?? 0
      if (count > 0) times.set(count, (times.get(count) ?? 0) + 1)
    }
    const score = Math.max(0, ...times.values())
    if (score > bestScore) {
      bestScore = score
      best = delimiter
    }
  }
  return best
}

/** How often each candidate stands outside quotes, for each of the first records. */
function countDelimiters(sample: string): number[][] {
  const records: number[][] = []
  let counts = [0, 0, 0]
  let quoted = false
  for (const character of sample) {
    if (character === '"') quoted = !quoted
    else if (!quoted && character === '\n') {
      records.push(counts)
      if (records.length === SAMPLED_RECORDS) return records
      counts = [0, 0, 0]
    } else if (!quoted) {
      const place = DELIMITERS.indexOf(character as ',')
      if (place >= 0) counts[place] = (counts[place] ?? 0) + 1
    }
  }
  records.push(counts)
  return records
}

/**
 * Keeps a spreadsheet program from running text as a formula: such text gets a leading apostrophe, and so does text that
 * already has one before such a beginning, so that `unguardText` gives back exactly what was written.
 */
export function guardText(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}

/**
 * Reads a csv field as it was meant: takes off the apostrophe of `guardText` and unwraps `="00123"`, with which other
 * systems keep leading zeros.
 */
export function unguardText(field: string): string {
  if (field.startsWith("'")) return FORMULA.test(field) ? field.slice(1) : field
  return field.startsWith('="') && field.endsWith('"') && field.length > 3 ? field.slice(2, -1).replaceAll('""', '"') : field
}

/** Quotes a field where the format asks for it. */
export function quoteField(field: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(field) ? `"${field.replaceAll('"', '""')}"` : field
}
