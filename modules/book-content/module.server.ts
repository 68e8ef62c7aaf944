import { listWaiting } from '../../core/inbox/waiting.server.ts'
import { serveModule } from '../../core/module/serve.server.ts'
import { addCombinationUser } from '../combination/door.server.ts'
import { addBlockKind, usedByBlocks } from '../outline/door.server.ts'
import { addPracticeUser } from '../practice/door.server.ts'
import { comboCalls, comboCodes, comboUses } from './combos/combos.server.ts'
import { insertBookContentDemo } from './demo.server.ts'
import { excellentCalls } from './excellent/excellent.server.ts'
import { GAOKAO_RIGHTS } from './gaokao/calls.ts'
import { gaokaoCalls } from './gaokao/gaokao.server.ts'
import { materialCalls, materialService, materialUses } from './material/material.server.ts'
import { findMeasures, measureCalls, measureFacts, measureService, measureUses } from './measure/measure.server.ts'
import { measurement } from './measure/measurement.ts'
import door from './module.ts'
import { orderCalls, orderService, orderSweep } from './order/order.server.ts'
import { ORDER_STATE, writingOrder } from './order/writing-order.ts'
import { EXCELLENT_RIGHTS } from './sets.ts'
import { trainingCalls } from './training/training.server.ts'

addBlockKind({ kind: 'measurement', label: '测评', target: { describe: measureFacts, find: findMeasures } })
addCombinationUser(comboUses)
addPracticeUser(materialUses)
addPracticeUser(measureUses)

export default serveModule({
  door,
  after: ['reference', 'staff', 'practice', 'paper', 'outline', 'combination', 'qr', 'book'],
  services: [orderService, materialService, measureService, ...comboCodes.services],
  uses: usedByBlocks('measurement', measurement),
  calls: (kernel) => [...trainingCalls(), ...orderCalls(), ...materialCalls(kernel.files), ...comboCodes.calls(kernel), ...comboCalls(), ...gaokaoCalls(), ...excellentCalls(), ...measureCalls()],
  sweeps: (kernel) => [orderSweep(kernel.db)],
  rights: [GAOKAO_RIGHTS, EXCELLENT_RIGHTS],
  waiting: [listWaiting(writingOrder, {
    name: 'writing_orders', title: '我的写题任务', group: 'act', verb: '写题', path: '/practiceBook/content/training?show=orders',
    query: ({ staff }) => ({ state: String(ORDER_STATE.open), staff_id: String(staff.id) }), due: { at: 'due_at' }, notes: ['wanted', 'note'],
  })],
  demo: [{ title: '图书训练、素材、测评和写题任务', run: insertBookContentDemo }],
})
