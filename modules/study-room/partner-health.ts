import { defineEndpoint } from '../../core/endpoint/define.ts'
import { partner } from './partner.ts'

/** One part of a partner's health: what was looked at, and how many points of how many it gives. */
export interface HealthPart {
  key: 'activation' | 'pads' | 'renewal'
  /** Of `most`; null where there is nothing to judge by, and the part does not count. */
  points: number | null
  most: number
  /** What the points follow from, in words. */
  why: string
}

export interface PartnerHealth {
  /** 0 to 100; null where no part can be judged. */
  score: number | null
  parts: HealthPart[]
  /** Activations of each of the last twelve weeks, by the first second of the week. */
  weeks: { at: number; n: number }[]
}

/** What was counted of a partner. */
export interface HealthNumbers {
  /** Activations of the last four weeks, and of the four before. */
  recent: number
  earlier: number
  /** Codes that may still be activated. */
  unused: number
  /** Pads in their schools that are not retired, and those of them that were online in the last seven days. */
  pads: number
  online: number
  /** Students whose time ended in the last sixty days, and those of them whom a later code or order carried on. */
  ended: number
  renewed: number
}

const percent = (part: number, whole: number) => Math.round((part / whole) * 100)

/** How well things go, part by part (domain 1.8: activation slope, pads online, renewals): 40, 30 and 30 points. */
export function healthOf({ recent, earlier, unused, pads, online, ended, renewed }: HealthNumbers): Pick<PartnerHealth, 'score' | 'parts'> {
  // Half the points for holding what the month before had, all of them for half as much again.
  const pace = earlier > 0 ? recent / earlier : recent > 0 ? 1.5 : 0
  const parts: HealthPart[] = [
    {
      key: 'activation', most: 40, points: recent + earlier + unused === 0 ? null : Math.round(40 * Math.min(1, pace / 1.5)),
      why: recent + earlier + unused === 0 ? '还没有授权码' : `近 4 周激活 ${recent} 个，之前 4 周 ${earlier} 个，还有 ${unused} 个未用`,
    },
    { key: 'pads', most: 30, points: pads === 0 ? null : Math.round((30 * online) / pads), why: pads === 0 ? '没有平板' : `${pads} 台平板中 ${online} 台近 7 天在线（${percent(online, pads)}%）` },
    { key: 'renewal', most: 30, points: ended === 0 ? null : Math.round((30 * renewed) / ended), why: ended === 0 ? '近 60 天没有学生到期' : `近 60 天 ${ended} 名学生到期或续期，其中 ${renewed} 名已续（${percent(renewed, ended)}%）` },
  ]
  const judged = parts.filter((part) => part.points !== null)
  const most = judged.reduce((sum, part) => sum + part.most, 0)
  return { parts, score: most === 0 ? null : Math.round((judged.reduce((sum, part) => sum + (part.points ?? 0), 0) / most) * 100) }
}

export const partnerHealth = defineEndpoint<PartnerHealth>()({ method: 'GET', path: `${partner.api.item}/{id}/health`, summary: '合伙人健康度', grant: [partner.grant] })
