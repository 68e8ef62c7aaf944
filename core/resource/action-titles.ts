import { defineEndpoint } from '../endpoint/define.ts'

/** What each screen and each action that can be granted is called, by its id; titles are no secret, what is granted to whom is. */
export const actionTitles = defineEndpoint<{ titles: Record<string, string> }>()({
  method: 'GET', path: '/daoyuan/api/end/action_titles', summary: '页面与操作权限的名称', grant: 'staff',
})
