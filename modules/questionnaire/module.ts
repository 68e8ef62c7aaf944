import { defineModule } from '../../core/module/define.ts'

/** Questions for people outside, answered on a page of their own or in a learners' app. */
export default defineModule({ name: 'questionnaire', title: '问卷调查', screens: ['/operate/questionnaire/index'] })
