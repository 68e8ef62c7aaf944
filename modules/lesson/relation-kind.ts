/** How one course stands to another (domain 1.2). */
export const RELATION = { before: 1, bundle: 2, gift: 3, alike: 4 } as const
export const RELATIONS = [{ value: RELATION.before, label: '前置' }, { value: RELATION.bundle, label: '打包' }, { value: RELATION.gift, label: '赠送' }, { value: RELATION.alike, label: '同类' }] as const
export type RelationKind = (typeof RELATION)[keyof typeof RELATION]

/** Kinds of which a course that comes with another is opened with it. */
export const OPENING: readonly RelationKind[] = [RELATION.bundle, RELATION.gift]
