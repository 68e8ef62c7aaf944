import { Progress } from 'antd'
import { Link } from 'react-router'
import { formatDate } from '../../../core/field/time.ts'
import type { WireRow } from '../../../core/resource/endpoints.ts'
import { present } from '../../../core/resource/present.tsx'
import { ORDER_STATE, writingOrder } from './writing-order.ts'

/** Where the hole of an order is looked at. */
const holePath = ({ kind, book_id, chapter_id, group_key, subject_id }: WireRow<typeof writingOrder>): string =>
  kind === 'set' ? `/practiceBook/content/training?book_id=${book_id}&id=${chapter_id}&group=${group_key}` : `/practiceBook/content/gaokaoPractice?cat_id=${subject_id}`

/** Orders to write: how far each is, and whether it will be in time. */
export default present(writingOrder)({
  cells: {
    name: ({ value, row }) => <Link to={holePath(row)}>{value}</Link>,
    done: ({ value, row }) => <span className="bc-progress figure">{Number(value ?? 0)}/{row.wanted}<Progress size="small" showInfo={false} percent={Math.round((Number(value ?? 0) / row.wanted) * 100)} aria-label={`已补上 ${Number(value ?? 0)} 道，共 ${row.wanted} 道`} /></span>,
    forecast: ({ value, row }) => {
      if (row.state !== ORDER_STATE.open) return null
      if (value === null) return <span className="note" title="近 4 周没有录题">无法预计</span>
      const late = Number(value) > row.due_at + 86_400
      return <span data-late={late} className="bc-forecast">{formatDate(Number(value))}{late && ' 会超期'}</span>
    },
  },
})
