import { Link } from 'react-router'
import { ListPage } from '../../core/list/list-page.tsx'
import { present } from '../../core/resource/present.tsx'
import { schoolCell } from './school-cell.ts'
import { school } from './school.ts'

const STUDENTS = '/new-study-room/school/school-student'
const TEACHERS = '/new-study-room/school/school-teacher'

/** A number that leads to the records behind it. */
function CountLink({ path, id, value }: { path: string; id: number; value: unknown }) {
  return <Link to={`${path}?school_id=${id}`}>{String(value ?? 0)}</Link>
}

/** The classes of one school, kept where the school is. */
function Cells({ id }: { id: number }) {
  return <ListPage resource={schoolCell} embedded={{ fixed: { school_id: [String(id)] } }} start={{ school_id: id }} />
}

export default present(school)({
  cells: {
    student_cnt: ({ value, row }) => <CountLink path={STUDENTS} id={row.id} value={value} />,
    teacher_cnt: ({ value, row }) => <CountLink path={TEACHERS} id={row.id} value={value} />,
  },
  slots: { details: [{ key: 'cells', label: '班级', Content: ({ row }) => <Cells id={row.id} /> }] },
})
