import type { Choice } from '../../core/field/choice.ts'

/** Grades 1 to 12, as families name them. */
export const GRADES: readonly Choice<number>[] = [
  '一年级', '二年级', '三年级', '四年级', '五年级', '六年级', '初一', '初二', '初三', '高一', '高二', '高三',
].map((label, index) => ({ value: index + 1, label }))
