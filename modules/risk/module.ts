import { defineModule } from '../../core/module/define.ts'

/** Accounts that look as if several people used them. */
export default defineModule({ name: 'risk', title: '账号监控', screens: ['/operate/accountMonitoring'] })
