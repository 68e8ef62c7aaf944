import { pinyin as toPinyin } from 'pinyin-pro'
import { INVISIBLE } from '../../../core/field/field.ts'
import { compileTex, texErrorText } from '../../../core/rich-text/tex-compile.ts'
import { normaliseTex, splitMath } from '../../../core/rich-text/tex.ts'
import { amount, linesOf, type Tool } from '../tool.ts'

const HAN = '[\\u3400-\\u9fff]'

/** Text outside of formulas in one spelling: what cannot be seen goes, letters and digits are half width, Chinese points stand behind Chinese words. */
export function cleanProse(text: string, { points, blanks }: { points: boolean; blanks: boolean }): string {
  let clean = text.replace(INVISIBLE, '').replace(/[\uFF10-\uFF19\uFF21-\uFF3A\uFF41-\uFF5A]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0)).replace(/[\u3000\u00A0]/g, ' ')
  if (points) {
    const behind = (sign: string, point: string) => { clean = clean.replace(new RegExp(`(${HAN})\\s*\\${sign}\\s*`, 'g'), `$1${point}`) }
    behind(',', '，')
    behind(';', '；')
    behind(':', '：')
    behind('?', '？')
    behind('!', '！')
    clean = clean.replace(new RegExp(`(${HAN})\\.(?=\\s|$|${HAN})`, 'g'), '$1。').replace(new RegExp(`\\((?=[^()]*${HAN})([^()]*)\\)`, 'g'), '（$1）')
  }
  if (blanks) clean = clean.replace(/[ \t]+$/gm, '').replace(new RegExp(`(${HAN}) +(?=${HAN})`, 'g'), '$1').replace(/[ \t]{2,}/g, ' ').replace(/\n{3,}/g, '\n\n')
  // Numbers of questions and letters of options, however they were typed.
  return clean.replace(/^\s*(?:第\s*)?(\d{1,3})\s*[.．、)）题]\s*/gm, '$1. ').replace(/^\s*[(（]?([A-H])[)）.．、]\s*/gm, '$1. ')
}

/** 题目文本清洗: text of questions as the bank wants it; formulas in one spelling, and those that cannot be read said. */
export const clean: Tool = {
  name: 'clean', title: '题目文本清洗', group: '教研', about: 'Word 和 PDF 里粘出来的题目：全角半角、标点、空行、题号选项、LaTeX 一次理顺', takes: 'text',
  labels: ['题目文本'], sample: { text: '１．已知函数$y＝2x＋1$,求ｘ的值.\n\n\n\n(Ａ)１　(Ｂ)２\n２、若\\(\\frac{1}{2}\\)与$\\sqrt{2$相等' },
  options: [{ key: 'points', label: '中文标点', as: 'toggle', initial: true }, { key: 'blanks', label: '整理空白', as: 'toggle', initial: true }, { key: 'dollars', label: '公式写法', as: 'choice', initial: '$', choices: [{ value: '$', label: '$…$' }, { value: '\\(', label: '\\(…\\)' }] }],
  run({ text, options }) {
    const { pieces, unmatched } = splitMath(text.replace(/\r\n?/g, '\n'))
    const dollars = options['dollars'] === '$'
    const problems = unmatched.map((at) => `第 ${text.slice(0, at).split('\n').length} 行有没配对的公式符号`)
    let formulas = 0
    const joined = pieces.map((piece) => {
      if (!('tex' in piece)) return cleanProse(piece.text, { points: options['points'] === true, blanks: options['blanks'] === true })
      formulas++
      const tex = normaliseTex(piece.tex)
      const error = compileTex(tex)
      if (error) problems.push(`公式「${tex.slice(0, 30)}」：${texErrorText(error)}`)
      return piece.display ? `$$${tex}$$` : dollars ? `$${tex}$` : `\\(${tex}\\)`
    }).join('')
    const result = joined.trim()
    return { summary: `${amount(linesOf(result).length)} 行，${amount(formulas)} 个公式，${problems.length === 0 ? '都能显示' : `${amount(problems.length)} 处要改`}`, problems, text: result }
  },
}

type Edit = readonly ['same' | 'gone' | 'new', string]

/** What of one list became of the other: the longest common part stays. */
export function edits(before: readonly string[], after: readonly string[]): Edit[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  while (end < before.length - start && end < after.length - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  const [a, b] = [before.slice(start, before.length - end), after.slice(start, after.length - end)]
  const longest = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1))
  const at = (i: number, j: number) => longest[i]?.[j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) for (let j = b.length - 1; j >= 0; j--) { const row = longest[i]; if (row) row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1)) }
  const middle: Edit[] = []
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    if (i < a.length && j < b.length && a[i] === b[j]) { middle.push(['same', a[i] ?? '']); i++; j++ } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) middle.push(['gone', a[i++] ?? ''])
    else middle.push(['new', b[j++] ?? ''])
  }
  return [...before.slice(0, start).map((line): Edit => ['same', line]), ...middle, ...before.slice(before.length - end).map((line): Edit => ['same', line])]
}

/** Lines that the comparison of two texts takes: it grows with their product. */
const MOST_COMPARED = 3000

/** 文本对比: line by line. */
export const diff: Tool = {
  name: 'diff', title: '文本对比', group: '教研', about: '两版文字逐行对比，改了什么、加了什么、少了什么', takes: 'two',
  labels: ['原来的', '现在的'], sample: { text: '第一步 去分母\n第二步 去括号\n第三步 移项', other: '第一步 去分母\n第二步 去括号，注意符号\n第三步 移项\n第四步 检验' },
  options: [{ key: 'blank', label: '忽略空白', as: 'toggle', initial: true }],
  run({ text, other, options }) {
    const read = (from: string) => linesOf(from).map(({ text: line }) => (options['blank'] === true ? line.replace(/\s+/g, ' ') : line))
    const [before, after] = [read(text), read(other)]
    if (before.length > MOST_COMPARED || after.length > MOST_COMPARED) throw new Error(`一次最多对比 ${amount(MOST_COMPARED)} 行`)
    const found = edits(before, after)
    const count = (kind: Edit[0]) => found.filter(([one]) => one === kind).length
    const words = { same: '', gone: '删去', new: '新增' } as const
    return { summary: count('gone') + count('new') === 0 ? '两边相同' : `删去 ${amount(count('gone'))} 行，新增 ${amount(count('new'))} 行，${amount(count('same'))} 行相同`, table: { columns: ['变化', '内容'], rows: found.map(([kind, line]) => [words[kind], line]) } }
  },
}

/** 拼音标注: of names, words and poems. */
export const pinyin: Tool = {
  name: 'pinyin', title: '拼音标注', group: '教研', about: '按词注音，多音字看上下文；也可只要首字母或数字声调', takes: 'text',
  labels: ['汉字，每行一条'], sample: { text: '银行行长\n重庆\n春眠不觉晓' },
  options: [{ key: 'tone', label: '声调', as: 'choice', initial: 'symbol', choices: [{ value: 'symbol', label: 'āáǎà' }, { value: 'num', label: '数字' }, { value: 'none', label: '不要' }] }, { key: 'first', label: '只要首字母', as: 'toggle', initial: false }],
  run({ text, options }) {
    const rows = linesOf(text).map(({ text: line }) => [line, toPinyin(line, options['first'] === true ? { pattern: 'first', toneType: 'none', separator: '' } : { toneType: options['tone'] as 'symbol' | 'num' | 'none' })])
    return { summary: `注音 ${amount(rows.length)} 条`, text: rows.map(([, sound]) => sound).join('\n'), table: { columns: ['文字', '拼音'], rows } }
  },
}
