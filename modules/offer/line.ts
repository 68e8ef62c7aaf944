import type { ProductLine } from '../reference/module.ts'

/** Where the calls of a line stand (domain 1.6): `end/{line}/textbooks`. */
export const lineBase = (line: Pick<ProductLine, 'code'>): string => `/daoyuan/api/end/${line.code}`

/** Difficulty bands of courses (spec 9: 1-2 sprint, 3 advanced, 4-5 basic). */
export const COURSE_DIFFICULTIES = [
  { value: 1, label: '冲刺 1' }, { value: 2, label: '冲刺 2' }, { value: 3, label: '提高' }, { value: 4, label: '基础 4' }, { value: 5, label: '基础 5' },
] as const
