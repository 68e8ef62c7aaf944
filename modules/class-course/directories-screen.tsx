import { ArrowLeftOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Skeleton } from 'antd'
import { useSearchParams } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { Picker } from '../../core/field/reference.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { OutlineEditor } from '../outline/door.tsx'
import { openOutline } from './calls.ts'
import { classCourse } from './course.ts'
import { directoryView } from './course-view.tsx'
import './class-course.css'

/** The outline of one course, which is made when it is opened for the first time. */
function Directory({ id }: { id: number }) {
  const { data, error } = useQuery({ queryKey: ['class-course-outline', id], queryFn: ({ signal }) => call(openOutline, undefined, { params: { id }, signal, quiet: true }) })
  if (error) return <Alert type="warning" showIcon title={error.message} />
  return data ? <OutlineEditor outlineId={data.outline_id} /> : <Skeleton active paragraph={{ rows: 12 }} />
}

/** 课程目录: all courses with the state of what they teach; the address names the one that is edited. */
export default function DirectoriesScreen() {
  const [search, setSearch] = useSearchParams()
  const id = Number(search.get('course_id')) || undefined
  if (id === undefined) return <ListPage resource={classCourse} presentation={directoryView} />
  return (
    <div className="directories">
      <div className="directories-bar">
        <Button icon={<ArrowLeftOutlined />} onClick={() => setSearch({})}>全部课程</Button>
        <Picker target={classCourse} id={undefined} label="课程" value={id} onChange={(picked) => setSearch(picked === null ? {} : { course_id: String(picked) })} />
      </div>
      <Directory key={id} id={id} />
    </div>
  )
}
