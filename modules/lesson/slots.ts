/** What a video of a course is for (domain 1.2); kept as the slot of its block. */
export const VIDEO_SLOTS = [{ value: 1, label: '正课' }, { value: 2, label: '预习' }, { value: 3, label: '答疑' }, { value: 4, label: '试看' }] as const

/** spec 9: what a paper of a course is for. */
export const PAPER_SLOTS = [{ value: 1, label: '随堂练习' }, { value: 2, label: '课后练习' }, { value: 3, label: '阶段测试' }, { value: 4, label: '旧站课后练习' }] as const
