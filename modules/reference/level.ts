/** School stages (spec 9: education level 0 senior, 1 junior; domain 0.2: 2 primary). */
export const LEVELS = [
  { value: 0, label: '高中' },
  { value: 1, label: '初中' },
  { value: 2, label: '小学' },
] as const

/** spec 7: the education level that asks for all stages at once. */
export const ALL_LEVELS = 9
