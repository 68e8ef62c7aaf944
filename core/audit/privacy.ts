import * as z from 'zod/mini'

/** What an installation decides about personal data. */
export interface PrivacySetting {
  /** Mobile numbers that one person may look at in a day. */
  reveal_daily: number
  /** Names of learners are masked for people who do not work with them. */
  mask_names: boolean
}

/** domain, Decided: names of minors are masked by default. Two hundred looks are a day's work of the busiest clerk. */
export const DEFAULT_PRIVACY: PrivacySetting = { reveal_daily: 200, mask_names: true }

export const privacySchema = z.object({
  reveal_daily: z.int('次数应为整数').check(z.gte(0, '次数不能小于 0'), z.lte(100_000, '次数不能大于 100,000')),
  mask_names: z.boolean('请选择是否隐藏姓名'),
})
