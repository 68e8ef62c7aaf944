import { presentModule, resourceScreen } from '../../core/module/present.tsx'
import { resourceFinder } from '../../core/module/resource-finder.tsx'
import { paperEditor, paperPicker } from '../paper/door.tsx'
import door from './module.ts'

const lessons = () => import('./lesson.ts').then(({ lesson }) => lesson)
const look = () => import('./lesson-view.tsx').then((file) => file.default)
const papers = () => import('./course-paper.ts').then(({ coursePaper }) => coursePaper)

export default presentModule(door)({
  '/course/list': Object.assign(() => import('./list-screen.tsx'), { resource: lessons, presentation: look }),
  '/course/relation': () => import('./relation-screen.tsx'),
  '/course/comment': resourceScreen(() => import('./evaluation.ts').then(({ evaluation }) => evaluation), () => import('./comment-view.tsx')),
  '/course/tag': resourceScreen(() => import('./tag.ts').then(({ lessonTag }) => lessonTag)),
  '/course/videoManagement/:courseId': () => import('./video-screen.tsx'),
  '/course/sections/:courseId': () => import('./section-screen.tsx'),
  '/course/paper/list': resourceScreen(papers, () => import('./paper-view.tsx')),
  '/course/paper/index/:type/:id': () => import('./matrix-screen.tsx'),
  '/course/paper/detail/:id': paperEditor,
  '/course/paper/addPractice/:id': paperPicker,
  '/course/users': resourceScreen(() => import('./lesson.ts').then(({ lessonLearners }) => lessonLearners), async () => {
    const [{ lessonLearnerLine, lessonLearners }, { presentLearners }] = await Promise.all([import('./lesson.ts'), import('../user/door.tsx')])
    return { default: presentLearners(lessonLearnerLine, lessonLearners) }
  }),
}, {
  finders: [resourceFinder('/course/list', '课程', lessons, ['name'], ['cat_name', 'subtitle']), resourceFinder('/course/paper/list', '课程试卷', papers, ['name'], ['subject_name'])],
})
