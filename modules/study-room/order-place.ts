import { choice } from '../../core/field/choice.ts'
import { reference, type Target } from '../../core/field/reference.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { screenId, type ScreenPath } from '../screens.ts'
import { OWNERSHIP, SELF_RUN } from './api.ts'
import { partner } from './partner.ts'
import { school, selfSchool } from './school.ts'

/** Whose the place of an order was when somebody bought there: it stays so when the school goes to another partner. */
function orderPlaces({ prefix, base, self_run }: (typeof OWNERSHIP)[keyof typeof OWNERSHIP], path: ScreenPath, schools: () => Target) {
  return defineResource({
    name: `${prefix}order_place`,
    table: 'order_place',
    label: '订单归属',
    title: 'school_id',
    grant: screenId(path),
    api: api(base, 'order_places', 'order_places'),
    where: { self_run },
    fields: {
      self_run: choice('经营方式', SELF_RUN, { required: true, readonly: true }),
      school_id: reference('学校', schools, { readonly: true, onRemove: 'keep' }),
      partner_id: reference('合伙人', () => partner, { readonly: true, onRemove: 'keep' }),
    },
    list: { columns: ['school_id', 'partner_id'], filters: ['school_id', 'partner_id'] },
    scope: { school: 'school_id', partner: 'partner_id', agent: 'partner_id.agent_id' },
    without: ['create', 'update', 'edit', 'remove'],
  })
}

/** What orders of partners' schools and rooms add, and those of our own. */
export const orderPlace = orderPlaces(OWNERSHIP.partner, '/new-study-room/school/school-order', () => school)
export const selfOrderPlace = orderPlaces(OWNERSHIP.own, '/study-room/school/user-order', () => selfSchool)
