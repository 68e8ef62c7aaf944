import { defineModule } from '../../core/module/define.ts'

/** 数据中心 and 监控: what modules count by days, what is unusual about it, and whether everything still agrees. */
export default defineModule({ name: 'stat', title: '数据与监控', screens: ['/operate/monitor/dataCenter', '/operate/monitor/index', '/operate/monitor/detail'] })
