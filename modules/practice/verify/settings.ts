import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { VERIFY_SCREEN, VERIFY_RIGHTS } from './state.ts'

/** A group of writers whose questions need the second reading only in part (domain 3.5). */
export interface SampleTier {
  /** Share of their questions that passed at once, from which the group begins. */
  first_pass: number
  /** Questions that must have been checked before the share means anything. */
  checked: number
  /** Of a hundred questions so many get a second reading. */
  percent: number
}

export interface VerifySettings {
  /** domain 1.19: whether an explanation is asked for. */
  needs_analysis: boolean
  /** Words that no question may contain. */
  banned: string[]
  /** Likeness from which a question counts as there already (domain 3.5: 0.85). */
  duplicate_from: number
  /** The first group that a writer belongs to decides; a person who belongs to none is read twice always. */
  tiers: SampleTier[]
  /** domain 1.11: the second reader sees neither who wrote and read first nor what was noted, until the decision. */
  blind_second: boolean
}

/** What holds until somebody decides otherwise. */
export const START_SETTINGS: VerifySettings = { needs_analysis: true, banned: [], duplicate_from: 0.85, tiers: [], blind_second: false }

const share = (label: string) => z.number(`${label}应为数字`).check(z.gte(0, `${label}为 0 到 1`), z.lte(1, `${label}为 0 到 1`))
const settings = z.object({
  needs_analysis: z.boolean('请选择是否必须有解析'),
  banned: z.array(z.string('禁用词应为文字').check(z.trim(), z.minLength(1, '禁用词不能为空'), z.maxLength(20, '每个禁用词最多 20 个字')), '禁用词有误').check(z.maxLength(500, '最多 500 个禁用词')),
  duplicate_from: z.number('相似度应为数字').check(z.gte(0.8, '相似度为 0.8 到 1'), z.lte(1, '相似度为 0.8 到 1')),
  tiers: z.array(z.object({
    first_pass: share('一次通过率'), checked: z.int('已校题数应为整数').check(z.gte(10, '已校题数至少 10'), z.lte(100_000, '已校题数太大')), percent: z.int('抽检率应为整数').check(z.gte(5, '抽检率为 5 到 100'), z.lte(100, '抽检率为 5 到 100')),
  }), '抽检档次有误').check(z.maxLength(10, '最多 10 档')),
  blind_second: z.boolean('请选择二校是否双盲'),
})

export const SETTINGS_GRANT = VERIFY_RIGHTS.id('settings')
const PATH = '/daoyuan/api/end/practice_verifies/settings'
export const readVerifySettings = defineEndpoint<VerifySettings>()({ method: 'GET', path: PATH, summary: '校对设置', grant: [VERIFY_SCREEN] })
export const saveVerifySettings = defineEndpoint<VerifySettings>()({ method: 'PUT', path: PATH, summary: '修改校对设置', grant: [SETTINGS_GRANT], input: settings })

/** How well somebody has written so far. */
export interface WriterRecord {
  checked: number
  passed: number
}

/** Of a hundred questions of a writer so many get a second reading. */
export function samplePercent(tiers: readonly SampleTier[], record: WriterRecord): number {
  const rate = record.checked === 0 ? 0 : record.passed / record.checked
  return tiers.find((tier) => record.checked >= tier.checked && rate >= tier.first_pass)?.percent ?? 100
}

/** Whether a question is drawn: the same answer for the same state of it, so that nobody gets another by asking again. */
export function isDrawn(practiceId: number, versionNo: number, percent: number): boolean {
  let mixed = Math.imul(practiceId ^ Math.imul(versionNo, 0x9e3779b1), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return ((mixed ^ (mixed >>> 16)) >>> 0) % 100 < percent
}
