import { defineModule } from '../../core/module/define.ts'

/** 必刷题: papers to practise on, packs of them that are sold with a plan by days, and who works through them. */
export default defineModule({
  name: 'must-practice',
  title: '必刷题',
  screens: ['/mustPractice/paper', '/mustPractice/account', '/mustPractice/order'],
})
