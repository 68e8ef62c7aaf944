import { defineRights, type Rights } from '../../core/grant/rights.ts'
import { BANK_ACTIONS, bankScreen, type BankAction, type Pool } from './bank/practice.ts'
import { COMPARE_RIGHTS } from './compare/calls.ts'
import { ORDER_RIGHTS } from './label/calls.ts'

/** What can be granted on the screens of each bank, beside opening them. */
const BANK_TITLES: Readonly<Record<Pool, Partial<Record<BankAction, string>>>> = {
  back: { edit: '新增和编辑', remove: '作废和恢复', import: '导入试题', export: '导出试题', submit: '提交校对', assign: '分配校对', similar: '维护举一反三' },
  official: { edit: '修改标签和属性', export: '导出试题', shelf: '上架和下架', revise: '修订', similar: '维护举一反三', answers: '接收作答记录' },
}

const bankRights = (pool: Pool, level: number): Rights =>
  defineRights(bankScreen(pool, level), Object.fromEntries((Object.entries(BANK_TITLES[pool]) as [BankAction, string][]).map(([action, title]) => [action, [BANK_ACTIONS[action], title]])))

/** Rights of the screens that show no resource. */
export const rights: readonly Rights[] = [ORDER_RIGHTS, COMPARE_RIGHTS, ...(['back', 'official'] as const).flatMap((pool) => [0, 1, 2].map((level) => bankRights(pool, level)))]
