import { presentModule, type ScreenLoader } from '../../core/module/present.tsx'
import { resourceFinder } from '../../core/module/resource-finder.tsx'
import type { Resource } from '../../core/resource/define.ts'
import door from './module.ts'

const said = () => import('./said/said.ts')
const videos = () => said().then(({ videoComment }) => videoComment)
const practices = () => said().then(({ practiceComment }) => practiceComment)
const looks = () => import('./said/said-view.tsx')
const reviews = () => import('./review/review.ts').then(({ commentReview }) => commentReview)
const teachers = () => import('./answer/teacher.ts').then(({ commentTeacher }) => commentTeacher)
const answering = () => import('./answer/teacher-view.tsx')

/** A list whose records other screens show by their definition. */
const listed = (resource: () => Promise<Resource>, look: 'videoLook' | 'practiceLook'): ScreenLoader => Object.assign(async () => {
  const [kind, page, file] = await Promise.all([resource(), import('../../core/list/list-page.tsx'), looks()])
  return { default: () => <page.ListPage resource={kind} presentation={file[look]} /> }
}, { resource, presentation: () => looks().then((file) => file[look]) })

export default presentModule(door)({
  '/comment/manage': Object.assign(() => import('./review/manage-screen.tsx'), { resource: reviews, presentation: () => import('./review/review-view.tsx').then((file) => file.default) }),
  '/comment/search': listed(videos, 'videoLook'),
  '/comment/search/detail': () => import('./said/detail-screen.tsx'),
  '/comment/search/totalDetail': () => import('./said/totals-screen.tsx'),
  '/comment/exercises': listed(practices, 'practiceLook'),
  '/comment/teacher': Object.assign(async () => ({ default: (await answering()).TeacherScreen }), { resource: teachers, presentation: () => answering().then((file) => file.default) }),
}, {
  finders: [resourceFinder('/comment/search', '视频评论', videos, ['name'], ['target_name', 'user_name']), resourceFinder('/comment/exercises', '习题评论', practices, ['name'], ['practice_no', 'user_name'])],
})
