import { foldText } from '../../../core/field/field.ts'
import { MOBILE } from '../../../core/field/mobile.ts'
import { amount, cellsOf, linesOf, type Tool } from '../tool.ts'

/** A mobile number as people write it: blanks, dashes, a country code, full width. */
export const readMobile = (text: string): string => foldText(text).replace(/[\s\-()（）]/g, '').replace(/^(?:\+?86|0086)(?=1\d{10}$)/, '')

/** 手机号整理: one list without repetitions and without what is no number. */
export const mobiles: Tool = {
  name: 'mobiles', title: '手机号整理', group: '名单', about: '去重、校验、统一格式，导入和发码前先过一遍', takes: 'text', personal: true,
  labels: ['手机号，每行一个，也可以整段粘贴'],
  sample: { text: '138 0013 8000\n+86-13900139000\n１３８００１３８０００\n1380013800\n张三 13700137000' },
  options: [{ key: 'order', label: '排序', as: 'choice', initial: 'kept', choices: [{ value: 'kept', label: '原顺序' }, { value: 'asc', label: '从小到大' }] }, { key: 'join', label: '输出', as: 'choice', initial: '\n', choices: [{ value: '\n', label: '每行一个' }, { value: ',', label: '逗号分隔' }] }],
  run({ text, options }) {
    const found = new Map<string, number>()
    const wrong: [number, string, string][] = []
    let again = 0
    for (const { line, text: raw } of linesOf(text)) {
      const whole = readMobile(raw)
      const numbers = MOBILE.test(whole) ? [whole] : foldText(raw).replace(/(\d)[ -](?=\d)/g, '$1').match(/(?<!\d)(?:86)?1[3-9]\d{9}(?!\d)/g)?.map(readMobile) ?? []
      if (numbers.length === 0) wrong.push([line, raw, /^\d+$/.test(whole) ? (whole.length === 11 ? '号段不存在' : `${whole.length} 位，应为 11 位`) : '不是手机号'])
      for (const number of numbers) {
        if (found.has(number)) { again++; wrong.push([line, raw, `与第 ${found.get(number)} 行重复`]) } else found.set(number, line)
      }
    }
    const list = options['order'] === 'asc' ? [...found.keys()].sort() : [...found.keys()]
    return {
      summary: `得到 ${amount(list.length)} 个手机号，去掉重复 ${amount(again)} 个，${amount(wrong.length - again)} 行不是手机号`,
      text: list.join(String(options['join'])), ...(wrong.length > 0 && { table: { columns: ['行', '原文', '问题'], rows: wrong } }),
    }
  },
}

/** 名单对比: who stands in one list alone, and who in both. */
export const compare: Tool = {
  name: 'compare', title: '名单对比', group: '名单', about: '两份名单谁多谁少谁都有，缴费名单对导入名单最常用', takes: 'two', personal: true,
  labels: ['名单甲，每行一个', '名单乙，每行一个'],
  sample: { text: '13800138000\n13900139000\n13700137000', other: '13900139000\n13600136000\n13700137000' },
  options: [{ key: 'by', label: '按什么比', as: 'choice', initial: 'line', choices: [{ value: 'line', label: '整行' }, { value: 'mobile', label: '行里的手机号' }, { value: 'first', label: '第一列' }] }, { key: 'case', label: '区分大小写', as: 'toggle', initial: false }],
  run({ text, other, options }) {
    const keyOf = (line: string) => {
      const key = options['by'] === 'mobile' ? /1[3-9]\d{9}/.exec(readMobile(line))?.[0] ?? '' : options['by'] === 'first' ? foldText(cellsOf(line)[0] ?? '') : foldText(line).replace(/\s+/g, ' ')
      return options['case'] === true ? key : key.toLowerCase()
    }
    const read = (from: string) => {
      const rows = new Map<string, string>()
      let [without, again] = [0, 0]
      for (const { text: line } of linesOf(from)) {
        const key = keyOf(line)
        if (key === '') without++
        else if (rows.has(key)) again++
        else rows.set(key, line)
      }
      return { rows, without, again }
    }
    const [one, two] = [read(text), read(other)]
    const left = [...one.rows].filter(([key]) => !two.rows.has(key))
    const right = [...two.rows].filter(([key]) => !one.rows.has(key))
    const both = [...one.rows].filter(([key]) => two.rows.has(key))
    const problems = ([['甲', one], ['乙', two]] as const).flatMap(([name, { without, again }]) => [...(again > 0 ? [`名单${name}有 ${amount(again)} 行重复，只算一次`] : []), ...(without > 0 ? [`名单${name}有 ${amount(without)} 行没有手机号，没有参加对比`] : [])])
    return {
      summary: `只在甲 ${amount(left.length)}，只在乙 ${amount(right.length)}，两边都有 ${amount(both.length)}`, problems,
      table: { columns: ['在哪里', '甲', '乙'], rows: [...left.map(([, line]) => ['只在甲', line, '']), ...right.map(([, line]) => ['只在乙', '', line]), ...both.map(([key, line]) => ['都有', line, two.rows.get(key) ?? ''])] },
      bars: [{ label: '只在甲', value: left.length }, { label: '只在乙', value: right.length }, { label: '都有', value: both.length }],
    }
  },
}

const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
const CHECKS = '10X98765432'
const PROVINCES: Readonly<Record<string, string>> = {
  11: '北京', 12: '天津', 13: '河北', 14: '山西', 15: '内蒙古', 21: '辽宁', 22: '吉林', 23: '黑龙江', 31: '上海', 32: '江苏', 33: '浙江', 34: '安徽', 35: '福建', 36: '江西', 37: '山东', 41: '河南', 42: '湖北', 43: '湖南',
  44: '广东', 45: '广西', 46: '海南', 50: '重庆', 51: '四川', 52: '贵州', 53: '云南', 54: '西藏', 61: '陕西', 62: '甘肃', 63: '青海', 64: '宁夏', 65: '新疆', 71: '台湾', 81: '香港', 82: '澳门', 83: '台湾',
}

/** What a number of an identity card says, or what is wrong with it (GB 11643-1999). @param today as YYYYMMDD */
export function readIdentity(text: string, today: string): { problem: string } | { province: string; birth: string; gender: '男' | '女'; age: number } {
  const number = foldText(text).replace(/\s/g, '').toUpperCase()
  if (!/^\d{17}[\dX]$/.test(number)) return { problem: /^\d{15}$/.test(number) ? '15 位旧证号，已停用' : `${number.length} 位，应为 18 位数字，末位可为 X` }
  const province = PROVINCES[number.slice(0, 2)]
  if (!province) return { problem: `地区码 ${number.slice(0, 2)} 不存在` }
  const [year, month, day] = [Number(number.slice(6, 10)), Number(number.slice(10, 12)), Number(number.slice(12, 14))]
  const date = new Date(Date.UTC(year, month - 1, day))
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || year < 1900 || number.slice(6, 14) > today) return { problem: '出生日期不存在' }
  const sum = WEIGHTS.reduce((total, weight, at) => total + weight * Number(number[at]), 0)
  const check = CHECKS[sum % 11] ?? ''
  if (number[17] !== check) return { problem: '校验位不对，有数字抄错' }
  const age = Number(today.slice(0, 4)) - year - (today.slice(4) < number.slice(10, 14) ? 1 : 0)
  return { province, birth: `${number.slice(6, 10)}-${number.slice(10, 12)}-${number.slice(12, 14)}`, gender: Number(number[16]) % 2 === 1 ? '男' : '女', age }
}

/** 身份证校验. Numbers stay hidden in the answer. */
export const identity: Tool = {
  name: 'identity', title: '身份证校验', group: '名单', about: '校验身份证号，得到地区、生日、性别和年龄，结果里隐去号码', takes: 'text', personal: true,
  labels: ['身份证号，每行一个'], sample: { text: '11010519491231002X\n440524188001010014\n32050119990230123X' },
  run({ text }) {
    const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10).replaceAll('-', '')
    const rows = linesOf(text).map(({ line, text: raw }) => {
      const read = readIdentity(raw, today)
      const shown = raw.replace(/^(.{4}).*(.{2})$/, '$1**********$2')
      return 'problem' in read ? [line, shown, '', '', '', '', read.problem] : [line, shown, read.province, read.birth, read.gender, read.age, '有效']
    })
    const wrong = rows.filter((row) => row[6] !== '有效').length
    return { summary: `${amount(rows.length)} 个号码，${amount(rows.length - wrong)} 个有效，${amount(wrong)} 个有问题`, table: { columns: ['行', '号码', '地区', '出生日期', '性别', '年龄', '结果'], rows } }
  },
}

/** A generator by its seed, so that a grouping can be made again (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** 随机分组: groups of nearly the same size; with scores groups of nearly the same strength. */
export const groups: Tool = {
  name: 'groups', title: '随机分组', group: '名单', about: '按人数随机分组，有分数时各组水平接近；种子相同，结果相同', takes: 'text', personal: true,
  labels: ['姓名，每行一个；后面可跟分数'], sample: { text: '林小满 92\n周一航 78\n陈思源 85\n许诺 66\n郑朗 71\n沈佳 88' },
  options: [{ key: 'count', label: '分几组', as: 'number', min: 2, max: 100, initial: 2 }, { key: 'seed', label: '种子', as: 'number', min: 0, max: 999_999, initial: 1, help: '换一个数就换一种分法' }],
  run({ text, options }) {
    const people = linesOf(text).map(({ text: line }) => {
      const [, name = line, score] = /^(.*?)[\s,，]+(-?\d+(?:\.\d+)?)$/.exec(line) ?? []
      return { name, score: score === undefined ? undefined : Number(score) }
    })
    const count = Number(options['count'])
    if (people.length < count) throw new Error(`只有 ${people.length} 人，分不成 ${count} 组`)
    const next = seeded(Number(options['seed']))
    for (let at = people.length - 1; at > 0; at--) {
      const other = Math.floor(next() * (at + 1))
      const [a, b] = [people[at], people[other]]
      if (a && b) [people[at], people[other]] = [b, a]
    }
    const scored = people.every(({ score }) => score !== undefined)
    // The best first, there and back again: each round gives every group one.
    if (scored) people.sort((a, b) => (b.score ?? 0) - (a.score ?? 0))
    const made = Array.from({ length: count }, (): typeof people => [])
    for (const [at, person] of people.entries()) {
      const round = Math.floor(at / count)
      const place = at % count
      made[scored && round % 2 === 1 ? count - 1 - place : place]?.push(person)
    }
    const mean = (some: typeof people) => some.reduce((sum, { score }) => sum + (score ?? 0), 0) / some.length
    return {
      summary: `${amount(people.length)} 人分成 ${count} 组，每组 ${Math.floor(people.length / count)}${people.length % count === 0 ? '' : ` 或 ${Math.ceil(people.length / count)}`} 人${scored ? `，组均分 ${made.map((some) => mean(some).toFixed(1)).join('、')}` : ''}`,
      table: { columns: ['组', '姓名', ...(scored ? ['分数'] : [])], rows: made.flatMap((some, group) => some.map(({ name, score }) => [`第 ${group + 1} 组`, name, ...(scored ? [score ?? 0] : [])])) },
      ...(scored && { bars: made.map((some, group) => ({ label: `第 ${group + 1} 组`, value: Math.round(mean(some) * 10) / 10 })) }),
    }
  },
}
