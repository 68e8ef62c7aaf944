import type { ProductLine } from '../reference/module.ts'

/** What the line is; what follows from it stands in line.ts, which is fetched with the first of its screens. */
export const MUST_LINE: ProductLine = {
  code: 'must_practice', name: '必刷题', path: '/mustPractice', screens: { learner: 'account', order: 'order' }, more: ['paper'], noun: ['题包', '个'], textbook: 'none', content: 'outline', blocks: [],
}

/** Value of `show` in the address of the papers' screen that stands for its packs. */
export const PACKS = 'pack'

/** Where packs are shown: spec 2 has no screen of their own for them. */
export const PACKS_AT = `/mustPractice/paper?show=${PACKS}`
