import { presentModule, resourceScreen } from '../../core/module/present.tsx'
import { resourceFinder } from '../../core/module/resource-finder.tsx'
import { courseLineFinders, courseLineScreens } from '../offer/door.tsx'
import type { Stage } from './ebook.ts'
import door from './module.ts'
import { BOOK_LINE } from './row.ts'

const books = () => import('./book.ts').then((file) => file.book)
const codes = (stage: Stage) => () => import('./ebook.ts').then((file) => file.stageCodes(stage))
const codeScreen = (stage: Stage) => resourceScreen(codes(stage), async () => {
  const [{ presentCodes }, { stageCodes }] = await Promise.all([import('../qr/door.tsx'), import('./ebook.ts')])
  return { default: presentCodes(stageCodes(stage)) }
})

const line = () => import('./line.ts').then(({ bookLine }) => bookLine)
const screens = courseLineScreens(BOOK_LINE, line)

export default presentModule(door)({
  '/practiceBook/content/ebook/senior': codeScreen('senior'),
  '/practiceBook/content/ebook/junior': codeScreen('junior'),
  '/practiceBook/content/ebook/primary': codeScreen('primary'),
  '/practiceBook/content/pebManage': resourceScreen(books, () => import('./book-view.tsx')),
  '/practiceBook/content/pebDetail': () => import('./pages/pages-screen.tsx'),
  '/practiceBook/user': screens['/practiceBook/user']!,
  '/practiceBook/order': screens['/practiceBook/order']!,
  '/practiceBook/deleteOrders': () => import('./deleted-orders-screen.tsx'),
  '/practiceBook/merchandise': screens['/practiceBook/merchandise']!,
  '/practiceBook/activeCode': resourceScreen(() => import('./book-code.ts').then((file) => file.bookCodeGroup), () => import('./book-code-view.tsx')),
  '/practiceBook/activeDetail': resourceScreen(() => import('./book-code.ts').then((file) => file.bookCode), () => import('./book-code-detail-view.tsx')),
}, {
  finders: [
    ...courseLineFinders(BOOK_LINE, line),
    resourceFinder('/practiceBook/content/pebManage', '图书', books, ['number', 'name'], ['isbn', 'subject_name']),
  ],
  records: { book_page: { resource: () => import('./book-page.ts').then((file) => file.bookPage) } },
})
