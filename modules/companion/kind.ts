import type { ScreenPath } from '../screens.ts'

/** Businesses in which a teacher keeps a learner company; a teacher may work in several. */
export const COMPANION_LINES = [{ value: 'accompany', label: '伴学' }, { value: 'qb_train', label: '尖子班' }] as const

/** Classes of a business: those of one level of selection stand on a screen of their own. */
export interface ClassScreen {
  /** Value of the column `category`. */
  readonly category: string
  readonly label: string
  readonly screen: ScreenPath
  /** Last part of the path of their calls. */
  readonly path: string
}

/** Screens on which a teacher works with their own learners. */
export interface TutorScreens {
  readonly students: ScreenPath
  readonly tasks: ScreenPath
  readonly thread: ScreenPath
  readonly report: ScreenPath
  readonly content: ScreenPath
}

/** Address of the terms of one pack. */
export const termsPath = ({ terms }: Pick<CompanionKind['screens'], 'terms'>, id: number): string => (terms ?? '').replace(':id', String(id))

/** A business of companions: what differs between them is in this row, the code is the same. */
export interface CompanionKind {
  /** Value of the column `kind`; also begins the names of its resources. */
  readonly value: (typeof COMPANION_LINES)[number]['value']
  readonly label: string
  /** What a learner is called. */
  readonly learner: string
  /** Value of the line of orders and entitlements. */
  readonly line: string
  /** Begins the paths of its calls. */
  readonly base: string
  /** Below the base: the tasks as the specification names them. */
  readonly taskPath: string
  readonly screens: {
    readonly students: ScreenPath
    readonly orders: ScreenPath
    readonly classes: readonly ClassScreen[]
    readonly tasks: ScreenPath
    readonly templates?: ScreenPath
    readonly reports?: ScreenPath
    readonly packs: ScreenPath
    /** Terms of one pack. */
    readonly terms?: ScreenPath
    readonly papers: { readonly list: ScreenPath; readonly detail: ScreenPath; readonly add: ScreenPath }
    readonly tutor?: TutorScreens
  }
  /** Learners are measured against each other: scores, rank, who goes on. */
  readonly ranked?: true
}
