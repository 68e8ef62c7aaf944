import { choiceLabel, type Choice } from '../../core/field/choice.ts'

const numbered = (count: number, names: readonly string[]): Choice<number>[] => {
  const known = names.map((label, index) => ({ value: index + 1, label }))
  return Array.from({ length: count }, (_, index) => ({ value: index + 1, label: choiceLabel(known, index + 1) }))
}

/** spec 9: invoking product list 1-8; the products that may use an item. Their names are not shown. */
export const INVOKING_PRODUCTS = numbered(8, [])

/** spec 9: set paper types 1-7; five names are shown, read in their order. */
export const SET_PAPER_TYPES = numbered(7, ['专题', '章节测试', '名校精选', '精选', '必刷'])
