import { useQuery } from '@tanstack/react-query'
import { Empty, Skeleton, Tag } from 'antd'
import { useEffect, useEffectEvent } from 'react'
import { Link, useNavigate } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { choiceLabel } from '../../core/field/choice.ts'
import { standardId } from '../../core/grant/grant.ts'
import { present, type RowDialogProps } from '../../core/resource/present.tsx'
import { CheckDialog, ShelfChecks, validity } from '../offer/door.tsx'
import { OFFER_STATE, OFFER_STATES, offerEndpoints, type OfferRow } from '../offer/module.ts'
import { lessonsBySubject } from './calls.ts'
import { lesson, sectionRights, videoRights } from './lesson.ts'
import { matrixPath, sectionPath, videoPath } from './paths.ts'
import './lesson.css'

const living = ({ deleted_at }: { deleted_at: number | null }) => deleted_at === null
const endpoints = offerEndpoints(lesson)

/** A dialog that is none: it leads to another screen. */
const leadsTo = (path: (id: number) => string) => function Go({ row, onClose }: RowDialogProps) {
  const navigate = useNavigate()
  const go = useEffectEvent(() => {
    // The list is kept behind its tab: it must not go on when it comes back.
    onClose()
    void navigate(path(row.id))
  })
  useEffect(() => go(), [])
  return null
}

/** Stars that learners gave, or that nobody has yet. */
const stars = (value: unknown) => (value === null || value === undefined ? '暂无' : Number(value).toFixed(1))

/** Courses as a list: what is unhealthy beside each, and ways to everything that belongs to one. */
export default present(lesson)({
  cells: {
    valid_mode: ({ row }) => validity(row as OfferRow),
    unhealthy: ({ value }) => (value ? <Tag color="warning">{String(value)}</Tag> : <Tag color="success">正常</Tag>),
    section_cnt: ({ row, value }) => <Link className="figure" to={sectionPath(row.id)}>{Number(value ?? 0)}</Link>,
    video_cnt: ({ row, value }) => <Link className="figure" to={videoPath(row.id)}>{Number(value ?? 0)}</Link>,
    star: ({ value }) => stars(value),
    comment_cnt: ({ row, value }) => <Link className="figure" to={`/course/comment?lesson_id=${row.id}`}>{Number(value ?? 0)}</Link>,
    is_parent: ({ row, value }) => <Link to={`/course/relation?lesson_id=${row.id}`}>{value ? '有' : '无'}</Link>,
    learner_cnt: ({ row, value }) => <Link className="figure" to={`/course/users?offer_id=${row.id}`}>{Number(value ?? 0).toLocaleString('zh-CN')}</Link>,
  },
  slots: { head: ({ row }) => (row['state'] === OFFER_STATE.archived ? null : <ShelfChecks offers={lesson} row={row} onlyMissing />) },
  rowActions: [
    { key: 'videos', label: '视频', first: true, grant: videoRights.screen, visible: living },
    { key: 'sections', label: '章节', grant: sectionRights.screen, visible: living },
    { key: 'relations', label: '关联', visible: living },
    { key: 'papers', label: '试卷', visible: living },
    { key: 'check', label: '上架体检', visible: (row) => row.deleted_at === null && row['state'] !== OFFER_STATE.archived },
    { key: 'duplicate', label: '复制', grant: standardId(lesson.grant, 'edit'), visible: living, run: (row, { reload }) => call(endpoints.duplicate, undefined, { params: { id: row.id } }).then(reload, () => undefined) },
  ],
  dialogs: {
    videos: leadsTo(videoPath), sections: leadsTo(sectionPath), papers: leadsTo((id) => matrixPath(id)), relations: leadsTo((id) => `/course/relation?lesson_id=${id}`),
    check: (props: RowDialogProps<typeof lesson>) => <CheckDialog {...props} offers={lesson} />,
  },
})

/** Courses as cards, subject by subject: what is unhealthy is seen without a filter. */
export function LessonCards() {
  const { data, error } = useQuery({ queryKey: ['lesson-cards'], queryFn: ({ signal }) => call(lessonsBySubject, {}, { signal, quiet: true }) })
  if (error) return <Empty description={error.message} />
  if (!data) return <Skeleton active paragraph={{ rows: 12 }} />
  if (data.groups.length === 0) return <Empty description="还没有课程" />
  return (
    <div className="lesson-groups">
      {data.groups.map(({ cat_id, name, lessons }) => {
        const bad = lessons.filter(({ unhealthy }) => unhealthy !== null).length
        return (
          <section key={cat_id} aria-label={name}>
            <h2>{name} <small>{lessons.length} 门{bad > 0 && <>，<b>{bad} 门待处理</b></>}</small></h2>
            <ul className="lesson-cards">
              {lessons.map((one) => (
                <li key={one.id} data-bad={one.unhealthy !== null}>
                  {one.cover === null ? <span className="lesson-cover" aria-hidden /> : <img className="lesson-cover" src={one.cover} alt="" loading="lazy" />}
                  <div>
                    <Link to={`/course/list?open=${one.id}&view=table`}><b>{one.name}</b></Link>
                    <p>{choiceLabel(OFFER_STATES, one.state)} · <Link to={sectionPath(one.id)}>{one.section_cnt} 章节</Link> · <Link to={videoPath(one.id)}>{one.video_cnt} 视频</Link> · 评分 {stars(one.star)}</p>
                    {one.unhealthy !== null && <p className="lesson-bad">{one.unhealthy}</p>}
                  </div>
                </li>
              ))}
            </ul>
          </section>
        )
      })}
    </div>
  )
}
