/**
 * Grants are numbers (spec 6): a screen's id is group × 100 + n, and what weighs more than looking has an id of its own,
 * screen × 100 + n. A staff member holds a set of them; the server checks the id on every call.
 */

/** Actions that every resource may have, by their n. Actions of one resource alone start at 11. */
export const STANDARD_ACTIONS = {
  edit: { n: 1, title: '新增和编辑' },
  remove: { n: 2, title: '删除和恢复' },
  import: { n: 3, title: '导入' },
  export: { n: 4, title: '导出' },
  reveal: { n: 5, title: '查看和导出明文' },
} as const

export type StandardAction = keyof typeof STANDARD_ACTIONS

/** Id of an action of a screen. */
export function actionId(screen: number, n: number): number {
  return screen * 100 + n
}

/** Id of a standard action of a screen. */
export function standardId(screen: number, action: StandardAction): number {
  return actionId(screen, STANDARD_ACTIONS[action].n)
}

/** The screen that an id belongs to; a screen's id is its own. */
export function screenOf(id: number): number {
  return id >= 10_000 ? Math.floor(id / 100) : id
}

/**
 * Who may make a call: anyone, a machine of ours that shows a token of its own to the handler, any logged-in staff member,
 * or a person who holds one of the ids.
 */
export type Grant = 'public' | 'device' | 'staff' | readonly number[]

/** Whether only somebody who is logged in may make a call. */
export function asksForStaff(grant: Grant): grant is 'staff' | readonly number[] {
  return grant !== 'public' && grant !== 'device'
}

/** Whether a set of granted ids opens `grant`. */
export function isGranted(grant: Grant, modules: ReadonlySet<number>): boolean {
  return typeof grant === 'string' || grant.some((id) => modules.has(id))
}

/** Kinds of data that a staff member can be limited to (domain 0.3). */
export const SCOPE_KINDS = {
  subject: '学科',
  level: '学段',
  agent: '代理',
  school: '学校',
  partner: '合伙人',
} as const

export type ScopeKind = keyof typeof SCOPE_KINDS

/** Kinds of scope that are places where learners are taught: a person who is limited to some works with those who learn there. */
export const WORKPLACES: readonly ScopeKind[] = ['school', 'partner']

/** Ids that a staff member is limited to, by kind; a kind that is absent is not limited. */
export type Scopes = Readonly<Partial<Record<ScopeKind, readonly number[]>>>
