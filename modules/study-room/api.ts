/** Base of every self-study-room call (spec 7). */
export const BASE = '/daoyuan/api/end/self_study_room'

/** The two ways in which schools and their rooms are run (spec 2): by a partner, or by ourselves. Screens and calls exist once for each, over the same tables. */
export const OWNERSHIP = {
  partner: { self_run: 0, prefix: '', base: BASE },
  own: { self_run: 1, prefix: 'self_', base: '/daoyuan/api/end/study_room' },
} as const

export const SELF_RUN = [{ value: 0, label: '合伙' }, { value: 1, label: '自营' }] as const
