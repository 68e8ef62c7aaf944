import type { Resource } from '../../core/resource/define.ts'
import { defineQrCodes, type QrFamily, type QrResource } from '../qr/module.ts'
import { LEVELS } from '../reference/module.ts'
import { screenId, type ScreenPath } from '../screens.ts'
import { BASE, book } from './book.ts'

/** The lists of what books' codes lead to, one of each stage (spec 2). */
const STAGES = [
  { name: 'senior', screen: '/practiceBook/content/ebook/senior', level: 0 },
  { name: 'junior', screen: '/practiceBook/content/ebook/junior', level: 1 },
  { name: 'primary', screen: '/practiceBook/content/ebook/primary', level: 2 },
] as const satisfies readonly { name: string; screen: ScreenPath; level: number }[]

export type Stage = (typeof STAGES)[number]['name']

/** The codes that stand in books. */
export const bookCodes: QrFamily = defineQrCodes({ label: '图书', target: () => book }, STAGES.map(({ name, screen, level }) => ({
  name: `${name}_ebook`, label: `${LEVELS[level].label}电子书条目`, grant: screenId(screen), base: BASE, path: [`${name}_ebook`, `${name}_ebooks`], only: { level }, scope: { subject: 'book_id.subject_id', level: 'book_id.subject_id.level' },
})))

/** The codes of one stage. @throws Error when there is no such stage */
export function stageCodes(stage: Stage): QrResource {
  const codes = bookCodes.lists[STAGES.findIndex(({ name }) => name === stage)]
  if (!codes) throw new Error(`no codes of ${stage}`)
  return codes
}

/** The codes of books of a level. */
export const levelCodes = (level: number): QrResource => stageCodes(STAGES.find((stage) => stage.level === level)?.name ?? 'senior')

/** Path of the list with the codes of a book of some level. */
export const codesPath = (level: number, bookId: number): string => `${STAGES.find((stage) => stage.level === level)?.screen ?? STAGES[0].screen}?book_id=${bookId}`

/** Its kinds of records. @public tables are made from what files export */
export const ebookResources: readonly Resource[] = bookCodes.lists
