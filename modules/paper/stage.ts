import type { Choice } from '../../core/field/choice.ts'
import { SET_PAPER_TYPES } from '../reference/module.ts'
import type { ScreenPath } from '../screens.ts'

/** What papers of a school stage have of their own. */
export interface Stage {
  /** Education level (spec 9; domain 0.2: 2 is primary). */
  readonly level: 0 | 1 | 2
  /** Part of its calls' paths. */
  readonly key: 'senior' | 'junior' | 'primary'
  readonly title: string
  readonly base: ScreenPath
  readonly course: ScreenPath
  readonly micro: ScreenPath
  readonly detail: ScreenPath
  readonly paperTypes: readonly Choice<number>[]
}

/** spec 9: junior paper types 12, 13, 14 and 6; no names are shown for them. */
const JUNIOR_PAPER_TYPES: readonly Choice<number>[] = [12, 13, 14, 6].map((value) => ({ value, label: `未命名(${value})` }))

/** spec 2: the screens of the three stages; they differ by this data only. */
export const STAGES: readonly [Stage, Stage, Stage] = [
  { level: 0, key: 'senior', title: '高中', base: '/papers/senior/base-paper', course: '/papers/senior/micro-course', micro: '/papers/senior/micro-paper', detail: '/papers/detail/:id', paperTypes: SET_PAPER_TYPES },
  { level: 1, key: 'junior', title: '初中', base: '/papers/junior/base-paper', course: '/papers/junior/micro-course', micro: '/papers/junior/micro-paper', detail: '/papers/juniorDetail/:id', paperTypes: JUNIOR_PAPER_TYPES },
  { level: 2, key: 'primary', title: '小学', base: '/papers/primary/base-paper', course: '/papers/primary/micro-course', micro: '/papers/primary/micro-paper', detail: '/papers/primaryDetail/:id', paperTypes: SET_PAPER_TYPES },
]

/** The stage of senior schools, for kinds of papers that it alone has. */
export const [SENIOR_STAGE] = STAGES
