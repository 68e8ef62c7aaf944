import { Link } from 'react-router'
import { present } from '../../../core/resource/present.tsx'
import { commentReview, type ReviewReason } from './review.ts'

const wordsOf = (reasons: readonly ReviewReason[] | null) => (reasons ?? []).map(({ why, words }) => (words && words.length > 0 ? `${why}（${words.join('、')}）` : why)).join('，')

/** What was decided, with why it had come. */
export default present(commentReview)({
  cells: { user_id: ({ row }) => (row.user_id === null ? '官方' : <Link to={`/userManagement/total?open=${row.user_id}`}>{row.user_name}</Link>) },
  slots: {
    head: ({ row }) => (
      <p>{wordsOf(row.reasons)}{row.state === 0 && <> <Link to={`/comment/manage?open=${row.id}`}>去处理</Link></>}{row.target === 'video' ? <> <Link to={`/comment/search?open=${row.comment_id}`}>查看评论</Link></> : <> <Link to={`/comment/exercises?open=${row.comment_id}`}>查看评论</Link></>}</p>
    ),
  },
})
