/** First letters of question numbers, by the last two digits of a subject's id (spec 3: the stages repeat the order of the subjects). */
const LETTERS: Readonly<Record<number, string>> = { 1: 'M', 2: 'E', 3: 'P', 4: 'C', 5: 'B', 6: 'G', 7: 'Y', 8: 'H', 9: 'K', 10: 'Z' }

/** 题号, as M1-0203817: subject, stage (1 senior, 2 junior, 3 primary), number. It never changes and is never given twice. */
export function practiceNo(subjectId: number, level: number, id: number): string {
  return `${LETTERS[subjectId % 100] ?? 'X'}${level + 1}-${String(id).padStart(7, '0')}`
}

/** Stage of a subject, by its id (spec 3). */
export const levelOfSubject = (subjectId: number): number => (subjectId < 100 ? 0 : subjectId < 200 ? 1 : 2)
