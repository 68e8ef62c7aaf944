import { defineModule } from '../../core/module/define.ts'

/** What agents and teachers get: lines that explain themselves, settlements, withdrawals. */
export default defineModule({
  name: 'earning',
  title: '分销',
  screens: ['/distribution/order', '/distribution/account/proxy', '/accompany/operation/teacher/amount/:amountType'],
})
