import { create } from 'qrcode'
import { amount, cellsOf, linesOf, type Tool } from '../tool.ts'

/** Places of columns as people name them: a heading, a letter, a number. @throws Error that names what is no column */
export function columnsOf(words: string, head: readonly string[]): number[] {
  return words.split(/[,，、\s]+/).filter(Boolean).map((word) => {
    const named = head.findIndex((cell) => cell.trim() === word)
    const place = named >= 0 ? named : /^[A-Za-z]$/.test(word) ? word.toUpperCase().charCodeAt(0) - 65 : /^\d+$/.test(word) ? Number(word) - 1 : -1
    if (place < 0 || place >= head.length) throw new Error(`没有「${word}」这一列，可以写表头、列号或字母`)
    return place
  })
}

/** 列拆分与合并. */
export const columns: Tool = {
  name: 'columns', title: '列拆分与合并', group: '表格', about: '一列拆成几列、几列合成一列、只留要的列，列可以写表头、列号或字母', takes: 'table',
  labels: ['表格，从 Excel 复制或拖入文件'],
  sample: { table: [['姓名', '地址'], ['林小满', '江苏-苏州-吴中区'], ['周一航', '四川-成都-锦江区']] },
  options: [
    { key: 'mode', label: '做什么', as: 'choice', initial: 'split', choices: [{ value: 'split', label: '拆分一列' }, { value: 'join', label: '合并几列' }, { value: 'keep', label: '只留几列' }] },
    { key: 'which', label: '哪几列', as: 'text', max: 200, initial: '2' }, { key: 'by', label: '分隔符', as: 'text', max: 10, initial: '-', help: '拆分按它拆，合并用它连接；空格写“空格”' },
  ],
  run({ table, options }) {
    const [head = [], ...body] = table
    if (head.length === 0) throw new Error('先粘贴表格或拖入文件')
    const which = columnsOf(String(options['which']), head)
    if (which.length === 0) throw new Error('请填写要处理的列')
    const by = options['by'] === '空格' ? ' ' : String(options['by'])
    if (options['mode'] === 'keep') return { summary: `保留 ${which.length} 列，${amount(body.length)} 行`, table: { columns: which.map((at) => head[at] ?? ''), rows: body.map((row) => which.map((at) => row[at] ?? '')) } }
    if (options['mode'] === 'join') {
      const first = Math.min(...which)
      const kept = head.map((_, at) => at).filter((at) => !which.includes(at) || at === first)
      return { summary: `${which.length} 列合并为一列，${amount(body.length)} 行`, table: { columns: kept.map((at) => (at === first ? which.map((one) => head[one] ?? '').join(by) : head[at] ?? '')), rows: body.map((row) => kept.map((at) => (at === first ? which.map((one) => row[one] ?? '').filter((cell) => cell !== '').join(by) : row[at] ?? ''))) } }
    }
    if (by === '') throw new Error('请填写分隔符')
    const [at = 0] = which
    const parts = body.map((row) => (row[at] ?? '').split(by).map((cell) => cell.trim()))
    const width = Math.max(1, ...parts.map(({ length }) => length))
    const uneven = parts.filter(({ length }) => length !== width).length
    const spread = <Cell>(cells: readonly Cell[], instead: readonly Cell[]) => [...cells.slice(0, at), ...instead, ...cells.slice(at + 1)]
    return {
      summary: `「${head[at] ?? ''}」拆成 ${width} 列，${amount(body.length)} 行`, ...(uneven > 0 && { problems: [`${amount(uneven)} 行拆出的列数较少，缺的留空`] }),
      table: { columns: spread(head, Array.from({ length: width }, (_, nth) => `${head[at] ?? ''}${nth + 1}`)), rows: body.map((row, nth) => spread(head.map((_, place) => row[place] ?? ''), Array.from({ length: width }, (_, part) => parts[nth]?.[part] ?? ''))) },
    }
  },
}

/** A QR code as a picture, with its name below. */
export function qrPicture(text: string, name: string): string {
  const { modules } = create(text, { errorCorrectionLevel: 'Q' })
  const side = modules.size + 8
  let path = ''
  for (let y = 0; y < modules.size; y++) for (let x = 0; x < modules.size; x++) if (modules.get(y, x)) path += `M${x + 4} ${y + 4}h1v1h-1z`
  const words = name.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side + 5}"><rect width="100%" height="100%" fill="#fff"/><path d="${path}"/><text x="${side / 2}" y="${side + 2}" font-size="3.2" text-anchor="middle" font-family="sans-serif">${words}</text></svg>`
}

/** Pictures that are made at once. */
const MOST_CODES = 500

/** 批量二维码. */
export const qr: Tool = {
  name: 'qr', title: '批量二维码', group: '表格', about: '每行一个二维码，打包成 SVG 下载；书上的码请用电子书管理，扫码可统计', takes: 'text',
  labels: ['每行：名称 内容，只写内容则以内容为名'], sample: { text: '报名入口\thttps://www.example.com/join\n家长群\thttps://www.example.com/group' },
  run({ text }) {
    const lines = linesOf(text)
    if (lines.length > MOST_CODES) throw new Error(`一次最多 ${MOST_CODES} 个，现在有 ${amount(lines.length)} 个`)
    const problems: string[] = []
    const used = new Map<string, number>()
    const pictures = lines.flatMap(({ line, text: raw }) => {
      const [, name, content] = raw.includes('\t') ? ['', ...cellsOf(raw)] : /^(\S+)\s+(\S.*)$/.exec(raw) ?? ['', raw, raw]
      const value = content ?? name ?? ''
      // What a code of this quality holds at most, in bytes.
      if (new TextEncoder().encode(value).length > 1600) { problems.push(`第 ${line} 行太长，放不进一个二维码`); return [] }
      const again = used.get(name ?? '') ?? 0
      used.set(name ?? '', again + 1)
      return [{ name: again > 0 ? `${name ?? ''}-${again + 1}` : name ?? '', svg: qrPicture(value, (name ?? '').slice(0, 16)) }]
    })
    return { summary: `得到 ${amount(pictures.length)} 个二维码`, problems, pictures }
  },
}
