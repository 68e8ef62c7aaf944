import { defineModule } from '../../core/module/define.ts'

/** 精英训练营: entrance and stage tests whose scores lead to a class, projects, deals that are paid in parts, learners with their mentors. */
export default defineModule({
  name: 'excellent-training',
  title: '精英训练营',
  screens: ['/excellent-training/user', '/excellent-training/order', '/excellent-training/paper', '/excellent-training/project'],
})
