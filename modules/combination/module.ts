import { defineModule } from '../../core/module/define.ts'
import { combinationChanged } from './live.ts'

export { combination } from './combination.ts'
export { merge as mergeItems, pagesOf, place as placeItems, type CombinationItem } from './items.ts'

/** Content that is used together: videos, lessons, papers and questions in order, cut into pages. */
export default defineModule({ name: 'combination', title: '素材组合', screens: ['/material/combination', '/material/combination/detail/:id'], live: [combinationChanged] })
