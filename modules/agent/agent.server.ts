import { randomInt } from 'node:crypto'
import { badRequest } from '../../core/error/error.ts'
import { yuan } from '../../core/field/number.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { agent } from './agent.ts'
import { refuseOverlap } from './region.server.ts'

/** Letters and digits that nobody mistakes for one another when reading a code aloud. */
const CODE_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** A code of eight letters by which an agent's customers are known. */
export function inviteCode(pick: (below: number) => number = randomInt): string {
  return Array.from({ length: 8 }, () => CODE_LETTERS[pick(CODE_LETTERS.length)]).join('')
}

export const agents = serve(agent)({
  before({ values, row }) {
    if (!row) values['invite_code'] = inviteCode()
  },
  async guard({ tx, row }) {
    // Whoever comes back may find their region taken.
    if (row.deleted_at !== null && row.region_code) await refuseOverlap(tx, [row.id])
  },
  async after({ tx, values, saved }) {
    if (values.region_code || (saved.region_code && values.parent_id !== undefined)) await refuseOverlap(tx, [saved.id])
  },
  tree: {
    // Below another agent, or below none, a region is not shared any more.
    async moved({ tx, node }) { await refuseOverlap(tx, [node.id]) },
  },
  async beforeRemove({ row: { balance, frozen } }) {
    if ((balance ?? 0) !== 0) throw badRequest(`该代理${(balance ?? 0) < 0 ? '欠款' : '还有余额'} ${yuan(Math.abs(balance ?? 0))} 元，结清前不能删除`)
    if ((frozen ?? 0) !== 0) throw badRequest(`该代理有 ${yuan(frozen ?? 0)} 元正在提现，不能删除`)
  },
})
