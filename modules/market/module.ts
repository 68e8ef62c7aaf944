import { defineModule } from '../../core/module/define.ts'

/** Openings without money: market people ask for customers, schools in need apply; somebody else approves, within a quota. */
export default defineModule({
  name: 'market',
  title: '市场与公益',
  screens: ['/practiceBook/marketUser', '/practiceBook/marketVirtual', '/practiceBook/order/virtual', '/operate/charity/user'],
})
