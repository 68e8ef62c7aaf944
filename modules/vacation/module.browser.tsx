import { presentModule, resourceScreen } from '../../core/module/present.tsx'
import { resourceFinder } from '../../core/module/resource-finder.tsx'
import { courseLineFinders, courseLineScreens } from '../offer/door.tsx'
import door from './module.ts'
import { VACATION_LINE } from './row.ts'

const line = () => import('./line.ts').then(({ vacationLine }) => vacationLine)
const classes = () => import('./line.ts').then(({ vacationClass }) => vacationClass)

const screens = courseLineScreens(VACATION_LINE, line, { offer: () => import('./course-view.tsx').then((file) => file.default) })

export default presentModule(door)({
  '/vacation/class': resourceScreen(classes, () => import('./class-view.tsx')),
  '/vacation/course': screens['/vacation/course']!,
  '/vacation/order': screens['/vacation/order']!,
  '/vacation/user': screens['/vacation/user']!,
}, {
  finders: [...courseLineFinders(VACATION_LINE, line), resourceFinder('/vacation/class', '假期班级', classes, ['name'], ['offer_name', 'teacher_name'])],
  records: { vacation_meeting: { resource: () => import('./meeting.ts').then(({ vacationMeeting }) => vacationMeeting) } },
})
