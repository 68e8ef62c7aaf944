import { defineRights } from '../../core/grant/rights.ts'
import { screenId } from '../screens.ts'

export const DATA_PATH = '/operate/monitor/dataCenter'
export const MONITOR_PATH = '/operate/monitor/index'
export const DETAIL_PATH = '/operate/monitor/detail'

export const DATA_RIGHTS = defineRights(screenId(DATA_PATH), { note: [11, '记一笔'], rebuild: [12, '重新计算'], take: [13, '导出数据'] })

export const MONITOR_RIGHTS = defineRights(screenId(MONITOR_PATH), { handle: [11, '处理告警'], silence: [12, '静默告警'], check: [13, '运行自检'], repair: [14, '修复自检发现的问题'] })

export const DETAIL_SCREEN = screenId(DETAIL_PATH)

/** Address of an alert. */
export const alertPath = (id: number): string => `${DETAIL_PATH}?id=${id}`
