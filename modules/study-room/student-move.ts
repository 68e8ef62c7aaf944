import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { standardId } from '../../core/grant/grant.ts'
import { reasonSchema, type WireRow } from '../../core/resource/endpoints.ts'
import { schoolStudent, STUDENT_RIGHTS } from './school-student.ts'

/** Another class of the same school is an edit; the other moves are rights of their own. */
export const CHANGE_CELL_GRANT = standardId(schoolStudent.grant, 'edit')
export const CHANGE_SCHOOL_GRANT = STUDENT_RIGHTS.id('changeSchool')
export const RENEW_GRANT = STUDENT_RIGHTS.id('renew')

const one = `${schoolStudent.api.item}/{id}`
const id = (words: string) => z.int(words).check(z.positive(words))
const common = { reason: reasonSchema, rev: z.optional(z.int('版本有误')) }
const place = { cell_id: z.optional(id('请选择班级')), teacher_id: z.optional(id('请选择督学')) }

/** 转班: another class of the same school, and who looks after the student there. */
export const changeCell = defineEndpoint<WireRow>()({
  method: 'POST', path: `${one}/change_cell`, summary: '学生转班', grant: [CHANGE_CELL_GRANT], input: z.object({ ...place, cell_id: id('请选择班级'), ...common }),
})

/** 转校: another school; codes in use follow to schools of the same partner, whose quota they came from. */
export const changeSchool = defineEndpoint<WireRow>()({
  method: 'POST', path: `${one}/change_school`, summary: '学生转校', grant: [CHANGE_SCHOOL_GRANT],
  input: z.object({ school_id: id('请选择学校'), ...place, student_no: z.optional(z.string('学号应为文字').check(z.trim(), z.maxLength(30, '学号最多 30 个字'))), ...common }),
})

/** What a student can be renewed with: codes of their partner that nobody has activated, by what they open. */
export interface Renewal {
  unit_id: number
  name: string
  /** Codes that are left. */
  left: number
  /** Until when the student studies this unit now; null when they do not. Unix seconds. */
  until: number | null
}

export const renewals = defineEndpoint<{ items: Renewal[] }>()({ method: 'GET', path: `${one}/renewals`, summary: '学生可续期的套餐', grant: [RENEW_GRANT] })

/** 续期: an unused code of the partner goes on where the student's time for its unit ends. */
export const renewStudent = defineEndpoint<{ expire_at: number; student: WireRow }>()({
  method: 'POST', path: `${one}/renew`, summary: '学生续期', grant: [RENEW_GRANT], input: z.object({ unit_id: id('请选择套餐'), ...common }),
})
