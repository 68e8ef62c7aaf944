import { defineModule } from '../../core/module/define.ts'

/** 工具: small jobs of every day as pure functions, run beside the page; nothing leaves the machine. It has no calls. */
export default defineModule({ name: 'tools', title: '工具', screens: ['/tools/index'] })
