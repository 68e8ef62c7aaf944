import { defineEndpoint } from '../endpoint/define.ts'

/** What each action is called that one screen alone has, by its id; titles are no secret, what is granted to whom is. */
export const actionTitles = defineEndpoint<{ titles: Record<string, string> }>()({
  method: 'GET', path: '/daoyuan/api/end/action_titles', summary: '操作权限的名称', grant: 'staff',
})
