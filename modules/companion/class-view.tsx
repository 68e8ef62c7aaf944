import { Link } from 'react-router'
import { present, type Presentation } from '../../core/resource/present.tsx'
import type { Companion } from './companion.ts'

/** Classes of a business; the number of learners leads to them. */
export function presentClasses({ classes, kind }: Companion, place: number): Presentation {
  const resource = classes[place]
  if (!resource) throw new Error(`${kind.value} has no classes ${place}`)
  const column = place === 0 ? 'class_id' : 'next_class_id'
  return present(resource)({ cells: { student_cnt: ({ row, value }) => <Link to={`${kind.screens.students}?${column}=${row.id}`}>{String(value ?? 0)}</Link> } })
}
