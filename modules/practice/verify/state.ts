import { defineRights } from '../../../core/grant/rights.ts'
import { screenId } from '../../screens.ts'
import { STATUS } from '../bank/practice.ts'

export const VERIFY_SCREEN = screenId('/practice/practiceVerify')

/** Rights of the screen beside looking at it. */
export const VERIFY_RIGHTS = defineRights(VERIFY_SCREEN, { first: [11, '一校'], second: [12, '二校'], final: [13, '终审和发布'], settings: [14, '校对设置'], report: [15, '处理报错'], trusted: [16, '批量通过可信来源'] })

/** A round of checking (domain 1.18): in which state, by which right, and where a question goes that passes. */
export interface Round {
  readonly round: 1 | 2 | 3
  readonly label: string
  readonly status: (typeof STATUS)[keyof typeof STATUS]
  readonly grant: number
  readonly to: (typeof STATUS)[keyof typeof STATUS]
}

export const ROUNDS: readonly Round[] = [
  { round: 1, label: '一校', status: STATUS.first, grant: VERIFY_RIGHTS.id('first'), to: STATUS.second },
  { round: 2, label: '二校', status: STATUS.second, grant: VERIFY_RIGHTS.id('second'), to: STATUS.final },
  { round: 3, label: '终审', status: STATUS.final, grant: VERIFY_RIGHTS.id('final'), to: STATUS.published },
]
export const VERIFY_GRANTS: readonly number[] = ROUNDS.map(({ grant }) => grant)
export const roundOf = (status: number): Round | undefined => ROUNDS.find((round) => round.status === status)

/** domain 3.5. */
export const CLAIM_SECONDS = 30 * 60

/** domain 3.5: what is wrong with a question that is sent back; score cards count them. */
export const ERROR_TYPES = ['题干错', '选项错', '答案错', '解析错', '公式', '图片', '标签', '难度', '超纲', '版权', '重复'] as const

/** domain 1.11: what has to be looked at. */
export const CHECKLIST = ['题干', '选项', '答案', '解析', '公式', '图片', '标签', '难度', '版权'] as const

/**
 * Why a person may not decide in a round; undefined when they may. Nobody checks their own question, and the second
 * reader is another one than the first.
 */
export function refusalOf(round: Round, row: { owner_id: number | null; verifier1_id: number | null }, staffId: number): string | undefined {
  if (row.owner_id === staffId) return '不能校对自己录入的试题'
  if (round.round === 2 && row.verifier1_id === staffId) return '二校应由一校以外的人完成'
  return undefined
}
