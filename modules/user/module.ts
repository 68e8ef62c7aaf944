import { defineModule } from '../../core/module/define.ts'

export { ENTITLEMENT_SOURCE, ENTITLEMENT_STATUS, entitlement } from './entitlement.ts'
export { defineLearners, type LearnerLine, type LearnerMore, type LearnerResource } from './learner.ts'
export { ENTITLEMENT_LINES } from './lines.ts'
export { appUser } from './user.ts'

/** The user centre: one person over all product lines. */
export default defineModule({
  name: 'user',
  title: '用户中心',
  screens: ['/userManagement/total'],
})
