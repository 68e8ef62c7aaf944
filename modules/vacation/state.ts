/** States of a class (teaching.md 1.4). 已满 follows from its places. */
export const CLASS_STATE = { open: 1, paused: 2, running: 3, finished: 4, cancelled: 5 } as const

export const CLASS_STATES = [
  { value: CLASS_STATE.open, label: '招生中', tone: 'success' }, { value: CLASS_STATE.paused, label: '暂停', tone: 'warning' }, { value: CLASS_STATE.running, label: '进行中', tone: 'processing' },
  { value: CLASS_STATE.finished, label: '已结课', tone: 'default' }, { value: CLASS_STATE.cancelled, label: '已取消', tone: 'default' },
] as const

/** States of somebody in a class (teaching.md 1.4). */
export const MEMBER_STATE = { waiting: 1, in: 2, moved: 3, refunded: 4, finished: 5 } as const

export const MEMBER_STATES = [
  { value: MEMBER_STATE.waiting, label: '候补', tone: 'warning' }, { value: MEMBER_STATE.in, label: '在班', tone: 'success' }, { value: MEMBER_STATE.moved, label: '转出', tone: 'default' },
  { value: MEMBER_STATE.refunded, label: '退费', tone: 'default' }, { value: MEMBER_STATE.finished, label: '结课', tone: 'default' },
] as const

/** What a roll call says of somebody. */
export const ROLL = { present: 1, late: 2, early: 3, leave: 4, absent: 5 } as const

export const ROLLS = [
  { value: ROLL.present, label: '到' }, { value: ROLL.late, label: '迟到' }, { value: ROLL.early, label: '早退' }, { value: ROLL.leave, label: '请假' }, { value: ROLL.absent, label: '缺' },
] as const

/** Days for which a WeChat group's code can be scanned. */
export const QR_DAYS = 7
