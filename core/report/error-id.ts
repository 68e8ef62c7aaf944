const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const LENGTH = 8

/**
 * A short name for something that went wrong, which a person can read out and a colleague can find in the log: equal
 * errors have equal names, so that they are counted as one there. Without letters that look like digits.
 */
export function errorId(error: Pick<Error, 'message' | 'stack'>): string {
  let [a, b] = [0x811c9dc5, 0x1b873593]
  for (const letter of `${error.message}\n${error.stack?.split('\n').slice(0, 3).join('\n') ?? ''}`) {
    const code = letter.codePointAt(0) ?? 0
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0x85ebca6b) ^ (b >>> 13)
  }
  return Array.from({ length: LENGTH }, (_, place) => LETTERS[((place % 2 ? a : b) >>> (place * 3)) % LETTERS.length]).join('')
}
