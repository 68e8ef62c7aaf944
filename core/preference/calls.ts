import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint/define.ts'

/** Largest stored choice, as JSON, in bytes. */
export const MAX_PREFERENCE = 16 * 1024
/** Choices that one person may keep. */
export const MAX_PREFERENCES = 500

/** Everything a person has chosen about the console, by key. */
export const readPreferences = defineEndpoint<{ preferences: Record<string, unknown> }>()({
  method: 'GET', path: '/daoyuan/api/end/preferences', summary: '自己的界面设置', grant: 'staff',
})

/** Keeps one choice; null forgets it. */
export const writePreference = defineEndpoint<Record<string, never>>()({
  method: 'PUT',
  path: '/daoyuan/api/end/preferences',
  summary: '保存自己的一项界面设置',
  grant: 'staff',
  input: z.object({
    key: z.string('设置名称有误').check(z.regex(/^[\w./:-]{1,120}$/, '设置名称有误')),
    value: z.unknown(),
  }),
})

/** A list's filters, order and columns under a name. */
export interface SavedView {
  id: number
  list: string
  name: string
  query: string
  columns: string[] | null
  shared: boolean
  staff_id: number
  staff_name: string | null
  /** Whether the reader may change and delete it. */
  own: boolean
}

const name = z.string('请填写视图名称').check(z.trim(), z.minLength(1, '请填写视图名称'), z.maxLength(30, '视图名称最多 30 个字'))
const query = z.string('筛选条件有误').check(z.maxLength(4000, '筛选条件过长'))
const columns = z.nullable(z.array(z.string().check(z.maxLength(60))).check(z.maxLength(100, '列过多')))
const list = z.string('请说明是哪个列表').check(z.minLength(1, '请说明是哪个列表'), z.maxLength(120, '列表名称过长'))
const BASE = '/daoyuan/api/end/saved_views'

/** A person's own views of a list and those that colleagues share. */
export const listViews = defineEndpoint<{ items: SavedView[]; total: number }>()({
  method: 'GET', path: BASE, summary: '列表的视图', grant: 'staff', input: z.object({ list }),
})

export const createView = defineEndpoint<SavedView>()({
  method: 'POST', path: BASE, summary: '保存视图', grant: 'staff',
  input: z.object({ list, name, query, columns: z.optional(columns), shared: z.optional(z.boolean()) }),
})

export const updateView = defineEndpoint<SavedView>()({
  method: 'PUT', path: `${BASE}/{id}`, summary: '修改视图', grant: 'staff',
  input: z.object({ name: z.optional(name), query: z.optional(query), columns: z.optional(columns), shared: z.optional(z.boolean()) }),
})

export const removeView = defineEndpoint<Record<string, never>>()({ method: 'DELETE', path: `${BASE}/{id}`, summary: '删除视图', grant: 'staff' })
