import { defineEndpoint } from '../../../core/endpoint/define.ts'
import type { PracticeCard } from '../../practice/module.ts'
import type { PaperBody } from '../compose/body.ts'
import { READ_GRANTS } from '../paper.ts'

/** A state of a paper that learners were shown. */
export interface PaperVersion {
  version_no: number
  at: number
  staff_name: string | null
  question_count: number
  total_score: number
}

/** Versions of a paper, the newest first. */
export const paperVersions = defineEndpoint<{ items: PaperVersion[]; total: number }>()({ method: 'GET', path: '/daoyuan/api/end/paper/{id}/versions', summary: '试卷版本', grant: READ_GRANTS })

/** One version with its questions, each in the version that it held. */
export const paperVersionContent = defineEndpoint<{ version_no: number; body: PaperBody; practices: PracticeCard[] }>()({
  method: 'GET', path: '/daoyuan/api/end/paper/{id}/versions/{version_no}', summary: '试卷版本内容', grant: READ_GRANTS,
})
