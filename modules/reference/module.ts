import { defineModule } from '../../core/module/define.ts'

export { channel } from './channel.ts'
export { EXAM_REGIONS } from './exam-region.ts'
export { examYear, examYears } from './exam-year.ts'
export { GRADES } from './grade.ts'
export { INVOKING_PRODUCTS, SET_PAPER_TYPES } from './item-choices.ts'
export { LEVELS } from './level.ts'
export { cats, channels, provinceTree } from './lookup.ts'
export { linePaths, PRODUCT_LINES, type LineScreen, type ProductLine } from './product-line.ts'
export { ALL_SUBJECTS, fullName, subject } from './subject.ts'

/** What all other modules build on: subjects, channels, regions and the constant tables of the spec. */
export default defineModule({
  name: 'reference',
  title: '基础数据',
  screens: [],
})
