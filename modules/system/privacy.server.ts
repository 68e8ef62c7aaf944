import { readPrivacy, writePrivacy } from '../../core/audit/privacy.server.ts'
import { handle, type Served } from '../../core/endpoint/serve.server.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import { getPrivacy, putPrivacy } from './privacy.ts'
import { securityLog } from './security.ts'

/** The calls that decide what is hidden from whom. */
export function privacyCalls({ sessions }: Pick<Kernel, 'sessions'>): Served[] {
  return [
    handle(getPrivacy, (call) => readPrivacy(call.db)),
    handle(putPrivacy, async (call) => {
      const setting = await call.transaction(async (tx) => {
        await writePrivacy(tx, call, securityLog.grant, call.input)
        return call.input
      })
      // What is hidden belongs to what each session knows of its person.
      await sessions.changed()
      return setting
    }),
  ]
}
