/** States of a teacher. Whose certificate ran out or was taken back has lapsed, and may apply again. */
export const TEACHER_STATUS = { certified: 1, stopped: 2, left: 3, lapsed: 4 } as const

export const TEACHER_STATES = [
  { value: TEACHER_STATUS.certified, label: '已认证', tone: 'success' }, { value: TEACHER_STATUS.stopped, label: '已停用', tone: 'error' },
  { value: TEACHER_STATUS.left, label: '已离开', tone: 'default' }, { value: TEACHER_STATUS.lapsed, label: '认证失效', tone: 'warning' },
] as const

export const CLASS_STATUS = { running: 1, graduated: 2, dissolved: 3 } as const

export const CLASS_STATES = [
  { value: CLASS_STATUS.running, label: '进行中', tone: 'success' }, { value: CLASS_STATUS.graduated, label: '已毕业', tone: 'default' }, { value: CLASS_STATUS.dissolved, label: '已解散', tone: 'default' },
] as const

/** How far the reading of the questions is that a teacher wrote for a paper. */
export const REVIEW = { none: 0, waiting: 1, done: 2 } as const

export const REVIEWS = [{ value: REVIEW.none, label: '无自编题', tone: 'idle' }, { value: REVIEW.waiting, label: '待审核', tone: 'warning' }, { value: REVIEW.done, label: '已审核', tone: 'success' }] as const

/** What became of one question that a teacher wrote. */
export const QUESTION = { waiting: 0, admitted: 1, refused: 2, known: 3 } as const

export const QUESTIONS = [
  { value: QUESTION.waiting, label: '待审核', tone: 'warning' }, { value: QUESTION.admitted, label: '已入库', tone: 'success' }, { value: QUESTION.refused, label: '已退回', tone: 'error' }, { value: QUESTION.known, label: '用题库已有题', tone: 'processing' },
] as const

/** Days after which nothing having happened is a reason to speak with a teacher, and days before an end that are near. */
export const NOTICE_DAYS = { no_class: 7, no_homework: 7, silent: 30, expiring: 30 } as const

/** Why a teacher needs somebody this week. */
export const REASONS = [
  { value: 'due', label: '本周该跟进', why: '约定的跟进时间在本周内或已过' }, { value: 'no_class', label: '认证后未建班', why: `认证 ${NOTICE_DAYS.no_class} 天以上，还没有班级` },
  { value: 'no_homework', label: '建班后未布置', why: `有班级 ${NOTICE_DAYS.no_homework} 天以上，还没有布置过作业` }, { value: 'silent', label: '已沉默', why: `${NOTICE_DAYS.silent} 天没有布置作业` },
  { value: 'expiring', label: '权益将到期', why: `权益在 ${NOTICE_DAYS.expiring} 天内到期` },
] as const

export type Reason = (typeof REASONS)[number]['value']

/** Steps of the funnel: from applying to a class that works. */
export const STEPS = ['申请', '认证', '建班', '布置', '活跃'] as const

/** Days after an application in which its steps count: cohorts of different age are comparable, younger ones are not ripe. */
export const WINDOW_DAYS = 60

/** Most learners of a class, most running classes of a teacher, and most that a learner is in at once. */
export const MOST = { members: 200, classes: 20, joined: 10 } as const
