import type { AnyField, FieldKind } from '../field/any-field.ts'
import { checkValue } from '../field/check.ts'

/** A record's id that no record has. */
export const NO_ID = 999_999_999_999

const NO_FILE = '/daoyuan/api/end/files/00000000-0000-4000-8000-000000000000'
const notText = [12_345, true, { a: 1 }, ['a']]
const notTime = ['昨天', true, {}, 1.5, 99_999_999_999, -99_999_999_999]
const tooLong = (field: AnyField): unknown[] => ['长'.repeat('max' in field ? field.max + 1 : 100_000), ...notText]
const outOfRange = (field: AnyField): unknown[] =>
  ['许多', true, {}, [1], ...('min' in field ? [field.min - 1, field.max + 1, 1e300] : []), ...(field.column === 'numeric' ? [] : [field.required ? 1.5 : 2.5])]
const notReference = ['某某', true, {}, 0, -1, 1.5, 2 ** 60, NO_ID]

/** Values that a field must refuse, by kind. */
const wrong: Record<FieldKind, (field: AnyField) => unknown[]> = {
  text: tooLong,
  long_text: tooLong,
  number: outOfRange,
  sort_order: outOfRange,
  money: outOfRange,
  choice: () => ['没有这一项', 987_654, {}, [1], true],
  multi_choice: () => ['没有这一项', ['没有这一项'], [987_654], [{}], { a: 1 }],
  toggle: () => [2, -1, '1', true, {}],
  date: () => notTime,
  time: () => notTime,
  time_range: () => ['25:00-26:00', '08:00', '22:00-08:00', '八点到十点', 8, {}],
  mobile: () => ['123', '12800000000', '1380013800a', '138001380001', 13_800_138_000, {}],
  person_name: (field) => [...tooLong(field), '王*明', '王＊明'],
  region: () => ['某省', '3', '320', '32010', '3201021', 32, {}],
  json: (field) => ['文字', 1, true, {}, [null], [{}], ['x']].filter((value) => 'message' in checkValue(field, value)),
  tags: (field) => ['一个', ['长'.repeat('longest' in field ? field.longest + 1 : 100)], Array.from({ length: 21 }, (_, i) => `标签${i}`), [1], [' '], { a: 1 }],
  reference: () => notReference,
  tree_reference: () => notReference,
  reference_list: () => [1, ['某某'], [0], [1.5], [NO_ID], [[1]], { a: 1 }],
  image: () => ['https://example.com/a.png', NO_FILE, `${NO_FILE}/../1`, 1, {}],
  video: () => ['https://example.com/a.mp4', NO_FILE, 1, {}],
  images: (field) => [NO_FILE, [NO_FILE], ['https://example.com/a.png'], [1], {}, Array.from({ length: 'most' in field ? field.most + 1 : 1 }, (_, i) => `${NO_FILE.slice(0, -2)}${10 + i}`)],
  file: () => ['https://example.com/a.pdf', NO_FILE, `${NO_FILE}?x=1`, 1, {}],
  computed: () => [],
  segment: () => [],
  rich_text: (field) => [
    '<b>文字</b>', 1, true, {}, [1], { t: 'doc', v: 2, c: [] }, { t: 'doc', v: 1, c: [{ t: 'script', c: ['alert(1)'] }] }, { t: 'doc', v: 1, c: [{ t: 'image', asset: 'https://example.com/a.png' }] },
    { t: 'doc', v: 1, c: [{ t: 'image', asset: NO_FILE }] }, { t: 'doc', v: 1, c: [{ t: 'p', c: ['长'.repeat('max' in field ? field.max + 1 : 100_000)] }] },
  ],
  group: (field) => ['一行', 1, true, {}, [1], ['x'], [null], 'fields' in field ? Array.from({ length: 600 }, () => Object.fromEntries(Object.keys(field.fields).map((key) => [key, '长'.repeat(200)]))) : []],
}

/** Values that a field must refuse: of the wrong type, too long, out of range, not offered, not there. */
export function wrongValues(field: AnyField): unknown[] {
  return wrong[field.kind](field)
}
