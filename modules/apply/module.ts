import { defineModule } from '../../core/module/define.ts'

export { APPLY_STATUS, teacherApply } from './apply.ts'

/** Applications of people outside, with what an approval brings about. */
export default defineModule({ name: 'apply', title: '入驻申请', screens: ['/operate/bookStoreApply', '/operate/teacherApply'] })
