/** A label as suggestions know it. */
export interface LabelCandidate {
  id: number
  name: string
  alias: readonly string[]
}

/** A name without what only counts or fills: 第一章, 1.2, §3, *, and the words that chapters add. */
export function coreOf(name: string): string {
  return name.normalize('NFKC').replace(/^[\s*＊§]+/, '')
    .replace(/^(?:第[\d一二三四五六七八九十百]+(?:章|节|单元|课|讲|部分)|专题[\d一二三四五六七八九十]*|Unit\s*\d+|§?\s*\d+(?:[.．·-]\d+)*)[\s、.．:：]*/i, '')
    .replace(/[\s*＊()（）《》“”"'、，,.：:的及其与和]/g, '')
    .toLowerCase()
}

/** Pairs of neighbouring characters. */
function pairs(text: string): Set<string> {
  const found = new Set<string>()
  for (let index = 0; index < text.length - 1; index++) found.add(text.slice(index, index + 2))
  return found
}

/** How well two names agree, 0 to 1: the same is 1, one inside the other by its share, else the pairs that they have in common. */
function agreement(one: string, other: string): number {
  if (one === '' || other === '') return 0
  if (one === other) return 1
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (short.length >= 2 && long.includes(short)) return 0.5 + 0.45 * (short.length / long.length)
  const [a, b] = [pairs(one), pairs(other)]
  const common = [...a].filter((pair) => b.has(pair)).length
  return (2 * common) / Math.max(1, a.size + b.size)
}

/** Agreement from which a name is worth showing. */
const LEAST = 0.5

/** Labels that a chapter's name suggests, the best first, at most three. */
export function suggest(chapter: string, candidates: readonly LabelCandidate[]): { id: number; score: number }[] {
  const core = coreOf(chapter)
  return candidates
    .map(({ id, name, alias }) => ({ id, score: Math.max(...[name, ...alias].map((one) => agreement(core, coreOf(one)))) }))
    .filter(({ score }) => score >= LEAST).sort((a, b) => b.score - a.score || a.id - b.id).slice(0, 3)
}
