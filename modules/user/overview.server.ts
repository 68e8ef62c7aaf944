import type { Call, Served } from '../../core/endpoint/serve.server.ts'
import { handle, idParam } from '../../core/endpoint/serve.server.ts'
import { notFound } from '../../core/error/error.ts'
import { regionName } from '../../core/field/region.server.ts'
import { displayKey } from '../../core/field/reference.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import type { OverviewContent, OverviewKind } from '../../core/kernel/overview.server.ts'
import type { ActionWords } from '../../core/resource/action-words.server.ts'
import { readHistory } from '../../core/resource/history.server.ts'
import { hasValue } from '../../core/resource/meta-fields.ts'
import { present, readOne, type Row } from '../../core/resource/list.server.ts'
import { userOverview } from './calls.ts'
import { USER_COMPUTED } from './user.server.ts'
import { appUser } from './user.ts'

const KINDS: Readonly<Record<string, OverviewKind>> = { number: 'number', money: 'money', date: 'date', time: 'time' }

/** The user's own fields, masked as in the list. */
function profile(call: Pick<Call, 'staff'>, row: Row): OverviewContent {
  const shown: Row = present(appUser, call.staff, { ...row })
  return {
    stats: Object.entries(appUser.fields).filter(([, field]) => field.kind !== 'image' && hasValue(field)).map(([key, field]) => {
      const raw = shown[key]
      const named = field.kind === 'reference' ? shown[displayKey(key)] : field.kind === 'region' && typeof raw === 'string' ? regionName(raw) : undefined
      // The value has the field's own type: it was read from its column.
      const value = named ?? (raw === null || raw === undefined ? null : (field.toSheet as (value: unknown) => unknown)(raw))
      return { label: field.label, value: typeof value === 'number' ? value : value === null ? null : String(value), as: KINDS[field.sheet.type] ?? 'text' }
    }),
  }
}

/** The latest changes, each with the names of the fields that it touched. */
async function changes(call: Pick<Call, 'db'>, words: ActionWords, id: number): Promise<OverviewContent> {
  const { items } = await readHistory(call.db, words, appUser, id, {}, true)
  return {
    columns: [
      { key: 'at', title: '时间', as: 'time' }, { key: 'staff_name', title: '操作人', as: 'text' }, { key: 'action', title: '操作', as: 'text' },
      { key: 'fields', title: '内容', as: 'text' }, { key: 'reason', title: '原因', as: 'text' },
    ],
    rows: items.map(({ id: change, at, staff_name, action_name, reason, after }) => ({
      id: change, at, staff_name, reason,
      action: action_name,
      fields: Object.entries(appUser.fields).filter(([key]) => after && key in after).map(([, field]) => field.label).join('、'),
    })),
  }
}

/** The call that gathers what all modules know of a user, for as much of it as the caller may see. */
export function overviewCall({ overview: sections, words }: Pick<Kernel, 'overview' | 'words'>): Served {
  return handle(userOverview, async (call) => {
    const id = idParam(call)
    const row = await readOne(call.db, appUser, call.staff, id, USER_COMPUTED) ?? await readOne(call.db, appUser, call.staff, id, USER_COMPUTED, true)
    if (!row) throw notFound(appUser.label)
    const person = { id, mobile: String(row['mobile']) }
    const allowed = sections.filter(({ grant }) => call.staff.modules.has(grant))
    const [log, ...others] = await Promise.all([
      changes(call, words, id),
      ...allowed.map(async ({ name, title, load }) => ({ name, title, ...await load(call.db, call.staff, person) })),
    ])
    return { sections: [{ name: 'profile', title: '资料', ...profile(call, row) }, ...others, { name: 'history', title: '操作日志', ...log }] }
  })
}
