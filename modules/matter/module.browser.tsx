import type { RecordFinder } from '../../core/module/find.ts'
import { presentModule } from '../../core/module/present.tsx'
import { resourceFinder } from '../../core/module/resource-finder.tsx'
import door from './module.ts'
import { MATTER_PATH, showing } from './rights.ts'

const matters = () => import('./matter.ts').then(({ matter }) => matter)
const moves = () => import('./move.ts').then(({ matterMove }) => matterMove)
const checks = () => import('./check.ts').then(({ matterCheck }) => matterCheck)
const warehouses = () => import('./warehouse.ts').then(({ warehouse }) => warehouse)
const matterLook = () => import('./matter-view.tsx').then((file) => file.default)
const moveLook = () => import('./move-view.tsx').then((file) => file.default)
const checkLook = () => import('./check-view.tsx').then((file) => file.default)

/** Finds what stands on a screen of several lists. @param at address of its list */
const finderAt = (at: string, found: RecordFinder): RecordFinder => ({ ...found, find: async (text, signal) => (await found.find(text, signal)).map((one) => ({ ...one, to: `${at}&open=${one.id}` })) })

export default presentModule(door)({
  '/practiceBook/matter': Object.assign(async () => {
    const [matter, move, check, warehouse, lookOfMatters, lookOfMoves, lookOfChecks, { ListsPage }] = await Promise.all([matters(), moves(), checks(), warehouses(), matterLook(), moveLook(), checkLook(), import('../../core/list/lists-page.tsx')])
    return { default: () => <ListsPage label="物料、流水、盘点或仓库" views={[
      { key: 'matter', label: '物料', resource: matter, presentation: lookOfMatters }, { key: 'move', label: '出入库流水', resource: move, presentation: lookOfMoves },
      { key: 'check', label: '盘点和报损', resource: check, presentation: lookOfChecks }, { key: 'warehouse', label: '仓库', resource: warehouse },
    ]} /> }
  }, { resource: matters, presentation: matterLook }),
}, {
  finders: [
    finderAt(showing('matter'), resourceFinder(MATTER_PATH, '物料', matters, ['number', 'name'], ['sku', 'stock'])),
    finderAt(showing('move'), resourceFinder(MATTER_PATH, '出入库流水', moves, ['number'], ['matter_name', 'receiver'])),
  ],
  records: { matter_move: { resource: moves, presentation: moveLook }, matter_check: { resource: checks, presentation: checkLook }, warehouse: { resource: warehouses } },
})
