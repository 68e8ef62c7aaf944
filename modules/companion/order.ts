import { api } from '../../core/resource/define.ts'
import { screenId } from '../screens.ts'
import type { OrderLine } from '../order/module.ts'
import type { CompanionKind } from './kind.ts'

/** What is sold: lessons one by one, and months of company. */
export const COMPANION_GOODS = { lessons: 'lessons', month: 'month' } as const

/** The row by which a business's orders come from the engine. */
export function companionOrderLine(kind: CompanionKind): OrderLine {
  return {
    code: kind.line,
    name: `${kind.value}_order`,
    label: `${kind.label}订单`,
    grant: screenId(kind.screens.orders),
    api: api(kind.base, 'teacher/orders', 'teacher/orders'),
    flow: 'sale',
    goods: [{ kind: COMPANION_GOODS.lessons, label: '课时', unit: '节' }, { kind: COMPANION_GOODS.month, label: '包月', unit: '个月' }],
    inputFields: [],
    columns: [],
    filters: [],
    scope: { agent: 'agent_id' },
    entryMode: 'steps',
    learners: true,
  }
}
