import { useEffect } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { ListPage } from '../../core/list/list-page.tsx'
import { Picker } from '../../core/field/reference.tsx'
import { Empty, Segmented } from 'antd'
import { useNavigate } from 'react-router'
import type { Companion } from './companion.ts'
import { presentStudents } from './student-view.tsx'
import { STUDENT_STATES } from './student.ts'
import { companionTeacher } from './teacher.ts'

const LAST = 'companion teacher'
const PATH = '/accompany/operation/teacher/studentCount'

/** 教师学生数: the learners of one teacher in one state; the number that led here is the number of rows. */
export const teacherStudentsScreen = (companion: Companion) => function TeacherStudents() {
  const { stuType = '2' } = useParams()
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const asked = Number(search.get('teacher_id')) || undefined
  const id = asked ?? (Number(sessionStorage.getItem(LAST)) || undefined)
  useEffect(() => {
    if (asked !== undefined) sessionStorage.setItem(LAST, String(asked))
  }, [asked])
  const known = STUDENT_STATES.some(({ value }) => String(value) === stuType) ? stuType : '2'
  const go = (type: string, teacher: number | undefined) => void navigate(`${PATH}/${type}${teacher === undefined ? '' : `?teacher_id=${teacher}`}`)
  return (
    <section className="page-body" aria-label="教师学生数">
      <div className="page-bar"><Picker target={companionTeacher} label="教师" id={undefined} value={id} onChange={(picked) => go(known, picked ?? undefined)} /><Segmented options={STUDENT_STATES.map(({ value, label }) => ({ value: String(value), label }))} value={known} onChange={(type) => go(type, id)} /></div>
      {id === undefined ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="选择教师后查看学生" /> : <ListPage key={`${id} ${known}`} resource={companion.students} presentation={presentStudents(companion)} embedded={{ fixed: { teacher_id: [String(id)], status: [known] } }} />}
    </section>
  )
}
