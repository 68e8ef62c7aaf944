import { CheckCircleFilled, CloseCircleFilled, ExclamationCircleFilled } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, Modal, Skeleton } from 'antd'
import { Link } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { present, type Presentation, type RowDialogProps } from '../../core/resource/present.tsx'
import { outlinePath } from './api.ts'
import { courseChecks } from './calls.ts'
import { classCourse, COURSE_STATE, type juniorCourse } from './course.ts'
import './class-course.css'

/** What a course lacks before rooms can be given it, item by item. @param onlyMissing leaves out what is right or only advised */
function Checks({ name, row, onlyMissing = false }: { name: string; row: { id: number; rev: number }; onlyMissing?: boolean }) {
  const endpoint = courseChecks[name]
  const { data, error } = useQuery({
    queryKey: ['class-course-check', name, row.id, row.rev], enabled: endpoint !== undefined, staleTime: 0,
    queryFn: ({ signal }) => (endpoint ? call(endpoint, undefined, { params: { id: row.id }, signal, quiet: true }) : Promise.reject(new Error('没有体检'))),
  })
  if (error) return <Alert type="warning" showIcon title={error.message} />
  if (!data) return onlyMissing ? null : <Skeleton active />
  const items = data.items.filter(({ ok, must }) => !onlyMissing || (must && !ok))
  return items.length === 0 ? null : (
    <ul className="course-checks">
      {items.map(({ label, ok, must, detail }) => (
        <li key={label}>
          {ok ? <CheckCircleFilled data-tone="ok" aria-label="通过" /> : must ? <CloseCircleFilled data-tone="bad" aria-label="未通过" /> : <ExclamationCircleFilled data-tone="wait" aria-label="建议" />}
          <span>{label}</span><span className="note">{ok ? '' : `${detail ?? ''}${must ? '' : '（建议）'}`}</span>
        </li>
      ))}
    </ul>
  )
}

const cells = {
  outline: ({ row, value }: { row: { id: number }; value: unknown }) => <Link to={outlinePath(row.id)}>{String(value ?? '未建')}</Link>,
  lesson_cnt: ({ row, value }: { row: { id: number }; value: unknown }) => <Link className="figure" to={outlinePath(row.id)}>{Number(value ?? 0)}</Link>,
  room_cnt: ({ row, value }: { row: { id: number }; value: unknown }) => <Link className="figure" to={`/classCourse/studyRoom?show=course&course_id=${row.id}`}>{Number(value ?? 0)}</Link>,
}

/** The courses of a stage: what they teach, what they lack, which rooms have them. */
export const presentCourses = (resource: typeof juniorCourse): Presentation => present(resource)({
  cells,
  slots: {
    head: ({ row }) => (
      <>
        <p><Link to={outlinePath(row.id)}>编辑目录</Link> · <Link to={`/classCourse/studyRoom?show=course&course_id=${row.id}`}>授权给自习室</Link></p>
        {row.state !== COURSE_STATE.archived && <Checks name={resource.name} row={row} onlyMissing />}
      </>
    ),
  },
  rowActions: [{ key: 'check', label: '上架体检', first: true, visible: (row) => row.deleted_at === null && row.state !== COURSE_STATE.archived }],
  dialogs: {
    check: ({ row, onClose }: RowDialogProps<typeof juniorCourse>) => <Modal open title={`上架体检 · ${row.name}`} onCancel={onClose} cancelText="关闭" okButtonProps={{ hidden: true }} width={480}><Checks name={resource.name} row={row} /></Modal>,
  },
})

/** All courses, for whoever edits what they teach. */
export const directoryView: Presentation = present(classCourse)({ cells: { ...cells, name: ({ row, value }) => <Link to={outlinePath(row.id)}>{value}</Link> } })
