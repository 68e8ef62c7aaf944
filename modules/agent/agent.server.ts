import { randomInt } from 'node:crypto'
import { serve } from '../../core/resource/serve.server.ts'
import { agent } from './agent.ts'

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
})
