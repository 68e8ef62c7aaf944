import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { BASE_EDIT_GRANTS } from '../paper.ts'

const BASE = '/daoyuan/api/end/paper_imports'

/** How the paper of an imported file would be. */
export interface ImportedPaper {
  /** The paper that was made of it. */
  made: { id: number; name: string; detail: string } | null
  name: string
  subject_name: string
  minutes: number | null
  secret: string
  notices: string[]
  sections: { part: string; title: string; questions: number; points: number }[]
  /** Questions that the bank has, or has one like; the same one stands for it unless somebody says otherwise, of others people decide. */
  alike: { ord: number; place: string; kind: 'same' | 'suspected' | 'variant'; no: string; practice_id: number }[]
  /** Questions that are to be mended, compared with the file or left out first. */
  problems: string[]
  /** Questions that are left out, because somebody said so. */
  left_out: string[]
  /** Where the file's own numbers differ from what was read. */
  notes: string[]
}

/** What a whole paper of a file would become. */
export const importedPaper = defineEndpoint<ImportedPaper>()({ method: 'GET', path: `${BASE}/{id}`, summary: '导入文件的成卷预览', grant: BASE_EDIT_GRANTS })

/** Makes a draft paper of an imported file: questions that the bank has are used, all others become drafts of the back bank. */
export const paperFromImport = defineEndpoint<{ id: number; name: string; detail: string; written: number; reused: number }>()({
  method: 'POST', path: `${BASE}/{id}`, summary: '导入文件成卷', grant: BASE_EDIT_GRANTS,
  input: z.object({
    name: z.string('请填写试卷名称').check(z.trim(), z.minLength(1, '请填写试卷名称'), z.maxLength(100, '试卷名称最多 100 个字')),
    /** Whether questions with problems stand in it as drafts, to be mended before they are published. */
    problems: z.boolean('请选择有问题的题如何处理'),
    /** What stands for questions that are like one of the bank; of those that are the same it is that one unless something else is said. */
    choices: z.optional(z.array(z.object({ ord: z.int('试题有误'), use: z.enum(['bank', 'new'], '请选择用题库的题或新题') }), '选择有误').check(z.maxLength(500, '试题最多 500 道'))),
  }),
})
