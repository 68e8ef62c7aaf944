import { expect, test } from 'vitest'
import { text } from '../field/text.ts'
import { reference } from '../field/reference.ts'
import { region } from '../field/region.ts'
import { choice } from '../field/choice.ts'
import { fieldWords } from '../resource/field-words.ts'
import { changedFields, listDifference, plainText } from './changes.ts'

const target = { name: 'shop', label: '店', table: 'shop', title: 'name', optionsPath: '/shops/options' }
const fields = { name: text('名称'), shop_id: reference('门店', () => target), region_code: region('地区'), level: choice('级别', [{ value: 1, label: '高', tone: 'success' }]) }

test('fields stand in the order of the definition, names beside ids are no fields', () => {
  const after = { extra: 1, region_code: '32', region_name: '江苏省', name: 'b', shop_id: 3, shop_name: '南门店' }
  expect(changedFields(fields, { name: 'a' }, after).map(({ key, label }) => [key, label])).toEqual([
    ['name', '名称'], ['shop_id', '门店'], ['region_code', '地区'], ['extra', 'extra'],
  ])
  expect(changedFields({}, null, { rows: 5, shop_name: 'x' }).map(({ label }) => label)).toEqual(['条数', 'shop_name'])
  expect(changedFields(fields, null, null)).toEqual([])
  expect(changedFields({}, { modules: [1], scopes: {} }, { modules: [1, 2], scopes: {} }).map(({ key }) => key)).toEqual(['modules'])
})

test('a field travels as data and loses nothing that showing it needs', () => {
  const words = JSON.parse(JSON.stringify(fieldWords(fields.level))) as unknown
  expect(words).toEqual({ kind: 'choice', label: '级别', choices: [{ value: 1, label: '高', tone: 'success' }] })
  expect(Object.keys(fieldWords(fields.shop_id))).toEqual(['kind', 'label'])
})

test('a list says what it gained and lost', () => {
  expect(listDifference([1, 2, 3], [2, 3, 4])).toEqual({ added: [4], removed: [1] })
  expect(listDifference(null, [1])).toEqual({ added: [1], removed: [] })
  expect(listDifference([1], undefined)).toEqual({ added: [], removed: [1] })
})

test('values that nothing describes are readable', () => {
  expect([null, '', [], true, 0, ['a', 2], { a: 1 }].map(plainText)).toEqual(['—', '—', '—', '是', '0', 'a、2', '{"a":1}'])
})
