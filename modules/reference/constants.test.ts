import { expect, test } from 'vitest'
import { provinces } from '../../core/field/region.server.ts'
import { screens } from '../screens.ts'
import { EXAM_REGIONS } from './exam-region.ts'
import { INVOKING_PRODUCTS, SET_PAPER_TYPES } from './item-choices.ts'
import { linePaths, PRODUCT_LINES } from './product-line.ts'

test('exam regions are three national papers and every province', () => {
  expect(EXAM_REGIONS).toHaveLength(37)
  expect(EXAM_REGIONS.map((region) => region.id)).toEqual(Array.from({ length: 37 }, (_unused, index) => index + 1))
  expect(EXAM_REGIONS.slice(0, 3).map((region) => region.kind)).toEqual(['national', 'national', 'national'])
  const ours = EXAM_REGIONS.slice(3)
  expect(ours.map((region) => region.code)).toEqual(provinces.map((province) => province.code))
  for (const [index, { name }] of ours.entries()) expect(provinces[index]?.name.startsWith(name)).toBe(true)
})

test('every screen of a product line exists', () => {
  const all = screens.map(({ path }) => path as string).filter((path) => PRODUCT_LINES.some((line) => path.startsWith(`${line.path}/`)))
  expect(PRODUCT_LINES.flatMap(linePaths).toSorted()).toEqual(all.toSorted())
})

test('ids whose name is not known say so', () => {
  expect(INVOKING_PRODUCTS.map((item) => item.label)).toEqual(Array.from({ length: 8 }, (_unused, index) => `未命名(${index + 1})`))
  expect(SET_PAPER_TYPES.map((item) => item.label)).toEqual(['专题', '章节测试', '名校精选', '精选', '必刷', '未命名(6)', '未命名(7)'])
})
