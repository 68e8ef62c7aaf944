import { Segmented } from 'antd'
import { useSearchParams } from 'react-router'
import { ListPage } from '../../core/list/list-page.tsx'
import { lesson } from './lesson.ts'
import look, { LessonCards } from './lesson-view.tsx'

const CARDS = 'cards'

/** 课程列表: as a table, or as cards by subject. The address says which, so that it can be shared. */
export default function LessonListScreen() {
  const [search, setSearch] = useSearchParams()
  const view = search.get('view') === CARDS ? CARDS : 'table'
  return (
    <>
      <div className="lists-switch"><Segmented aria-label="表格或卡片" value={view} onChange={(next) => setSearch(next === CARDS ? { view: CARDS } : {})} options={[{ value: 'table', label: '表格' }, { value: CARDS, label: '按学科' }]} /></div>
      {view === CARDS ? <LessonCards /> : <ListPage resource={lesson} presentation={look} />}
    </>
  )
}
