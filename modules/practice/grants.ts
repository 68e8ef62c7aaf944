import { screenId } from '../screens.ts'
import { COMPARE_SCREEN } from './compare/calls.ts'
import { VERIFY_SCREEN } from './verify/state.ts'
import { BANK_ACTIONS, bankScreen, type BankAction, type Pool } from './bank/practice.ts'

/** What can be granted on the screens of each bank, beside opening them. */
const BANK_TITLES: Readonly<Record<Pool, Partial<Record<BankAction, string>>>> = {
  back: { edit: '新增和编辑', remove: '作废和恢复', import: '导入试题', export: '导出试题', submit: '提交校对', assign: '分配校对', similar: '维护举一反三' },
  official: { edit: '修改标签和属性', export: '导出试题', shelf: '上架和下架', revise: '修订', similar: '维护举一反三', answers: '接收作答记录' },
}

const VERIFY = [{ n: 11, title: '一校' }, { n: 12, title: '二校' }, { n: 13, title: '终审和发布' }, { n: 14, title: '校对设置' }].map((action) => ({ screen: VERIFY_SCREEN, ...action }))

export const grants = [...VERIFY, { screen: screenId('/practice/labelOrder'), n: 1, title: '标签排序' }, { screen: COMPARE_SCREEN, n: 11, title: '合并和处理' }, ...(['back', 'official'] as const).flatMap((pool) => [0, 1, 2].flatMap((level) =>
  (Object.entries(BANK_TITLES[pool]) as [BankAction, string][]).map(([action, title]) => ({ screen: bankScreen(pool, level), n: BANK_ACTIONS[action], title }))))]
