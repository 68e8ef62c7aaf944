import { defineModule } from '../../core/module/define.ts'
import { reviewMoved } from './live.ts'

/** What learners say of videos and questions: looked through, answered, counted; the words and the people that are not let through. */
export default defineModule({
  name: 'moderation',
  title: '视频评论',
  screens: ['/comment/manage', '/comment/search', '/comment/search/detail', '/comment/search/totalDetail', '/comment/exercises', '/comment/teacher'],
  live: [reviewMoved],
})
