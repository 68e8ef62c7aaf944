import { Segmented } from 'antd'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { ListPage } from '../../core/list/list-page.tsx'
import { roomCourse, roomPlan } from './grant.ts'
import { GrantGrid } from './grant-grid.tsx'
import { courseGrants, planGrants } from './grant-view.tsx'
import './class-course.css'

const SHOWN = [{ value: 'course', label: '课程授权' }, { value: 'plan', label: '计划授权' }, { value: 'grid', label: '一览' }] as const
type Shown = (typeof SHOWN)[number]['value']

/** 自习室课程: what rooms may use, as lists and as a grid. The address asks for one of them; the list then has the address to itself. */
export default function StudyRoomScreen() {
  const [search, setSearch] = useSearchParams()
  const asked = SHOWN.find(({ value }) => value === search.get('show'))?.value
  const [shown, setShown] = useState<Shown>(asked ?? 'course')
  const [seen, setSeen] = useState(asked)
  if (asked !== seen) {
    setSeen(asked)
    if (asked) setShown(asked)
  }
  // The list reads the rest of the address as its filters, once it is told which list it is.
  useEffect(() => {
    if (asked) setSearch((now) => { const next = new URLSearchParams(now); next.delete('show'); return next }, { replace: true })
  }, [asked, setSearch])
  const show = (next: Shown) => {
    setShown(next)
    setSearch({})
  }
  return (
    <>
      <Segmented<Shown> aria-label="课程、计划或一览" value={shown} onChange={show} options={[...SHOWN]} />
      {!asked && shown === 'course' && <ListPage key="course" resource={roomCourse} presentation={courseGrants} />}
      {!asked && shown === 'plan' && <ListPage key="plan" resource={roomPlan} presentation={planGrants} />}
      {shown === 'grid' && <GrantGrid />}
    </>
  )
}
