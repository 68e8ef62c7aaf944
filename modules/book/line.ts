import { computed } from '../../core/field/json.ts'
import { referenceList } from '../../core/field/reference.ts'
import { text } from '../../core/field/text.ts'
import type { Resource } from '../../core/resource/define.ts'
import { defineCourseLine, lineResources } from '../offer/module.ts'
import { screenId, screenPath } from '../screens.ts'
import { book } from './book.ts'
import { BOOK_LINE } from './row.ts'

/** The line with what follows from its row: what is sold of books, orders, and who may use them. */
export const bookLine = defineCourseLine(BOOK_LINE, (path) => screenId(screenPath(path)), {
  offer: {
    path: 'merchandises',
    fields: {
      book_ids: referenceList('包含图书', () => book),
      barcode: text('商品条码', { max: 13, pattern: [/^\d{13}$/, '应为 13 位数字（EAN-13）'], help: '不填则用图书的 ISBN' }),
      code_left: computed('未用激活码'),
    },
    columns: ['book_ids', 'barcode', 'code_left'],
    inputs: ['book_ids', 'barcode'],
  },
  learner: { fields: { by_code: computed('激活码', 'text') }, columns: ['by_code'] },
})

/** Its kinds of records. @public tables are made from what files export */
export const bookLineResources: readonly Resource[] = lineResources(bookLine)
