import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { READ_GRANTS } from '../paper.ts'
import { SMART_EDIT, SMART_SCREEN } from '../smart/smart-paper.ts'
import { sectionsSchema } from '../smart/rule.ts'
import type { SpecSection } from './spec.ts'

const SHEETS = '/micro_material/api/end/smart_test_paper/spec_sheets'
const subject_id = z.int('请选择学科').check(z.positive('请选择学科'))

/** The specification that a paper follows, and what else a parallel of it would be asked for. */
export interface PaperSpec {
  subject_id: number
  name: string
  sections: SpecSection[]
  /** Difficulty coefficient; null when its questions say nothing of it. */
  coef: number | null
  minutes: number
  practice_ids: number[]
}

export const paperSpec = defineEndpoint<PaperSpec>()({ method: 'GET', path: '/daoyuan/api/end/paper/{id}/spec', summary: '从试卷还原细目表', grant: READ_GRANTS })

/** The specification table of a paper as a workbook. */
export const paperSpecSheet = defineEndpoint<unknown>()({ method: 'GET', path: '/daoyuan/api/end/paper/{id}/spec_sheet', summary: '下载试卷的细目表', grant: READ_GRANTS, stream: true })

/** Writes a table that is being worked on; the answer says where the workbook lies for an hour. */
export const writeSpecSheet = defineEndpoint<{ url: string }>()({
  method: 'POST', path: SHEETS, summary: '导出细目表', grant: [SMART_SCREEN],
  input: z.object({ subject_id, name: z.optional(z.string('名称有误').check(z.trim(), z.maxLength(60, '名称最多 60 个字'))), sections: sectionsSchema }),
})

/** What a workbook says, or why it cannot be read. */
export const readSpecSheet = defineEndpoint<{ sections: SpecSection[]; problems: { row: number; message: string }[] }>()({
  method: 'POST', path: `${SHEETS}/read`, summary: '导入细目表', grant: [SMART_EDIT],
  input: z.object({ subject_id, file_id: z.string('请选择文件').check(z.uuid('文件编号不正确')) }),
})
