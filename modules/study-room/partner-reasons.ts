import { formatDate } from '../../core/field/time.ts'
import type { HealthNumbers } from './partner-health.ts'
import { PARTNER_STATUS } from './partner.ts'

/** What is known of a partner when the week's list is made; times in unix seconds. */
export interface ContactFacts extends HealthNumbers {
  readonly status: number
  readonly expire_at: number
  readonly balance: number
  readonly quota: number
  readonly used: number
  /** When somebody last said something about them or called them; null where nobody ever did. */
  readonly last_at: number | null
}

/** Why a partner should be called: the fact with its figures, and what to say about it. */
export interface Reason {
  readonly key: string
  readonly weight: number
  readonly fact: string
  readonly say: string
}

const DAY = 86_400
const percent = (part: number, whole: number) => Math.round((part / whole) * 100)
const yuan = (fen: number) => (fen / 100).toLocaleString('zh-CN', { minimumFractionDigits: 2 })

interface Rule {
  readonly key: string
  readonly weight: number
  applies(facts: ContactFacts, now: number): boolean
  fact(facts: ContactFacts, now: number): string
  say(facts: ContactFacts, now: number): string
}

const daysLeft = ({ expire_at }: ContactFacts, now: number) => Math.ceil((expire_at - now) / DAY)

/** What counts how much (operations 5): rows, so that a weight is judged by its row and not by the code around it. */
const RULES: readonly Rule[] = [
  {
    key: 'expiring', weight: 40,
    applies: (facts, now) => facts.status === PARTNER_STATUS.signed && daysLeft(facts, now) >= 0 && daysLeft(facts, now) <= 30,
    fact: (facts, now) => `合同 ${formatDate(facts.expire_at)} 到期，还有 ${daysLeft(facts, now)} 天`,
    say: (facts, now) => `合同还有 ${daysLeft(facts, now)} 天到期，续约材料现在就可以准备，您看哪天方便？`,
  },
  {
    key: 'expired', weight: 40,
    applies: ({ status }) => status === PARTNER_STATUS.expired,
    fact: ({ expire_at }) => `合同已于 ${formatDate(expire_at)} 到期，还没有续约`,
    say: () => '合同已经到期，您还打算继续合作吗？有什么顾虑我们一起看看。',
  },
  {
    key: 'falling', weight: 30,
    applies: ({ recent, earlier }) => earlier >= 5 && recent < earlier * 0.6,
    fact: ({ recent, earlier }) => `近 4 周激活 ${recent} 个，之前 4 周 ${earlier} 个，少了 ${100 - percent(recent, earlier)}%`,
    say: ({ recent, earlier }) => `这个月激活了 ${recent} 个，上个月是 ${earlier} 个，是招生慢了，还是使用上遇到了问题？`,
  },
  {
    key: 'debt', weight: 30,
    applies: ({ balance }) => balance < 0,
    fact: ({ balance }) => `余额 ${yuan(balance)} 元`,
    say: ({ balance }) => `账户欠款 ${yuan(-balance)} 元，打算什么时候补上？`,
  },
  {
    key: 'renewal', weight: 25,
    applies: ({ ended, renewed }) => ended >= 5 && renewed * 2 < ended,
    fact: ({ ended, renewed }) => `近 60 天 ${ended} 名学生到期，只续了 ${renewed} 名（${percent(renewed, ended)}%）`,
    say: ({ ended, renewed }) => `最近有 ${ended - renewed} 名学生到期没有续，家长是怎么说的？`,
  },
  {
    key: 'unused', weight: 25,
    applies: ({ recent, unused }) => recent === 0 && unused >= 10,
    fact: ({ unused }) => `4 周没有激活，手里还有 ${unused} 个授权码`,
    say: ({ unused }) => `还有 ${unused} 个授权码没有用，招生需要我们配合做什么？`,
  },
  {
    key: 'pads', weight: 20,
    applies: ({ pads, online }) => pads >= 4 && online * 2 < pads,
    fact: ({ pads, online }) => `${pads} 台平板只有 ${online} 台近 7 天在线`,
    say: ({ pads, online }) => `有 ${pads - online} 台平板一周没有联网，是没有排课，还是设备坏了？`,
  },
  {
    key: 'quota', weight: 20,
    applies: ({ quota, used, recent }) => quota > 0 && recent > 0 && quota - used <= quota * 0.1,
    fact: ({ quota, used }) => `授权码名额 ${quota} 个，只剩 ${Math.max(0, quota - used)} 个`,
    say: ({ quota, used }) => `名额只剩 ${Math.max(0, quota - used)} 个，按现在的激活速度要不要先补一批？`,
  },
  {
    key: 'silent', weight: 10,
    applies: ({ last_at }, now) => last_at === null || now - last_at > 60 * DAY,
    fact: ({ last_at }, now) => (last_at === null ? '还没有联系记录' : `${Math.floor((now - last_at) / DAY)} 天没有联系`),
    say: () => '有一阵没有联系了，最近经营得怎么样？',
  },
]

/** From this sum on a partner stands on the week's list: silence alone is no reason. */
export const LISTED_FROM = 20

/** Why a partner should be called, what weighs most first. Pure: the same facts give the same reasons. */
export const reasonsOf = (facts: ContactFacts, now: number): Reason[] => RULES.filter(({ applies }) => applies(facts, now))
  .map(({ key, weight, fact, say }) => ({ key, weight, fact: fact(facts, now), say: say(facts, now) }))
  .sort((a, b) => b.weight - a.weight)

/** How much a partner needs a call this week, 0 to 100. */
export const urgencyOf = (reasons: readonly Reason[]): number => Math.min(100, reasons.reduce((sum, { weight }) => sum + weight, 0))
