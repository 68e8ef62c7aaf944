import { defineModule } from '../../core/module/define.ts'
import { ticketMoved } from './live.ts'

/** What users write to us, answered by the clock. */
export default defineModule({ name: 'ticket', title: '意见反馈', screens: ['/operate/feedback', '/operate/feedbackDetail'], live: [ticketMoved] })
