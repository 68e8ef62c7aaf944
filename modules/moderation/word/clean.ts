/** What somebody wrote, as words are looked for in it: each character with the place where it stands in the original. */
export interface Cleaned {
  readonly text: readonly string[]
  /** By place of a character: where it begins in the original, in UTF-16 units. */
  readonly from: readonly number[]
  /** Where it ends there. */
  readonly to: readonly number[]
  /** Whether a mark that ends a clause was dropped right before it. */
  readonly clause: readonly boolean[]
}

const HAN = /\p{Script=Han}/u
const WORD = /[\p{L}\p{N}]/u
/** Nothing is seen of these: zero-width characters, direction marks, variation selectors, accents put over a character. */
const UNSEEN = /[\p{Cf}\p{Mn}\p{Cc}\u115f\u1160\u3164\uffa0]/u
/** Marks between two clauses: what is written across one is more often two words than one in disguise. */
const CLAUSE = /[，。！？；：、…,.!?;:\n]/u

interface Piece { readonly char: string; readonly from: number; readonly to: number }

/** Characters in their plain form: full width and circled ones are themselves, letters are small, and what is not seen is gone. */
function plain(raw: string): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (const one of raw) {
    const to = at + one.length
    // Line breaks end a clause, though nothing is seen of them.
    if (one === '\n') pieces.push({ char: '\n', from: at, to })
    else for (const char of one.normalize('NFKC').toLowerCase()) if (!UNSEEN.test(char)) pieces.push({ char, from: at, to })
    at = to
  }
  return pieces
}

/**
 * Takes the disguise off a text: compatibility forms folded, small letters, and blanks and marks beside Han characters dropped.
 * Blanks between Latin words stay, because they say where those begin and end.
 */
export function clean(raw: string): Cleaned {
  const pieces = plain(raw)
  const kept: (Piece & { clause: boolean })[] = []
  let gap: Piece[] = []
  for (const piece of pieces) {
    if (!WORD.test(piece.char)) {
      gap.push(piece)
      continue
    }
    const before = kept.at(-1)
    const drops = before !== undefined && (HAN.test(before.char) || HAN.test(piece.char))
    if (!drops) kept.push(...gap.map((one) => ({ ...one, clause: false })))
    kept.push({ ...piece, clause: drops && gap.some(({ char }) => CLAUSE.test(char)) })
    gap = []
  }
  const all = [...kept, ...gap.map((one) => ({ ...one, clause: false }))]
  return { text: all.map(({ char }) => char), from: all.map(({ from }) => from), to: all.map(({ to }) => to), clause: all.map(({ clause }) => clause) }
}

/** A word of the list in the form in which it is looked for; two spellings of the same word are one. */
export const foldWord = (word: string): string => clean(word).text.join('').replace(/\s+/g, ' ').trim()
