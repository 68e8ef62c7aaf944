import { listWaiting } from '../../core/inbox/waiting.server.ts'
import { serveModule } from '../../core/module/serve.server.ts'
import { sql } from 'drizzle-orm'
import { addAssetUser } from '../asset/door.server.ts'
import { serveCourseLines } from '../offer/door.server.ts'
import { LESSONS } from '../paper/module.ts'
import { addPracticeUser, onPracticeCorrected } from '../practice/door.server.ts'
import { serveQrCodes } from '../qr/door.server.ts'
import { book, BOOK_STATE } from './book.ts'
import { bookService, printCalls } from './book.server.ts'
import { bookCodeCalls, bookCodes as codeParts } from './book-code.server.ts'
import { BOOK_CODE_RIGHTS } from './book-code.ts'
import { deletedOrderCalls } from './deleted-orders.server.ts'
import { insertSaleDemo } from './demo-sale.server.ts'
import { insertBookDemo } from './demo.server.ts'
import { bookCodes } from './ebook.ts'
import { draftErrata } from './errata/drafts.server.ts'
import { erratum, ERRATUM_STATE } from './errata/erratum.ts'
import { erratumCalls, erratumService } from './errata/erratum.server.ts'
import { errataOf } from './errata/shown.server.ts'
import { bookLine } from './line.ts'
import door from './module.ts'
import { readPdfJob } from './pdf/job.server.ts'
import { pdfCalls } from './pdf/pdf.server.ts'
import { pageCalls, pageService, spotAssets, spotPractices, usedBySpots } from './page.server.ts'

addAssetUser(spotAssets)
addPracticeUser(spotPractices)

onPracticeCorrected(draftErrata)

const codes = serveQrCodes(bookCodes, errataOf)

const line = serveCourseLines([bookLine], { [bookLine.line.code]: {
  offers: { code_left: sql`select coalesce(sum(g."left"), 0)::int from book_code_group g where g.offer_id = t.id and g.deleted_at is null` },
  learners: { by_code: sql`select max(c.code) from book_code c where c.user_id = t.user_id and c.offer_id = t.offer_id and t.ref = 'book_code ' || c.id` },
} })

/** Days in which a submitted book is looked at. */
const REVIEW_DAYS = 3
/** Days in which somebody says whether an erratum is right. */
const ERRATUM_DAYS = 2
/** Days after which the next print should have come. */
const REPRINT_DAYS = 90

export default serveModule({
  door,
  after: ['reference', 'agent', 'staff', 'user', 'order', 'asset', 'practice', 'paper', 'outline', 'qr', 'offer', 'combination', 'vacation'],
  ...line,
  services: [bookService, pageService, erratumService, ...codes.services, ...line.services ?? [], ...codeParts.services],
  uses: [...codes.uses, ...LESSONS.map((lesson) => usedBySpots('micro', lesson)), ...line.uses ?? []],
  calls: (kernel) => [...printCalls(kernel), ...pageCalls(), ...erratumCalls(), ...pdfCalls(kernel), ...codes.calls(kernel), ...line.calls?.(kernel) ?? [], ...bookCodeCalls(), ...deletedOrderCalls(kernel), ...codeParts.calls(kernel)],
  jobs: (kernel) => [readPdfJob(kernel.files), ...line.jobs?.(kernel) ?? [], ...codeParts.jobs(kernel)],
  sweeps: (kernel) => [...codes.sweeps(kernel), ...line.sweeps?.(kernel) ?? [], ...codeParts.sweeps(kernel)],
  overview: [...line.overview ?? [], ...codeParts.overview],
  rights: [...line.rights ?? [], BOOK_CODE_RIGHTS],
  waiting: [...line.waiting ?? [], listWaiting(book, {
    name: 'book_waiting', title: '待审的图书', group: 'decide', verb: '审核', path: '/practiceBook/content/pebManage', query: () => ({ state: String(BOOK_STATE.waiting) }),
    grant: book.rights.id('shelve'), due: { days: REVIEW_DAYS }, since: sql`updated_at`, notes: ['subject_id'], pass: 'approve', refuse: 'reject',
  }), listWaiting(erratum, {
    name: 'book_errata', title: '待核的勘误', group: 'decide', verb: '核定', path: '/practiceBook/content/pebManage?show=errata', query: () => ({ state: String(ERRATUM_STATE.waiting) }),
    grant: erratum.rights.id('confirm'), due: { days: ERRATUM_DAYS }, notes: ['book_id', 'page_no'], pass: 'confirm', refuse: 'refuse',
  }), listWaiting(erratum, {
    name: 'book_reprint', title: '重印待办', group: 'act', verb: '付印时改正', path: '/practiceBook/content/pebManage?show=errata', query: () => ({ needs: 'reprint' }),
    grant: book.rights.id('print'), due: { days: REPRINT_DAYS }, since: sql`updated_at`, notes: ['book_id', 'page_no'],
  })],
  demo: [{ title: '图书、二维码和扫码', run: insertBookDemo }, { title: '图书商品、订单和激活码', run: insertSaleDemo }],
})
