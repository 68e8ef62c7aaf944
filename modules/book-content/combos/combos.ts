import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { standardId } from '../../../core/grant/grant.ts'
import { computed } from '../../../core/field/json.ts'
import { BASE, book } from '../../book/module.ts'
import { defineQrCodes, type QrFamily, type QrResource } from '../../qr/module.ts'
import { screenId } from '../../screens.ts'

const GRANT = screenId('/practiceBook/content/combination')

/** Codes of books that lead to combinations: the same records as the codes of the electronic books, seen by what is behind them. */
const family: QrFamily = defineQrCodes({ label: '图书', target: () => book }, [{
  name: 'book_combination', label: '图书组合', grant: GRANT, base: BASE, path: ['combination', 'combinations'], only: { target_kind: 'combination' },
  scope: { subject: 'book_id.subject_id', level: 'book_id.subject_id.level' },
  more: { item_cnt: computed('内容数', 'number'), standing: computed('组合状态', 'text') },
}])

/** The one list of a family. */
function only({ lists: [codes] }: QrFamily): QrResource {
  if (!codes) throw new Error('no codes of combinations')
  return codes
}

export const bookCombination = only(family)

/** Something that a combination shows, and how it is with it. */
export interface ComboItem {
  kind: string
  title: string
  page: number
  health: { tone: 'ok' | 'wait' | 'bad'; words: string }
}

/** What those see who scan a code of a combination: its published version. */
export interface ComboContent {
  id: number
  name: string
  version_no: number | null
  /** Where it is put together; null for those who may not. */
  path: string | null
  items: ComboItem[]
}

/** What is behind a code, piece by piece. */
export const readCombo = defineEndpoint<ComboContent>()({ method: 'GET', path: `${BASE}/combinations/{id}/content`, summary: '图书组合的内容', grant: [GRANT] })

/** Gives a combination a place in a book, with a printed code of its own. */
export const placeCombo = defineEndpoint<{ id: number; code: string }>()({
  method: 'POST', path: bookCombination.api.item, summary: '组合放进图书', grant: [standardId(GRANT, 'edit')],
  input: z.object({
    book_id: z.int('请选择图书').check(z.positive('请选择图书')),
    combination_id: z.int('请选择组合').check(z.positive('请选择组合')),
    name: z.string('请填写名称').check(z.trim(), z.minLength(1, '请填写名称'), z.maxLength(60, '名称最多 60 个字')),
    section: z.optional(z.string('章节应为文字').check(z.trim(), z.maxLength(60, '章节最多 60 个字'))),
    page_no: z.int('请填写页码').check(z.gte(1, '页码至少 1'), z.lte(999, '页码最大 999')),
  }),
})
