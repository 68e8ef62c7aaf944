import * as z from 'zod/mini'
import type { Queryable } from '../../core/database/database.server.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { keepOwnUndo } from '../../core/resource/keep-undo.server.ts'
import type { OwnBack } from '../../core/resource/serve.server.ts'
import { actionOf, changeCodes, lockOwners, refusedAction, type Acted } from './change.server.ts'
import { CODE_ACTIONS, type CodeActionName } from './code-state.ts'
import type { CodeFamily } from './family.ts'
import type { ServedFamily, StoredCode } from './hooks.server.ts'

/** Name of the way back in the rules of a family's codes. */
const WAY = 'code_act'

/** An action that leads back to where a code was, with its terms. */
const backwardsSchema = z.object({
  action: z.enum(CODE_ACTIONS.map(({ name }) => name) as [CodeActionName, ...CodeActionName[]]),
  until: z.optional(z.number()), owner: z.optional(z.number()), back: z.optional(z.literal(true)),
})
type Backwards = z.infer<typeof backwardsSchema>

/** By which action each is taken back; what is cancelled or set free says itself what is done instead. */
const BACKWARDS: Partial<Record<CodeActionName, (code: StoredCode, family: CodeFamily) => Backwards>> = {
  freeze: () => ({ action: 'unfreeze' }),
  unfreeze: () => ({ action: 'freeze' }),
  extend: (code) => ({ action: 'extend', until: code.activated_at === null ? code.redeem_before : code.expire_at ?? 0, back: true }),
  transfer: (code, { owner }) => ({ action: 'transfer', owner: Number(code[owner.key]) }),
}

/** Keeps how codes that were changed are taken back, in the same transaction. @returns the number by which they are */
export async function keepBack(tx: Queryable, { family }: ServedFamily, staff: Staff, name: CodeActionName, { changed }: Acted, jobId?: number): Promise<number | undefined> {
  const backwards = BACKWARDS[name]
  if (!backwards) return undefined
  const act = { resource: family.code, staff, action: `code_${name}`, ...(jobId !== undefined && { jobId }) }
  return keepOwnUndo(tx, act, WAY, new Map(changed.map((code) => [code.id, backwards(code, family)])))
}

/** The ways back of a family's codes: the actions of the state machine, with their rights and rules. */
export function codeBacks({ code }: CodeFamily, served: () => ServedFamily): Readonly<Record<string, OwnBack>> {
  return {
    [WAY]: {
      grant: (values) => code.rights.id(actionOf(backwardsSchema.parse(values).action).right),
      async run({ tx, staff, id, values, lock }) {
        const { action, ...terms } = backwardsSchema.parse(values)
        const family = served()
        if (action === 'transfer') await lockOwners(tx, family.family, [id], terms.owner ?? 0)
        await lock()
        const { refused: [problem] } = await changeCodes(tx, family, staff, action, [id], terms, Math.floor(Date.now() / 1000))
        if (problem) throw refusedAction(problem.reason)
      },
    },
  }
}
