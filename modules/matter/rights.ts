import { defineRights } from '../../core/grant/rights.ts'
import { screenId } from '../screens.ts'

export const MATTER_PATH = '/practiceBook/matter'

/** Where calls of matters begin; books and their orders begin there too. */
export const BASE = '/daoyuan/api/end/practice_book'

/** The lists of the screen, by the values of `show` in its address. */
export const showing = (list: 'matter' | 'move' | 'check' | 'warehouse') => `${MATTER_PATH}?show=${list}`

export const MATTER_RIGHTS = defineRights(screenId(MATTER_PATH), { move: [11, '出入库和冲销'], count: [12, '盘点和报损'], approve: [13, '审核盘点和报损'] })
