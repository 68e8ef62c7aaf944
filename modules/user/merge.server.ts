import { sql } from 'drizzle-orm'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, wrongState } from '../../core/error/error.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import { moveFiles } from '../../core/record-file/record-file.server.ts'
import { moveReferences } from '../../core/resource/move-references.server.ts'
import { refuseRemoval } from '../../core/resource/remove.server.ts'
import type { Registry } from '../../core/resource/uses.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { lockToRemove } from '../../core/resource/write.server.ts'
import { mergeUser } from './calls.ts'
import { appUser, USER_STATUS } from './user.ts'

/** The call that makes one account of two. */
export function mergeCall(registry: Registry): Served {
  return handle(mergeUser, async (call) => {
    const { into_id, reason } = call.input
    const id = idParam(call)
    if (id === into_id) throw badRequest('不能与自己合并')
    return call.transaction(async (tx) => {
      // In one order, so that two merges of the same accounts cannot wait for each other.
      for (const one of [id, into_id].sort((a, b) => a - b)) {
        const row = await lockToRemove(tx, appUser, call.staff, one)
        const status = row['status']
        if (one === into_id && (status === USER_STATUS.closing || status === USER_STATUS.closed)) {
          throw wrongState('并入其他账号', choiceLabel(appUser.fields['status']?.kind === 'choice' ? appUser.fields['status'].choices : [], status))
        }
      }
      const moved = await moveReferences(tx, registry, appUser, id, into_id)
      await moveFiles(tx, appUser, id, into_id)
      await refuseRemoval(tx, { registry, staff: call.staff }, appUser.name, id)
      await touch(tx, appUser, { merged_into_id: into_id, deleted_at: sql`now()` }, id)
      return { into_id, moved }
    }, { action: 'merge', reason })
  })
}
