import { sql } from 'drizzle-orm'
import { handle, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, invalid } from '../../core/error/error.ts'
import { formatDate, startOfDay } from '../../core/field/time.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import { create } from '../../core/resource/operations.server.ts'
import { serve, type ResourceService } from '../../core/resource/serve.server.ts'
import { setDerived } from '../../core/resource/touch.server.ts'
import type { Companion } from './companion.ts'
import { planEndpoints, type Planned } from './plan-calls.ts'
import { pipelineOf } from './student.server.ts'
import type { TemplateResource } from './template.ts'

const DAY = 86_400
/** A task is due at 21:00 of its last day, in seconds of the day. */
const DUE_AT = 21 * 3600

export const serveTemplates = (templates: TemplateResource): ResourceService => serve(templates)()

interface Template { id: number; week: number; title: string; task_kind: string; pack_id: number | null; paper_id: number | null; offset_days: number; due_days: number; full: number; lessons: number; body: string | null }
interface Class { id: number; name: string; start_at: number | null }

/**
 * On which day a task of a week is given and until when it is due: the class's first day begins week 1, and each free day that
 * lies between moves both on.
 * @param holidays starts of free days in unix seconds
 */
export function placed({ week, offset_days, due_days }: Pick<Template, 'week' | 'offset_days' | 'due_days'>, begins: number, holidays: readonly number[]): { start_at: number; due_at: number } {
  const free = new Set(holidays.map(startOfDay))
  const on = (from: number, days: number): number => {
    let day = from
    for (let left = days; left > 0;) {
      day += DAY
      if (!free.has(day)) left -= 1
    }
    return day
  }
  let first = startOfDay(begins)
  while (free.has(first)) first += DAY
  const start = on(first, (week - 1) * 7 + offset_days - 1)
  return { start_at: start, due_at: on(start, due_days - 1) + DUE_AT }
}

/** 周计划: what classes are given in the weeks of a season, looked at before it is made. */
export function planCalls(kernel: Kernel, companion: Companion, templates: TemplateResource): Served[] {
  const { preview, plan } = planEndpoints(companion, templates)
  const work = async (db: Parameters<typeof create>[0], { season, class_ids, weeks, holidays }: { season: string; class_ids: readonly number[]; weeks: readonly number[]; holidays: readonly number[] }) => {
    const rows = await db.query<Template & Record<string, unknown>>(sql`select id, week, title, task_kind, pack_id, paper_id, offset_days, due_days, full::float8 as full, lessons, body from companion_template
      where kind = ${companion.kind.value} and season = ${season} and week = any(${sql.param([...weeks])}::int[]) and deleted_at is null order by week, offset_days, id`)
    if (rows.length === 0) throw invalid({ weeks: '所选的周没有任务模板' })
    const [first] = companion.classes
    const classes = await db.query<Class & Record<string, unknown>>(sql`select id, name, extract(epoch from start_at)::float8 as start_at from companion_class where id = any(${sql.param([...class_ids])}::bigint[]) and kind = ${companion.kind.value} and category = ${first?.where['category']} and status in (1, 2) and deleted_at is null order by id`)
    if (classes.length < new Set(class_ids).size) throw invalid({ class_ids: '班级不存在或已结束，请重新选择' })
    const unset = classes.find(({ start_at }) => start_at === null)
    if (unset) throw invalid({ class_ids: `「${unset.name}」还没有开课日期` })
    const known = await db.query<{ template_id: number; class_id: number }>(sql`select template_id, class_id from companion_task where template_id = any(${sql.param(rows.map(({ id }) => id))}::bigint[]) and class_id = any(${sql.param(classes.map(({ id }) => id))}::bigint[]) and deleted_at is null`)
    const now = Date.now() / 1000
    return classes.flatMap((one) => rows.map((row) => {
      const { start_at, due_at } = placed(row, one.start_at ?? 0, holidays)
      const made = known.some(({ template_id, class_id }) => template_id === row.id && class_id === one.id)
      return { row, one, item: { class_id: one.id, class_name: one.name, template_id: row.id, week: row.week, title: row.title, start_at, due_at, why: made ? '已布置过' : due_at <= now ? `截止时间 ${formatDate(due_at)} 已过` : null } satisfies Planned }
    }))
  }
  return [
    handle(preview, async (call) => ({ items: (await work(call.db, call.input)).map(({ item }) => item) })),
    handle(plan, (call) => call.transaction(async (tx) => {
      const ready = (await work(tx, call.input)).filter(({ item }) => item.why === null)
      if (ready.length === 0) throw badRequest('没有可以布置的任务')
      const staff = { ...call.staff, modules: new Set([...call.staff.modules, companion.tasks.actions.edit ?? 0]) }
      const pipeline = pipelineOf(kernel, companion.tasks, staff)
      for (const { row, item } of ready) {
        const { record } = await create(tx, pipeline, { title: row.title, task_kind: row.task_kind, pack_id: row.pack_id, paper_id: row.paper_id, full: row.full, lessons: row.lessons, body: row.body, class_id: item.class_id, start_at: item.start_at, due_at: item.due_at })
        await setDerived(tx, companion.tasks, { template_id: row.id } as object, record.id)
      }
      return { made: ready.length }
    }, { action: 'plan' })),
  ]
}
