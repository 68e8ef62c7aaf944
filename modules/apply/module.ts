import { defineModule } from '../../core/module/define.ts'

export { teacherApply } from './apply.ts'
export { APPLY_POLICIES, APPLY_STATES, APPLY_STATUS, APPLY_STEPS, applyFields, applyRights, OPEN } from './kind.ts'

/** Applications of people outside, with what an approval brings about. Other modules have kinds of their own. */
export default defineModule({ name: 'apply', title: '入驻申请', screens: ['/operate/bookStoreApply', '/operate/teacherApply'] })
