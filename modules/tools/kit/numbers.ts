import { readNumber, toFen, yuan } from '../../../core/field/number.ts'
import { formatTime, readTime } from '../../../core/field/time.ts'
import { spread } from '../../order/module.ts'
import { amount, cellsOf, linesOf, type Tool } from '../tool.ts'

/** 时间戳转换: both ways, by the clock of Shanghai. */
export const time: Tool = {
  name: 'time', title: '时间戳转换', group: '计算', about: '10 位、13 位时间戳和北京时间互转，一行一个', takes: 'text',
  labels: ['时间戳或时间，每行一个'], sample: { text: '1795599600\n1795599600000\n2026-11-25 20:00' },
  run({ text }) {
    const rows = linesOf(text).map(({ line, text: raw }): (string | number)[] => {
      if (/^\d{10}$|^\d{13}$/.test(raw)) {
        const seconds = raw.length === 13 ? Number(raw) / 1000 : Number(raw)
        return [line, raw, formatTime(Math.floor(seconds)), Math.floor(seconds), Math.round(seconds * 1000)]
      }
      const read = readTime(raw)
      return typeof read === 'number' ? [line, raw, formatTime(read), read, read * 1000] : [line, raw, '不是时间', '', '']
    })
    const wrong = rows.filter(([, , read]) => read === '不是时间').length
    return { summary: `转换 ${amount(rows.length - wrong)} 个${wrong > 0 ? `，${amount(wrong)} 行不是时间` : ''}`, table: { columns: ['行', '原文', '北京时间', '秒', '毫秒'], rows } }
  },
}

/** Value below which a share of sorted numbers lies, between two of them by proportion. */
function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share
  const low = sorted[Math.floor(at)] ?? 0
  return low + ((sorted[Math.ceil(at)] ?? low) - low) * (at - Math.floor(at))
}

/** Bands of a distribution: tenths of the full mark. */
const BANDS = 10

/** 成绩统计: mean, spread, who passes, ranks, and how scores are distributed. */
export const scores: Tool = {
  name: 'scores', title: '成绩统计', group: '计算', about: '平均分、标准差、及格率、优秀率、名次和分数段分布', takes: 'text', personal: true,
  labels: ['姓名 分数，每行一个，也可以只有分数'], sample: { text: '林小满 92\n周一航 78\n陈思源 85\n许诺 56\n郑朗 78\n沈佳 缺考' },
  options: [{ key: 'full', label: '满分', as: 'number', min: 1, max: 1000, initial: 100 }, { key: 'pass', label: '及格线', as: 'number', min: 0, max: 100, initial: 60, help: '满分的百分之几' }, { key: 'good', label: '优秀线', as: 'number', min: 0, max: 100, initial: 85, help: '满分的百分之几' }],
  run({ text, options }) {
    const [full, pass, good] = [Number(options['full']), Number(options['pass']), Number(options['good'])]
    const problems: string[] = []
    const people = linesOf(text).flatMap(({ line, text: raw }) => {
      const [, name, mark] = /^(.*?)[\s,，]*(-?\d+(?:\.\d+)?)$/.exec(raw) ?? []
      const score = Number(mark)
      if (mark === undefined) problems.push(`第 ${line} 行「${raw.slice(0, 20)}」没有分数，不计入`)
      else if (score < 0 || score > full) problems.push(`第 ${line} 行 ${mark} 分不在 0 到 ${full} 之间，不计入`)
      else return [{ name: name || `第 ${line} 行`, score }]
      return []
    })
    if (people.length === 0) throw new Error('没有可以统计的分数')
    const sorted = people.map(({ score }) => score).sort((a, b) => a - b)
    const mean = sorted.reduce((sum, score) => sum + score, 0) / sorted.length
    const deviation = Math.sqrt(sorted.reduce((sum, score) => sum + (score - mean) ** 2, 0) / sorted.length)
    const share = (line: number) => `${((sorted.filter((score) => score >= (full * line) / 100).length / sorted.length) * 100).toFixed(1)}%`
    const width = full / BANDS
    const bars = Array.from({ length: BANDS }, (_, band) => ({ label: `${Math.round(band * width)}–${Math.round((band + 1) * width)}`, value: sorted.filter((score) => Math.min(BANDS - 1, Math.floor(score / width)) === band).length }))
    const ranked = [...people].sort((a, b) => b.score - a.score)
    return {
      summary: `${amount(people.length)} 人，平均 ${mean.toFixed(1)}，中位数 ${quantile(sorted, 0.5).toFixed(1)}，标准差 ${deviation.toFixed(1)}，最高 ${sorted.at(-1)}，最低 ${sorted[0]}，及格率 ${share(pass)}，优秀率 ${share(good)}`, problems, bars,
      table: { columns: ['名次', '姓名', '分数', '标准分'], rows: ranked.map(({ name, score }) => [1 + ranked.filter((other) => other.score > score).length, name, score, deviation === 0 ? 0 : Math.round(((score - mean) / deviation) * 100) / 100]) },
    }
  },
}

/** 价格分摊: what each line costs after a discount, to the fen, as orders do it. */
export const price: Tool = {
  name: 'price', title: '优惠分摊', group: '计算', about: '整单打折、减钱或一口价，分到每一行，合计一分不差，和订单的算法相同', takes: 'text',
  labels: ['名称 单价（元） 数量，每行一个'], sample: { text: '数学一年课 2999 1\n物理一年课 1999 1\n练习册 29.9 3' },
  options: [{ key: 'mode', label: '优惠方式', as: 'choice', initial: 'off', choices: [{ value: 'off', label: '打几折' }, { value: 'less', label: '减多少元' }, { value: 'sum', label: '一口价（元）' }] }, { key: 'value', label: '数值', as: 'number', min: 0, max: 10_000_000, digits: 2, initial: 8.5, help: '八五折填 8.5' }],
  run({ text, options }) {
    const problems: string[] = []
    const lines = linesOf(text).flatMap(({ line, text: raw }) => {
      const [, name = '', ...cells] = /^(.*?)[\s,，]+[¥￥]?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s*元?(?:[\s,，x×*]+(\d+))?$/.exec(raw) ?? ['', ...cellsOf(raw)]
      const [each, qty = 1] = [readNumber(cells[0] ?? ''), cells[1] === undefined || cells[1] === '' ? 1 : Number(cells[1])]
      const fen = typeof each === 'number' ? toFen(each) : Number.NaN
      if (!Number.isInteger(fen) || fen < 0 || !Number.isInteger(qty) || qty < 1) { problems.push(`第 ${line} 行「${raw.slice(0, 20)}」读不出单价和数量，不计入`); return [] }
      return [{ name, fen, qty, sum: fen * qty }]
    })
    if (lines.length === 0) throw new Error('没有可以计算的行')
    const whole = lines.reduce((sum, line) => sum + line.sum, 0)
    const value = Number(options['value'])
    if (options['mode'] === 'off' && value > 10) throw new Error('折扣在 0 到 10 之间，八五折填 8.5')
    const due = options['mode'] === 'off' ? Math.round((whole * value) / 10) : options['mode'] === 'less' ? whole - Math.round(value * 100) : Math.round(value * 100)
    if (due < 0 || due > whole) throw new Error(`优惠后应在 0 到 ${yuan(whole)} 元之间`)
    const parts = spread(due, lines.map(({ sum }) => sum))
    return {
      summary: `原价 ${yuan(whole)} 元，优惠 ${yuan(whole - due)} 元，应付 ${yuan(due)} 元，合 ${whole === 0 ? '0' : ((due / whole) * 10).toFixed(2)} 折`, problems,
      table: { columns: ['名称', '单价', '数量', '原价', '优惠', '应付'], rows: [...lines.map(({ name, fen, qty, sum }, at) => [name, yuan(fen), qty, yuan(sum), yuan(sum - (parts[at] ?? 0)), yuan(parts[at] ?? 0)]), ['合计', '', lines.reduce((n, { qty }) => n + qty, 0), yuan(whole), yuan(whole - due), yuan(due)]] },
    }
  },
}
