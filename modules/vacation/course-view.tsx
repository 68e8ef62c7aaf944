import { Link } from 'react-router'
import { present } from '../../core/resource/present.tsx'
import { vacationLine } from './line.ts'

/** Courses lead to their classes. */
export default present(vacationLine.offers)({
  cells: { class_cnt: ({ row, value }) => <Link to={`/vacation/class?offer_id=${row.id}`}>{String(value ?? 0)}</Link> },
})
