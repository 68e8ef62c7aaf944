/** Of whom a second factor is asked, from the fewest to all; the words are those of the setting. */
export const FACTOR_RULES = [
  { value: 'chosen', label: '仅单独指定的员工' },
  { value: 'super', label: '超级管理员' },
  { value: 'all', label: '全体员工' },
] as const

export type FactorRule = (typeof FACTOR_RULES)[number]['value']
