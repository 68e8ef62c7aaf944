import { presentModule, resourceScreen } from '../../core/module/present.tsx'
import { resourceFinder } from '../../core/module/resource-finder.tsx'
import type { Resource } from '../../core/resource/define.ts'
import type { Stage } from './ebook.ts'
import door from './module.ts'

const books = () => import('./book.ts').then((file) => file.book)
const codes = (stage: Stage) => () => import('./ebook.ts').then((file) => file.stageCodes(stage) as unknown as Resource)
const codeScreen = (stage: Stage) => resourceScreen(codes(stage), async () => {
  const [{ presentCodes }, { stageCodes }] = await Promise.all([import('../qr/door.tsx'), import('./ebook.ts')])
  return { default: presentCodes(stageCodes(stage)) }
})

export default presentModule(door)({
  '/practiceBook/content/ebook/senior': codeScreen('senior'),
  '/practiceBook/content/ebook/junior': codeScreen('junior'),
  '/practiceBook/content/ebook/primary': codeScreen('primary'),
  '/practiceBook/content/pebManage': resourceScreen(books, () => import('./book-view.tsx')),
  '/practiceBook/content/pebDetail': () => import('./pages/pages-screen.tsx'),
}, {
  finders: [resourceFinder('/practiceBook/content/pebManage', '图书', books, ['number', 'name'], ['isbn', 'subject_name'])],
  records: { book_page: { resource: () => import('./book-page.ts').then((file) => file.bookPage as unknown as Resource) } },
})
