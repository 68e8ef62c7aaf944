import { defineModule } from '../../core/module/define.ts'

/** Looking something up, whichever line it belongs to. */
export default defineModule({ name: 'query', title: '查询', screens: ['/operate/query/sn', '/operate/query/validity', '/operate/orderDetail'] })
