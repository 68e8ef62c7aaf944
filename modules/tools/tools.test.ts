import fc from 'fast-check'
import { expect, test } from 'vitest'
import { KEPT, readRuns, withRun, type Run } from './history.ts'
import { readIdentity, seeded } from './kit/people.ts'
import { edits } from './kit/teaching.ts'
import { optionsOf, type ToolInput } from './tool.ts'
import { runTool, toolOf, TOOLS } from './tools.ts'

const run = (name: string, given: Partial<ToolInput>) => runTool(name, { text: '', other: '', table: [], options: {}, ...given })
const rows = (name: string, given: Partial<ToolInput>) => run(name, given).table?.rows ?? []

test('each tool works on its own example, says so in a sentence, and says what it lacks', () => {
  expect(TOOLS).toHaveLength(12)
  expect(new Set(TOOLS.map(({ name }) => name)).size).toBe(12)
  for (const { name, sample } of TOOLS) {
    const answer = run(name, sample)
    expect(answer.summary, name).toMatch(/[\u4e00-\u9fff]/)
    expect(answer.text ?? answer.table ?? answer.pictures, name).toBeDefined()
    expect(() => run(name, {}), name).toThrow(/[\u4e00-\u9fff]/)
  }
  expect(() => run('mobiles', { text: 'x'.repeat(2_000_001) })).toThrow('内容太长')
})

test('mobile numbers: one of each, whatever the writing; what is none is said', () => {
  const { text, table } = run('mobiles', { text: '138 0013 8000\n+86-13900139000\n１３８００１３８０００\n1380013800\n12345678901\n张三 13700137000，李四 13600136000\n没有号码' })
  expect(text).toBe('13800138000\n13900139000\n13700137000\n13600136000')
  expect(table?.rows).toEqual([[3, '１３８００１３８０００', '与第 1 行重复'], [4, '1380013800', '10 位，应为 11 位'], [5, '12345678901', '号段不存在'], [7, '没有号码', '不是手机号']])
  expect(run('mobiles', { text: '13900139000\n13800138000', options: { order: 'asc', join: ',' } }).text).toBe('13800138000,13900139000')
})

test('two lists: each line stands in one place', () => {
  expect(rows('compare', { text: 'a\nB\nb', other: 'b\nc' })).toEqual([['只在甲', 'a', ''], ['只在乙', '', 'c'], ['都有', 'B', 'b']])
  expect(run('compare', { text: '张三 138 0013 8000\n无号', other: '13800138000', options: { by: 'mobile' } })).toMatchObject({ summary: '只在甲 0，只在乙 0，两边都有 1', problems: ['名单甲有 1 行没有手机号，没有参加对比'] })
  const word = fc.stringMatching(/^[a-z]{1,3}$/)
  fc.assert(fc.property(fc.array(word), fc.array(word), (one, two) => {
    fc.pre(one.length + two.length > 0)
    const found = rows('compare', { text: one.join('\n'), other: two.join('\n') })
    expect(found.length).toBe(new Set([...one, ...two]).size)
  }))
})

test('identity numbers: check digit, day and region; a wrong digit anywhere is found', () => {
  expect(readIdentity('11010519491231002x', '20261125')).toEqual({ province: '北京', birth: '1949-12-31', gender: '女', age: 76 })
  expect(readIdentity('110105194912310021', '20261125')).toEqual({ problem: '校验位不对，有数字抄错' })
  expect(readIdentity('990105194912310021', '20261125')).toEqual({ problem: '地区码 99 不存在' })
  expect(readIdentity('110105194902300021', '20261125')).toEqual({ problem: '出生日期不存在' })
  expect(readIdentity('11010519491231', '20261125')).toMatchObject({ problem: expect.stringContaining('14 位') })
  fc.assert(fc.property(fc.integer({ min: 0, max: 16 }), fc.integer({ min: 1, max: 9 }), (at, by) => {
    const number = [...'11010519491231002X']
    number[at] = String((Number(number[at]) + by) % 10)
    expect(readIdentity(number.join(''), '20261125')).toHaveProperty('problem')
  }))
  // The answer does not repeat the numbers.
  expect(JSON.stringify(run('identity', { text: '11010519491231002X' }))).not.toContain('11010519491231002X')
})

test('groups: everybody once, sizes differ by one at most, the same seed the same groups', () => {
  fc.assert(fc.property(fc.integer({ min: 2, max: 9 }), fc.integer({ min: 0, max: 60 }), fc.nat(999), (count, more, seed) => {
    const names = Array.from({ length: count + more }, (_, at) => `人${String.fromCharCode(0x4e00 + at)}`)
    const made = rows('groups', { text: names.join('\n'), options: { count, seed } })
    expect(made.map(([, name]) => name).toSorted()).toEqual(names.toSorted())
    const sizes = [...Map.groupBy(made, ([group]) => group).values()].map(({ length }) => length)
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
    expect(rows('groups', { text: names.join('\n'), options: { count, seed } })).toEqual(made)
  }))
  const { bars } = run('groups', { text: '甲 100\n乙 60\n丙 90\n丁 70', options: { count: 2 } })
  expect(bars?.map(({ value }) => value)).toEqual([80, 80])
  expect(() => run('groups', { text: '甲', options: { count: 2 } })).toThrow('只有 1 人')
  expect(seeded(7)()).toBe(seeded(7)())
})

test('columns are split, joined and kept by heading, letter or number', () => {
  const table = [['姓名', '地址', '年级'], ['林', '江苏-苏州', '8'], ['周', '四川', '9']]
  expect(run('columns', { table, options: { mode: 'split', which: '地址', by: '-' } }).table).toEqual({ columns: ['姓名', '地址1', '地址2', '年级'], rows: [['林', '江苏', '苏州', '8'], ['周', '四川', '', '9']] })
  expect(run('columns', { table, options: { mode: 'join', which: 'A,3', by: '空格' } }).table).toEqual({ columns: ['姓名 年级', '地址'], rows: [['林 8', '江苏-苏州'], ['周 9', '四川']] })
  expect(run('columns', { table, options: { mode: 'keep', which: '3 1', by: '' } }).table?.rows).toEqual([['8', '林'], ['9', '周']])
  expect(() => run('columns', { table, options: { which: '学校' } })).toThrow('没有「学校」这一列')
})

test('codes: one picture a line, names told apart, and no markup out of a name', () => {
  const { pictures } = run('qr', { text: '甲\thttps://a.example\n甲\thttps://b.example\n<b>&\thttps://c.example' })
  expect(pictures?.map(({ name }) => name)).toEqual(['甲', '甲-2', '<b>&'])
  expect(pictures?.[2]?.svg).not.toContain('<b>')
  expect(run('qr', { text: `长\t${'x'.repeat(2000)}` }).problems).toEqual(['第 1 行太长，放不进一个二维码'])
})

test('questions are cleaned outside of formulas, formulas are brought into one spelling and checked', () => {
  const { text, problems } = run('clean', { text: '１．已知函数$y＝2x＋1$,求ｘ的值.\n\n\n\n(Ａ)１　(Ｂ)２\n２、若\\(\\frac{1}{2}\\)与$\\sqrt{2$相等(如图)' })
  expect(text).toContain('1. 已知函数$y=2x+1$')
  expect(text).toContain('求x的值。')
  expect(text).toContain('A. 1')
  expect(text).toContain('2. 若$\\frac{1}{2}$')
  expect(text).not.toMatch(/\n{3}/)
  expect(problems).toHaveLength(1)
  // What is clean stays as it is.
  const once = run('clean', { text: '1. 若 $x>0$，则（　　）' }).text ?? ''
  expect(run('clean', { text: once }).text).toBe(once)
})

test('a comparison of texts leads from one to the other', () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 })
  fc.assert(fc.property(words, words, (one, two) => {
    const found = edits(one, two)
    expect(found.filter(([kind]) => kind !== 'new').map(([, line]) => line)).toEqual(one)
    expect(found.filter(([kind]) => kind !== 'gone').map(([, line]) => line)).toEqual(two)
  }))
  expect(run('diff', { text: 'a\nb', other: 'a\nb' }).summary).toBe('两边相同')
})

test('scores: mean, spread, rates and ranks; who has none is said and not counted', () => {
  const { summary, problems, table, bars } = run('scores', { text: '林 90\n周 60\n陈 90\n许 40\n沈 缺考\n错 120' })
  expect(summary).toBe('4 人，平均 70.0，中位数 75.0，标准差 21.2，最高 90，最低 40，及格率 75.0%，优秀率 50.0%')
  expect(problems).toHaveLength(2)
  expect(table?.rows.map(([rank, name]) => [rank, name])).toEqual([[1, '林'], [1, '陈'], [3, '周'], [4, '许']])
  expect(bars?.reduce((sum, { value }) => sum + value, 0)).toBe(4)
})

test('a discount is spread to the fen, as orders do it', () => {
  const found = rows('price', { text: '甲 10 1\n乙 10 1\n丙 10 1', options: { mode: 'sum', value: 20 } })
  expect(found.slice(0, 3).map((row) => row[5])).toEqual(['6.67', '6.67', '6.66'])
  expect(found.at(-1)?.[5]).toBe('20.00')
  expect(run('price', { text: '数学一年课 2,999.00元 x2', options: { mode: 'off', value: 8.5 } }).summary).toContain('应付 5,098.30 元')
  expect(() => run('price', { text: '甲 10', options: { mode: 'less', value: 11 } })).toThrow('优惠后应在 0 到 10.00 元之间')
  fc.assert(fc.property(fc.array(fc.integer({ min: 0, max: 500_000 }), { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 999 }), (fen, off) => {
    const answer = rows('price', { text: fen.map((one, at) => `品${at}号 ${(one / 100).toFixed(2)} 1`).join('\n'), options: { mode: 'off', value: off / 100 } })
    const cents = (cell: unknown) => Math.round(Number(String(cell).replaceAll(',', '')) * 100)
    expect(answer.slice(0, -1).reduce((sum, row) => sum + cents(row[5]), 0)).toBe(cents(answer.at(-1)?.[5]))
  }))
})

test('moments and sounds', () => {
  expect(rows('time', { text: '1795599600\n1795599600000\n2026-11-25 20:00\n昨天' })).toEqual([[1, '1795599600', '2026-11-25 19:00:00', 1_795_604_400 - 4800, 1_795_599_600_000].map((cell, at) => (at === 2 ? expect.stringContaining('2026-11') : cell)), [2, '1795599600000', expect.stringContaining('2026-11'), 1_795_599_600, 1_795_599_600_000], [3, '2026-11-25 20:00', expect.stringContaining('2026-11-25 20:00'), 1_795_608_000, 1_795_608_000_000], [4, '昨天', '不是时间', '', '']])
  expect(run('pinyin', { text: '银行\n重庆' }).text).toBe('yín háng\nchóng qìng')
  expect(run('pinyin', { text: '重庆', options: { first: true } }).text).toBe('cq')
})

test('the last twenty runs are kept, without data of people and without what is long', () => {
  const input: ToolInput = { text: '13800138000', other: '', table: [], options: { order: 'asc' } }
  let runs: Run[] = []
  for (let at = 0; at < 25; at++) runs = withRun(runs, toolOf('time'), { ...input, text: String(at) }, '转换 1 个', at)
  expect(runs).toHaveLength(KEPT.runs)
  expect(runs[0]?.input?.text).toBe('24')
  expect(withRun([], toolOf('mobiles'), input, '得到 1 个', 1)).toEqual([{ tool: 'mobiles', at: 1, summary: '得到 1 个', options: { order: 'asc' } }])
  expect(withRun([], toolOf('diff'), { ...input, text: 'x'.repeat(KEPT.letters + 1) }, '长', 1)[0]?.input).toBeUndefined()
  expect(readRuns(JSON.stringify(runs))).toEqual(runs)
  expect(readRuns('{"a"')).toEqual([])
  expect(readRuns('[{"tool":1},null]')).toEqual([])
})

test('what was chosen is of its kind, or its initial value', () => {
  expect(optionsOf(toolOf('groups'), { count: '9', seed: 5, other: 1 })).toEqual({ count: 2, seed: 5 })
})
