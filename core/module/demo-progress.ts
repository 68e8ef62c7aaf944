import { defineEndpoint } from '../endpoint/define.ts'

/** How far the demo is, while it is being made. */
export interface DemoProgress {
  /** Parts that are there. */
  readonly done: number
  readonly total: number
  /** What is being made now. */
  readonly what: string
}

/** How far the demo is; nothing once it is there. */
export const demoProgress = defineEndpoint<{ progress: DemoProgress | null }>()({ method: 'GET', path: '/daoyuan/api/end/demo_progress', summary: '演示数据生成进度', grant: 'staff' })
