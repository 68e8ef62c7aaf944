import { expect, test } from 'vitest'
import { meant, tellApart } from './typed.ts'

test('pasted lines are told apart, whatever width, blanks and hyphens they have', () => {
  const lines = tellApart(['１３８ ００１３ ８０００', '', 'dy-t10-0001', '20261125 80000001', 'DYT100001', '我不是号码', 'ab'])
  expect(lines.map(({ row, text, kinds, sameAs }) => [row, text, kinds, sameAs])).toEqual([
    [1, '13800138000', ['mobile'], undefined], [3, 'DYT100001', ['sn'], undefined], [4, '2026112580000001', ['order', 'sn'], undefined], [5, 'DYT100001', [], 3], [6, '我不是号码', [], undefined], [7, 'AB', [], undefined],
  ])
  expect(lines.slice(4).map(({ problem }) => problem)).toEqual(['第 6 行过短，无法识别', '第 7 行过短，无法识别'])
})

test('what is taken for something else on paper is tried too', () => {
  expect(meant('DYTI0O')).toContain('DYT100')
  expect(meant('13800138000')).toEqual(['138OO138OOO'])
})
