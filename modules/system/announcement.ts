import { choice } from '../../core/field/choice.ts'
import { computed } from '../../core/field/json.ts'
import { sortOrder } from '../../core/field/number.ts'
import { richText } from '../../core/field/rich-text.ts'
import { text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { api, defineResource, type RowType } from '../../core/resource/define.ts'
import { screenId } from '../screens.ts'

const BASE = '/daoyuan/api/end'

export const LEVEL = { normal: 1, important: 2, urgent: 3 } as const

/** What everybody who works in the console is told on the home page. */
export const announcement = defineResource({
  name: 'announcement',
  label: '公告',
  title: 'title',
  grant: screenId('/system/announcement'),
  api: api(BASE, 'announcements', 'announcement'),
  fields: {
    title: text('标题', { required: true, max: 60, search: true }),
    body: richText('内容', { required: true, max: 1000, search: true }),
    level: choice('级别', [
      { value: LEVEL.normal, label: '普通' },
      { value: LEVEL.important, label: '重要', tone: 'warning' },
      { value: LEVEL.urgent, label: '紧急', tone: 'error' },
    ], { required: true, initial: LEVEL.normal }),
    start_at: time('开始时间', { help: '不填则立即展示' }),
    end_at: time('结束时间', { help: '不填则一直展示' }),
    sort_order: sortOrder(),
    shown: computed('展示状态', 'text'),
  },
  list: { columns: ['title', 'level', 'shown', 'start_at', 'end_at', 'sort_order', 'created_by_name', 'updated_at'], filters: ['level', 'start_at', 'end_at'] },
  form: [{ fields: ['title', 'body', 'level', 'start_at', 'end_at', 'sort_order'] }],
  without: ['export'],
})

/** An announcement as everybody reads it. */
export type ShownAnnouncement = Pick<RowType<typeof announcement>, 'id' | 'rev' | 'title' | 'body' | 'level' | 'start_at' | 'created_at'>

/** What is announced now, what weighs most first. */
export const shownAnnouncements = defineEndpoint<{ items: ShownAnnouncement[]; total: number }>()({
  method: 'GET', path: `${BASE}/announcements/shown`, summary: '当前公告', grant: 'staff',
})
