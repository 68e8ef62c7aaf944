import { Link } from 'react-router'
import { present, type Presentation } from '../../core/resource/present.tsx'
import type { TextbookResource } from './textbook.ts'

/** The textbooks of a line, each with the way to its courses. @param offerPath of the screen of the courses */
export function presentTextbooks(textbooks: TextbookResource, offerPath: string): Presentation {
  return present(textbooks)({
    cells: { offer_cnt: ({ row, value }) => <Link to={`${offerPath}?textbook_id=${row.id}`}>{Number(value ?? 0).toLocaleString('zh-CN')}</Link> },
  })
}
