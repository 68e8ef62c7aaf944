import { defineModule } from '../../core/module/define.ts'
import { threadMoved } from './live.ts'

export { companionResources, defineCompanion, type Companion } from './companion.ts'
export type { CompanionKind } from './kind.ts'
export { companionTeacher } from './teacher.ts'

/** Engine of businesses in which teachers keep learners company: teachers, classes, tasks with messages, reports. A business is a row. */
export default defineModule({ name: 'companion', title: '伴学', screens: ['/accompany/operation/teacher'], live: [threadMoved] })
