import { choice } from '../../core/field/choice.ts'
import { number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { longText, text } from '../../core/field/text.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { screenId, type ScreenPath } from '../screens.ts'
import type { CompanionKind } from './kind.ts'
import { MOST_LESSONS, TASK_KINDS, type TaskParts } from './task.ts'

/** Weeks of a season. */
export const MOST_WEEKS = 60

/** What classes are given week by week: a plan lays templates on the calendar of a class. */
export function defineTemplates(kind: CompanionKind, screen: ScreenPath, { packs, papers }: Pick<TaskParts, 'packs' | 'papers'>) {
  const rights = defineRights(screenId(screen), { plan: [11, '按周计划布置'] })
  return defineResource({
    name: `${kind.value}_task_template`,
    table: 'companion_template',
    label: '任务模板',
    title: 'title',
    grant: rights.screen,
    rights,
    api: api(kind.base, 'research/task_templates', 'research/task_templates'),
    fields: {
      kind: choice('业务', [{ value: kind.value, label: kind.label }], { required: true, readonly: true }),
      season: text('期次', { required: true, max: 20, search: true, example: '2026 秋' }),
      week: number('第几周', { required: true, min: 1, max: MOST_WEEKS }),
      title: text('标题', { required: true, max: 60, search: true }),
      task_kind: choice('类型', TASK_KINDS, { required: true }),
      pack_id: reference('资料包', () => packs),
      paper_id: reference('试卷', () => papers),
      offset_days: number('布置于该周第几天', { required: true, min: 1, max: 7, initial: 1, help: '1 为开课那天起每周的第一天' }),
      due_days: number('几天内完成', { required: true, min: 1, max: 60, initial: 3, unit: '天' }),
      full: number('满分', { required: true, min: 1, max: 1000, digits: 1, initial: 100 }),
      lessons: number('计课时', { required: true, min: 0, max: MOST_LESSONS, initial: 1, unit: '节' }),
      body: longText('要求', { max: 1000 }),
    },
    list: {
      columns: ['title', 'season', 'week', 'task_kind', 'offset_days', 'due_days', 'pack_id', 'paper_id', 'full', 'lessons', 'updated_at'],
      under: ['season'],
      filters: ['season', 'week', 'task_kind', 'pack_id', 'created_at'],
      sort: 'week',
    },
    form: [
      { title: '任务', fields: ['title', 'task_kind', 'pack_id', 'paper_id', 'body'] },
      { title: '时间', fields: ['season', 'week', 'offset_days', 'due_days'] },
      { title: '批改', fields: ['full', 'lessons'] },
    ],
    logged: [{ name: 'plan', label: '按周布置' }],
    where: { kind: kind.value },
    unscoped: { subject: 'A template may hold material of a subject and belongs to a season of all subjects.', level: 'A template may hold material of a level and belongs to a season of all levels.' },
    indexes: [['kind', 'season', 'week']],
  })
}

export type TemplateResource = ReturnType<typeof defineTemplates>
