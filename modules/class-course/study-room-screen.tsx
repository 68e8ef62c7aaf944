import { ListsPage } from '../../core/list/lists-page.tsx'
import { roomCourse, roomPlan } from './grant.ts'
import { GrantGrid } from './grant-grid.tsx'
import { courseGrants, planGrants } from './grant-view.tsx'
import './class-course.css'

/** 自习室课程: what rooms may use, as lists and as a grid. */
export default function StudyRoomScreen() {
  return <ListsPage label="课程、计划或一览" views={[
    { key: 'course', label: '课程授权', resource: roomCourse, presentation: courseGrants },
    { key: 'plan', label: '计划授权', resource: roomPlan, presentation: planGrants },
    { key: 'grid', label: '一览', Content: GrantGrid },
  ]} />
}
