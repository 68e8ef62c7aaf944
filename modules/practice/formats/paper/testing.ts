/** Papers made of known questions, in the layouts that Chinese schools use. */
import fc from 'fast-check'
import { paragraph } from '../../../../core/rich-text/rich-doc.ts'
import type { Token } from '../text/flow.ts'

type Kind = 'choice' | 'many' | 'judge' | 'fill' | 'free' | 'read'

export interface Known {
  kind: Kind
  /** Stands in this question and in no other. */
  word: string
  stem: string
  options: readonly string[]
  key: string
  why: string
  /** Stands in the text that this question is about. */
  about?: string
}

interface KnownSection {
  kind: Kind
  questions: readonly Known[]
}

const NAMES: Readonly<Record<Kind, string>> = { choice: '选择题', many: '多项选择题', judge: '判断题', fill: '填空题', free: '解答题', read: '阅读理解' }
const WORDS = [...'苹果梨桃杏李梅柿橘柚橙蕉莓枣栗桑榆槐柳杨松柏枫桐竹荷菊兰葵蒲苇稻麦粟黍豆麻棉茶瓜葱姜蒜芹菠笋藕']
const CN = [...'一二三四五六七八九十']

type Heading = (index: number, name: string) => string
/** Ways to write the heading of a section. */
const HEADINGS: readonly Heading[] = [
  (n, name) => `${CN[n]}、${name}（本题共3小题，每小题4分，共12分）`, (n, name) => `${CN[n]}、${name}`, (n, name) => `${CN[n]}．${name}：`, (n, name) => `${CN[n]}、${name}：本题共4小题，每小题5分，共20分。请按要求作答。`,
  (n, name) => `（${CN[n]}）${name}`, (n, name) => `第${CN[n]}部分　${name}（共12分）`, (n, name) => `第${CN[n]}大题 ${name}`, (n, name) => `${'ⅠⅡⅢⅣⅤⅥ'[n]}．${name}`, (_, name) => `【${name}】`, (_, name) => `${name}（每小题4分）`, (n, name) => `${CN[n]} ${name}`,
  (n, name) => `　　${CN[n]}、${name}（12分）`, (n, name) => `${CN[n]}、 ${name} (共 12 分)`,
]
/** Ways to begin the answers of one section in an answer part: on a line of their own, or before the first answer. */
const SECTION_ANSWERS: readonly { write: Heading; inline: boolean }[] = [
  { write: (n, name) => `${CN[n]}、${name}`, inline: false }, { write: (n, name) => `${CN[n]}、${name}（12分）`, inline: false }, { write: (n, name) => `${CN[n]}、${name}：`, inline: true }, { write: (n) => `${CN[n]}、`, inline: true },
  { write: (_, name) => `${name}：`, inline: true }, { write: (_, name) => `${name}答案`, inline: false }, { write: (n, name) => `${CN[n]}．${name}答案：`, inline: true }, { write: (_, name) => `【${name}】`, inline: false },
]
const END_TITLES = ['参考答案', '参考答案与解析', '2023年春季期末考试数学试卷参考答案', '【参考答案】', '参考答案及评分标准', '答案与解析：', '数学试题答案', '参考答案与评分标准', '评分标准', '答案', '答案：']
const BLOCK_TITLES: readonly ((name: string) => string)[] = [() => '参考答案', (name) => `${name}答案`, () => '【参考答案】', () => '答案：', (name) => `${name}参考答案：`]
const TAGS = ['【答案】', '答案：', '【参考答案】', '正确答案：', '参考答案：', '【答案】：', '[答案]', '标准答案：', '答：', '答案　', '【正确答案】', '我的答案：D 正确答案：']

export interface Layout {
  numbering: 'section' | 'through'
  number: (n: number) => string
  heading: Heading
  /** A letter with its sign, and the room between options of a line. */
  option: (letter: string) => string
  /** Room for the answer in front of the number: ( )3. */
  lead: boolean
  /** Points behind the keys of a list. */
  noted: boolean
  /** How a text says which questions are about it. */
  shared: 'range' | 'heading'
  /** Options on so many lines. */
  lines: 1 | 2 | 4
  answers: 'stem' | 'after' | 'section' | 'end'
  format: 'row' | 'rows' | 'range' | 'table' | 'cells' | 'colon' | 'letters'
  tag: string
  title: number
  /** Sections named in the answer part; null names none. */
  named: number | null
  explained: boolean
  preface: boolean
  grid: boolean
}

export const someLayout: fc.Arbitrary<Layout> = fc.record({
  numbering: fc.constantFrom('section' as const, 'through' as const),
  number: fc.constantFrom<Layout['number']>((n) => `${n}．`, (n) => `${n}. `, (n) => `${n}、`, (n) => `${n}）`),
  heading: fc.constantFrom(...HEADINGS),
  option: fc.constantFrom<Layout['option']>((letter) => `${letter}．`, (letter) => `${letter}．`, (letter) => `${letter}. `, (letter) => `${letter}、`, (letter) => `（${letter}）`, (letter) => `(${letter}) `, (letter) => `${String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)}．`, (letter) => `${letter}　`),
  lead: fc.constantFrom(true, false, false, false), noted: fc.constantFrom(true, false, false), shared: fc.constantFrom('range' as const, 'heading' as const),
  lines: fc.constantFrom(1 as const, 2 as const, 4 as const),
  answers: fc.constantFrom('stem' as const, 'after' as const, 'section' as const, 'end' as const, 'end' as const),
  format: fc.constantFrom('row' as const, 'rows' as const, 'range' as const, 'table' as const, 'cells' as const, 'colon' as const, 'letters' as const),
  tag: fc.constantFrom(...TAGS),
  title: fc.nat({ max: 34 }),
  named: fc.option(fc.nat({ max: SECTION_ANSWERS.length - 1 }), { freq: 3, nil: null }),
  explained: fc.boolean(), preface: fc.boolean(), grid: fc.boolean(),
})

const FILLS = ['14', '3.5', '大气层', '-2', '鲁迅', '100 米', '氧气', '±3', '0.25', '李白', '1:2', '2023年']
const FREES = ['解：由题意得总数为 12，所以共需 24 元。', '（1）120 元\n（2）30 元', '略', '证明：两边相等，故结论成立。', '解：移项得 2x=6，\n所以 x=3。']
const STEMS: Readonly<Record<Kind, readonly ((word: string) => string)[]>> = {
  choice: [(w) => `下列关于${w}的说法正确的是（　　）`, (w) => `2022年某地测得${w}为 3.5 千克，它属于( )`, (w) => `如图，${w}在点 A、B 之间，则（ ）`, (w) => `1688年，英国引进${w}，目的是（　　）`, (w) => `19世纪中期，许多${w}来自中国，原因是（ ）`, (w) => `"${w}"出自（　　）`],
  many: [(w) => `下列关于${w}的说法正确的有（　　）`, (w) => `关于${w}，以下叙述中正确的是（ ）`],
  judge: [(w) => `${w}是常见的植物。（　　）`, (w) => `所有的${w}都在水里生长（ ）`],
  fill: [(w) => `${w}的数量是________。`, (w) => `与${w}有关的量等于____，请填写。`, (w) => `3个${w}等于____克。`],
  read: [(w) => `文中关于${w}的说法正确的是（　　）`, (w) => `下列对${w}的理解不恰当的一项是`],
  free: [(w) => `某商店卖出${w}，第 1 天 3 件，求总价。`, (w) => `观察${w}并回答。\n（1）求总价；\n（2）求利润。`, (w) => `说明${w}的用途。`],
}
const OPTIONS = [['0', '-3', '2', '1.5'], ['平行四边形', '等腰三角形', '直角梯形', '任意三角形'], ['甲对', '乙对', '丙对', '丁对'], ['热带', '温带', '寒带', '极地']]

function someKnown(kind: Kind): fc.Arbitrary<Omit<Known, 'word' | 'stem'> & { make: (word: string) => string }> {
  const make = fc.constantFrom(...STEMS[kind])
  const options = kind === 'choice' || kind === 'many' || kind === 'read' ? fc.constantFrom(...OPTIONS) : fc.constant<string[]>([])
  const keys: { readonly [K in Kind]: fc.Arbitrary<string> } = {
    choice: fc.constantFrom('A', 'B', 'C', 'D'), read: fc.constantFrom('A', 'B', 'C', 'D'), many: fc.constantFrom('AB', 'ACD', 'BD', 'ABCD'), judge: fc.constantFrom('√', '×'), fill: fc.constantFrom(...FILLS), free: fc.constantFrom(...FREES),
  }
  return fc.record({ kind: fc.constant(kind), make, options, key: keys[kind], why: fc.constantFrom('由定义可知。', '第 2 步用到 1.5 倍的关系，共 3 种情况。', '分 1、2 两步讨论。') })
}

/** Sections in the order of a paper, each with a few questions; every question has a word of its own. */
export const someSections: fc.Arbitrary<KnownSection[]> = fc.subarray<Kind>(['choice', 'many', 'judge', 'fill', 'read', 'free'], { minLength: 1 })
  .chain((kinds) => fc.tuple(...kinds.map((kind) => fc.array(someKnown(kind), { minLength: 1, maxLength: 6 }).map((questions) => ({ kind, questions })))))
  .map((sections) => {
    let next = 0
    return sections.map(({ kind, questions }) => ({ kind, questions: questions.map(({ make, ...rest }): Known => {
      const word = `${WORDS[next]}${WORDS[(next + 7) % WORDS.length]}${WORDS[next++]}`
      return { ...rest, word, stem: make(word), ...(kind === 'read' ? { about: `${word.slice(1)}园` } : {}) }
    }) }))
  })

const LETTERS = 'ABCD'

function optionLines(options: readonly string[], { lines, option }: Layout): string {
  const each = options.map((text, index) => `${option(LETTERS[index] ?? '')}${text}`)
  return lines === 4 ? each.join('\n') : lines === 2 ? `${each.slice(0, 2).join('　　')}\n${each.slice(2).join('　　')}` : each.join('　　')
}

const WHITE = /[（(][\s\u3000]*[)）]/

/** One question as it stands in the paper. */
function questionText(known: Known, n: number, layout: Layout): string {
  const isMarked = known.kind !== 'free' && known.kind !== 'fill'
  const inStem = layout.answers === 'stem' && isMarked
  const hasRoom = WHITE.test(known.stem)
  const stem = inStem && !layout.lead && hasRoom ? known.stem.replace(WHITE, `（ ${known.key} ）`) : layout.lead && isMarked ? known.stem.replace(WHITE, '').trim() : known.stem
  const lead = layout.lead && isMarked ? `（ ${inStem ? known.key : '  '} ）` : ''
  const answered = layout.answers === 'after' || (layout.answers === 'stem' && (!isMarked || (!hasRoom && !layout.lead))) ? `\n${layout.tag}${known.key}${layout.explained ? `\n【解析】${known.why}` : ''}` : ''
  return `${lead}${layout.number(n)}${stem}${known.options.length > 0 ? `\n${optionLines(known.options, layout)}` : ''}${answered}\n`
}

interface Numbered {
  known: Known
  n: number
}

/** Answers of several questions in one of the ways to write them. */
function answerList(all: readonly Numbered[], layout: Layout): Token[] {
  const short = all.every(({ known }) => known.kind !== 'free' && !/\s/.test(known.key))
  const why = (known: Known) => (layout.explained ? `\n【解析】${known.why}` : '')
  const points = (known: Known) => (layout.noted && known.kind !== 'free' && known.kind !== 'fill' ? '（4分）' : '')
  const list = (separator: string) => all.map(({ known, n }) => `${layout.number(n)}${known.key}${points(known)}${why(known)}`).join(layout.explained ? '\n' : separator)
  const first = all[0]?.n ?? 1
  const last = all.at(-1)?.n ?? 1
  const letters = all.every(({ known }) => known.kind === 'choice' || known.kind === 'read' || known.kind === 'judge')
  const one = all.every(({ known }) => known.kind === 'choice' || known.kind === 'read')
  if (layout.format === 'range' && all.length > 1 && (letters || all.every(({ known }) => known.kind === 'many'))) return [`${first}-${last} ${all.map(({ known }) => known.key).join(letters ? '' : ' ')}\n`]
  if (layout.format === 'colon' && all.length > 1 && letters) return [`${first}～${last}：${all.map(({ known }) => known.key).join(' ')}\n`]
  if (layout.format === 'letters' && all.length > 2 && one) return [`${all.map(({ known }) => known.key).join('')}\n`]
  if (short && layout.format === 'table') return [`题号\t${all.map(({ n }) => n).join('\t')}\n答案\t${all.map(({ known }) => known.key).join('\t')}\n`]
  if (short && layout.format === 'cells') {
    const row = (cells: readonly string[]) => cells.map((text) => ({ c: [paragraph([text])] }))
    const table = (some: readonly Numbered[]): Token[] => [{ t: 'block', block: { t: 'table', rows: [row(['题号', ...some.map(({ n }) => String(n))]), row(['答案', ...some.map(({ known }) => known.key)])] } }, '\n']
    // Long rows are broken into several tables.
    return all.length > 4 ? [...table(all.slice(0, 4)), ...table(all.slice(4))] : table(all)
  }
  return [`${list(layout.format === 'row' && short ? '　' : '\n')}\n`]
}

/** The whole paper. */
export function paperOf(sections: readonly KnownSection[], layout: Layout): Token[] {
  const flow: Token[] = ['2023年春季七年级期末测试\n']
  if (layout.preface) flow.push('注意事项：\n1．答题前填写姓名和班级。\n2．本试卷共 4 页，满分 100 分。\n')
  const numbered: Numbered[][] = []
  let n = 0
  for (const [index, { kind, questions }] of sections.entries()) {
    if (layout.numbering === 'section') n = 0
    flow.push(`${layout.heading(index, NAMES[kind])}\n`)
    const own = questions.map((known): Numbered => ({ known, n: ++n }))
    numbered.push(own)
    if (layout.grid && kind === 'choice' && layout.answers !== 'stem') flow.push(`题号\t${own.map((one) => one.n).join('\t')}\n答案\t${own.map(() => '').join('\t')}\n`)
    if (kind === 'read') flow.push(`${layout.shared === 'range' && own.length > 1 ? `阅读下面的文字，完成${own[0]?.n}～${own.at(-1)?.n}题。` : '阅读下面的文字，选出正确答案。'}\n${own[0]?.known.about}里的植物很多，春天开花，秋天结果，人们常来这里散步。\n它建成于1998年，面积有3.5平方千米。\n`)
    flow.push(own.map((one) => questionText(one.known, one.n, layout)).join(''))
    if (layout.answers === 'section') flow.push(`${BLOCK_TITLES[layout.title % BLOCK_TITLES.length]?.(NAMES[kind])}\n`, ...answerList(own, layout))
  }
  if (layout.answers !== 'end') return flow
  flow.push(`${END_TITLES[layout.title % END_TITLES.length]}\n`)
  if (layout.named === null) return [...flow, ...numbered.flatMap((own) => answerList(own, layout))]
  const named = SECTION_ANSWERS[layout.named]
  return [...flow, ...numbered.flatMap((own, index): Token[] => [`${named?.write(index, NAMES[sections[index]?.kind ?? 'free'])}${named?.inline && !['table', 'cells'].includes(layout.format) ? '' : '\n'}`, ...answerList(own, layout)])]
}

/** Whether the paper says beyond doubt which answer belongs to which question. */
export const isDefinite = (sections: readonly KnownSection[], layout: Layout) => layout.numbering === 'through' || layout.answers !== 'end' || layout.named !== null || sections.length === 1
