import { defineModule } from '../../core/module/define.ts'

/** What administrators look at: who did what, what went wrong, how the product is, what was deleted. */
export default defineModule({
  name: 'system',
  title: '系统管理',
  screens: ['/system/audit', '/system/errors', '/system/health', '/system/recycle', '/system/announcement', '/system/security', '/system/app-client', '/system/api'],
})
