import { Link } from 'react-router'
import { present, type Presentation } from '../../core/resource/present.tsx'
import type { CourseLine } from './course-line.ts'
import { withQuery } from './line-path.ts'
import type { TextbookResource } from './textbook.ts'

/** The textbooks of a line, each with the way to its courses and its outline. */
export function presentTextbooks(textbooks: TextbookResource, { offerPath, outlinePath }: Pick<CourseLine, 'offerPath' | 'outlinePath'>): Presentation {
  return present(textbooks)({
    cells: { offer_cnt: ({ row, value }) => <Link to={withQuery(offerPath, `textbook_id=${row.id}`)}>{Number(value ?? 0).toLocaleString('zh-CN')}</Link> },
    slots: { ...(outlinePath !== undefined && { head: ({ row }) => <p><Link to={`${outlinePath}?textbook_id=${row.id}`}>编辑目录</Link></p> }) },
  })
}
