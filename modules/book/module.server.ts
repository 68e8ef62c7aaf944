import { listWaiting } from '../../core/inbox/waiting.server.ts'
import { serveModule } from '../../core/module/serve.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import { sql } from 'drizzle-orm'
import { addAssetUser } from '../asset/door.server.ts'
import { LESSONS } from '../paper/module.ts'
import { addPracticeUser } from '../practice/door.server.ts'
import { serveQrCodes } from '../qr/door.server.ts'
import { book, BOOK_STATE } from './book.ts'
import { bookService, printCalls } from './book.server.ts'
import { insertBookDemo } from './demo.server.ts'
import { bookCodes } from './ebook.ts'
import door from './module.ts'
import { pageCalls, pageService, spotAssets, spotPractices, usedBySpots } from './page.server.ts'

addAssetUser(spotAssets)
addPracticeUser(spotPractices)

const codes = serveQrCodes(bookCodes)

/** Days in which a submitted book is looked at. */
const REVIEW_DAYS = 3

export default serveModule({
  door,
  after: ['reference', 'staff', 'asset', 'practice', 'paper', 'outline', 'qr', 'combination'],
  services: [bookService, pageService, ...codes.services],
  uses: [...codes.uses, ...LESSONS.map((lesson) => usedBySpots('micro', lesson as unknown as Resource))],
  calls: (kernel) => [...printCalls(kernel), ...pageCalls(), ...codes.calls(kernel)],
  sweeps: codes.sweeps,
  waiting: [listWaiting(book as unknown as Resource, {
    name: 'book_waiting', title: '待审的图书', group: 'decide', verb: '审核', path: '/practiceBook/content/pebManage', query: () => ({ state: String(BOOK_STATE.waiting) }),
    grant: book.rights.id('shelve'), due: { days: REVIEW_DAYS }, since: sql`updated_at`, notes: ['subject_id'], pass: 'approve', refuse: 'reject',
  })],
  demo: insertBookDemo,
})
