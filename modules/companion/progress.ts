import type { Choice } from '../../core/field/choice.ts'

/** How a learner stands with a task (domain 1.12, in the order of its list). 逾期 is worked out: due, and nothing handed in. */
export const PROGRESS = { new: 0, begun: 1, handed: 2, marking: 3, marked: 4, returned: 5 } as const

export type Progress = (typeof PROGRESS)[keyof typeof PROGRESS]

const P = PROGRESS

export const PROGRESS_STATES = [
  { value: P.new, label: '未开始', tone: 'idle' }, { value: P.begun, label: '进行中', tone: 'processing' }, { value: P.handed, label: '已提交', tone: 'success' },
  { value: P.marking, label: '待批改', tone: 'warning' }, { value: P.marked, label: '已批改', tone: 'success' }, { value: P.returned, label: '退回重做', tone: 'error' },
] as const satisfies readonly Choice<Progress>[]

/** What happens to a learner's task: who does it, and from which states to which. */
export type ProgressAction = 'open' | 'submit' | 'mark' | 'send_back'

interface Edge {
  readonly label: string
  readonly from: readonly Progress[]
  /** Where it leads; a hand-in depends on whether anybody looks at it. */
  readonly to: Progress | 'handed in'
}

export const PROGRESS_EDGES: Readonly<Record<ProgressAction, Edge>> = {
  open: { label: '打开', from: [P.new], to: P.begun },
  submit: { label: '提交', from: [P.new, P.begun, P.returned], to: 'handed in' },
  // Marked again: the first mark stays in the thread.
  mark: { label: '批改', from: [P.handed, P.marking, P.marked], to: P.marked },
  send_back: { label: '退回重做', from: [P.handed, P.marking, P.marked], to: P.returned },
}

/** Nothing more is expected of the learner. */
export const FINISHED: readonly Progress[] = [P.handed, P.marking, P.marked]

/** Whether a task is overdue for a learner. @param now unix seconds, as `due` */
export const isOverdue = (status: Progress, due: number, now: number): boolean => due < now && !FINISHED.includes(status)

/** Tools of the pen (operations 2, 1711). */
export const TOOLS = [
  { value: 'pen', label: '画笔' }, { value: 'tick', label: '对' }, { value: 'cross', label: '错' }, { value: 'half', label: '半对' }, { value: 'circle', label: '圈' }, { value: 'text', label: '文字' },
] as const

export type Tool = (typeof TOOLS)[number]['value']

/** A stroke, in pixels of the picture itself: whatever size or turn it is shown in, the mark stays where it was made. */
export interface Stroke {
  readonly tool: Tool
  readonly points: readonly (readonly [x: number, y: number])[]
  readonly colour: string
  readonly text?: string | undefined
}

/** Marks on one picture of a message. */
export interface Marks {
  /** Message with the picture, and which of its pictures. */
  readonly message_id: number
  readonly picture: number
  readonly strokes: readonly Stroke[]
}

/** Kinds of messages. */
export const MESSAGE_KINDS = [
  { value: 'text', label: '文字' }, { value: 'image', label: '图片' }, { value: 'voice', label: '语音' }, { value: 'file', label: '文件' },
  { value: 'marks', label: '批注' }, { value: 'score', label: '批改' }, { value: 'state', label: '状态' },
] as const

export type MessageKind = (typeof MESSAGE_KINDS)[number]['value']
