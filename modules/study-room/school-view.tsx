import { Button, Drawer } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { ListPage } from '../../core/list/list-page.tsx'
import { present } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
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

/** Classes of all schools the person may see, beside the students. */
export function CellsButton() {
  const [open, setOpen] = useState(false)
  const can = useCan()
  if (!can(schoolCell.grant)) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>班级管理</Button>
      <Drawer open={open} onClose={() => setOpen(false)} title="班级管理" size={980} destroyOnHidden>
        <ListPage resource={schoolCell} embedded={{ fixed: {} }} />
      </Drawer>
    </>
  )
}

export default present(school)({
  cells: {
    student_cnt: ({ value, row }) => <CountLink path={STUDENTS} id={row.id} value={value} />,
    teacher_cnt: ({ value, row }) => <CountLink path={TEACHERS} id={row.id} value={value} />,
  },
  slots: { details: [{ key: 'cells', label: '班级', Content: ({ row }) => <Cells id={row.id} /> }] },
})
