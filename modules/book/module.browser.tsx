import { presentModule, resourceScreen } from '../../core/module/present.tsx'
import { resourceFinder } from '../../core/module/resource-finder.tsx'
import { courseLineFinders, courseLineScreens } from '../offer/door.tsx'
import type { Stage } from './ebook.ts'
import door from './module.ts'
import { BOOK_LINE } from './row.ts'

const books = () => import('./book.ts').then((file) => file.book)
const bookLook = () => import('./book-view.tsx').then((file) => file.default)
const errata = () => import('./errata/erratum.ts').then((file) => file.erratum)
const errataLook = () => import('./errata/erratum-view.tsx').then((file) => file.default)
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
  '/practiceBook/content/pebManage': Object.assign(async () => {
    const [book, look, erratum, lookOfErrata, { ListsPage }] = await Promise.all([books(), bookLook(), errata(), errataLook(), import('../../core/list/lists-page.tsx')])
    return { default: () => <ListsPage label="图书或勘误" views={[{ key: 'book', label: '图书', resource: book, presentation: look }, { key: 'errata', label: '勘误', resource: erratum, presentation: lookOfErrata }]} /> }
  }, { resource: books, presentation: bookLook }),
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
  records: { book_erratum: { resource: errata, presentation: errataLook }, book_page: { resource: () => import('./book-page.ts').then((file) => file.bookPage) } },
})
