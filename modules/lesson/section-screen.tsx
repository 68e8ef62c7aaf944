import { useQuery } from '@tanstack/react-query'
import { Result, Skeleton } from 'antd'
import { Link, useParams } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { useTabTitle } from '../../core/shell/tabs-context.tsx'
import { OutlineEditor } from '../outline/door.tsx'
import { openSections } from './calls.ts'
import { matrixPath, videoPath } from './paths.ts'
import './lesson.css'

/** 章节管理: the outline of a course in the editor of all outlines, which publishes when somebody says so. */
export default function SectionScreen() {
  const id = Number(useParams()['courseId'])
  const { data, error } = useQuery({ queryKey: ['lesson-outline', id], queryFn: ({ signal }) => call(openSections, undefined, { params: { id }, signal, quiet: true }) })
  useTabTitle(data && `${data.name} · 章节`)
  if (error) return <Result status="warning" title={error.message} extra={<Link to="/course/list">返回课程列表</Link>} />
  if (!data) return <Skeleton active paragraph={{ rows: 12 }} />
  return (
    <section className="lesson-page">
      <nav className="lesson-ways" aria-label="课程"><h1>{data.name}</h1><Link to={videoPath(id)}>视频</Link><Link to={matrixPath(id)}>试卷</Link></nav>
      <OutlineEditor outlineId={data.outline_id} />
    </section>
  )
}
