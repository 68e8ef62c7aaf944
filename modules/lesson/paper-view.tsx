import { Link } from 'react-router'
import { present } from '../../core/resource/present.tsx'
import { presentPapers } from '../paper/door.tsx'
import { coursePaper } from './course-paper.ts'
import { matrixPath } from './paths.ts'

/** Papers of courses: what every list of papers has, and the way to the sections of their course. */
export default presentPapers(coursePaper, present(coursePaper)({
  slots: {
    head: ({ row }) => {
      const { lesson_id, slot } = row as { lesson_id?: number | null; slot?: number | null }
      return lesson_id ? <p><Link to={matrixPath(lesson_id, slot ?? 1)}>查看课程各章节的试卷</Link></p> : null
    },
  },
}))
