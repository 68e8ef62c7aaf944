import { defineModule } from '../../core/module/define.ts'

export { COMMENT_STATE, defineComments, saidFields, type CommentResource } from './comment.ts'

/** What learners say of something, and what staff answer: what is spoken of is a row of its owner. It has no screens of its own. */
export default defineModule({ name: 'comment', title: '评价', screens: [] })
