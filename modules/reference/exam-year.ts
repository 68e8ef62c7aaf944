import * as z from 'zod/mini'
import type { CommonOptions } from '../../core/field/field.ts'
import { number, type NumberField } from '../../core/field/number.ts'

/** How far ahead exam years run (spec 9: current year to +4). */
const AHEAD = 4
/** Years are those of China. */
const YEAR = new Intl.DateTimeFormat('en', { timeZone: 'Asia/Shanghai', year: 'numeric' })

/** Exam years that can be set: this year to the fourth after it (spec 9). */
export function examYears(now = new Date()): number[] {
  const first = Number(YEAR.format(now))
  return Array.from({ length: AHEAD + 1 }, (_unused, index) => first + index)
}

/** The year of a learner's own exam. Records keep those of former years; a new one is of this year or one of the next four. */
export function examYear(label: string, options: CommonOptions<false> & { help?: string } = {}): NumberField<false> {
  return {
    ...number(label, { ...options, min: 2000, max: 2200, unit: '届' }),
    schema: z.int('应为年份').check(z.refine((year) => examYears().includes(year), { error: () => `应为 ${examYears()[0]} 到 ${examYears().at(-1)} 年` })),
  }
}
