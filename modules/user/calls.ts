import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import type { OverviewContent } from '../../core/kernel/overview.server.ts'
import { reasonSchema } from '../../core/resource/endpoints.ts'
import { appUser, USER_RIGHTS, USER_SCREEN } from './user.ts'

/** What was moved: how many records by which field, 学生的用户. */
export interface Moved {
  label: string
  count: number
}

/** Makes one account of two: what belongs to the user in the path belongs to `into_id` afterwards. */
export const mergeUser = defineEndpoint<{ into_id: number; moved: Moved[] }>()({
  method: 'POST',
  path: `${appUser.api.item}/{id}/merge`,
  summary: '合并账号',
  grant: [USER_RIGHTS.id('merge')],
  input: z.object({ into_id: z.int('请选择保留的账号').check(z.positive('请选择保留的账号')), reason: reasonSchema }),
})

/** Everything that the modules know of one user; parts without the grant are absent. */
export const userOverview = defineEndpoint<{ sections: ({ name: string; title: string } & OverviewContent)[] }>()({
  method: 'GET', path: `${appUser.api.item}/{id}/overview`, summary: '用户全景', grant: [USER_SCREEN],
})
