/** How a Chinese title is typed on a Latin keyboard: initials, whole syllables. */
export type Spelling = readonly string[]

/** The two spellings of a title out of its syllables. */
export function spellingOf(syllables: readonly string[]): Spelling {
  const lower = syllables.map((syllable) => syllable.toLowerCase())
  return [lower.map((syllable) => syllable[0] ?? '').join(''), lower.join('')]
}

/**
 * Whether a title is meant by what was typed: part of the title, its initials or its syllables.
 * @param word typed text; spaces and case do not matter
 */
export function isMeant(word: string, title: string, spelling: Spelling = []): boolean {
  const typed = word.trim().toLowerCase()
  if (typed === '') return true
  const latin = typed.replaceAll(/[\s']/g, '')
  return title.toLowerCase().includes(typed) || spelling.some((one) => latin !== '' && one.includes(latin))
}
