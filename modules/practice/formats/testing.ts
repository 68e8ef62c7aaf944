/** Any question that may be stored, for tests: every kind of text, every type, every fact. */
import fc from 'fast-check'
import { emptyContent, GAOKAO_TYPES, MANY_RULES, NO_ANALYSIS, SOURCES, type Answer, type Option, type Question, type QuestionContent, type QuestionFacts } from '../content/question.ts'
import { docOf, joinInlines, paragraph, type Block, type BlockKind, type Inline, type RichDoc } from '../../../core/rich-text/rich-doc.ts'
import { EXAM_REGIONS } from '../../reference/module.ts'

/** Pictures that the texts name. */
export const PICTURES = ['/daoyuan/api/end/files/0f8fad5b-d9cb-469f-a165-70867728950e', '/daoyuan/api/end/files/7c9e6679-7425-40de-944b-e07fc1f90ae7'] as const

const FORMULAS = [
  'x^{2}+1', '\\frac{1}{2}', '\\sqrt{3}', '\\sqrt[3]{x}', '\\overrightarrow{AB}', '\\begin{cases}x=1 \\\\ y=2\\end{cases}', '\\sum_{i=1}^{n}a_{i}', '\\int_{0}^{1}f(x)dx', '\\lim_{x\\rightarrow 0}\\sin x', '\\left(\\frac{a}{b}\\right)^{2}',
  '\\mathrm{H}_{2}\\mathrm{O}', '\\text{速度}', '\\angle A=90^{\\circ}', '\\begin{pmatrix}1 & 2 \\\\ 3 & 4\\end{pmatrix}', 'a<b', '\\{1,2\\}', '\\vec{a}\\perp \\vec{b}', '\\overline{z}', 'A\\cap B',
]
/** Text that looks like syntax of some format. */
const WORDS = ['下列说法', '正确的是', ' apple ', 'a<b & c>d', '"引号"', "it's", '{甲}', '=乙', '~丙', '#丁', '50%', '$5', '\\n', '::题::', '1．', 'A．', '【答案】', '（ ）', '，', '；', '|', '<b>', '&amp;', '//注', '　', '->', '[[空]]', '____', 'ANSWER: A', '答案：', 'é', '𠮷', '[图]', ']]>', '第1空：', '<!--', '-->', 'x_1^2', '\\(a\\)', '@@PLUGINFILE@@', '\t', '二、选择题']

const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''))

export interface Limits {
  /** Kinds of blocks; all by default. */
  blocks?: readonly BlockKind[]
  /** Marks, blanks, pictures: what is more than words and formulas. */
  rich?: boolean
  /** Most children of types 5 and 6; 0 leaves these types out. */
  types?: readonly QuestionContent['type'][]
}

const someInline = (rich: boolean): fc.Arbitrary<Inline> => fc.oneof(
  { weight: 5, arbitrary: words as fc.Arbitrary<Inline> },
  { weight: 3, arbitrary: fc.constantFrom(...FORMULAS).map((tex): Inline => ({ t: 'tex', tex })) },
  ...(rich ? [
    { weight: 2, arbitrary: fc.record({ text: words, mark: fc.constantFrom({ b: true }, { i: true }, { u: true }, { dot: true }, { wave: true }, { sub: true }, { sup: true }, { b: true, u: true, sup: true }, { wave: true, u: true }, { ruby: 'pīn' }) }).map(({ text, mark }): Inline => ({ t: 'text', text: `字${text}字`.replace(/[\t]/g, ''), ...mark as object })) },
    { weight: 1, arbitrary: fc.record({ asset: fc.constantFrom(...PICTURES), w: fc.option(fc.integer({ min: 1, max: 600 }), { nil: undefined }), alt: fc.option(fc.constantFrom('图一', '<a> "b"'), { nil: undefined }), pending: fc.constantFrom(undefined, true as const) }).map(({ asset, w, alt, pending }): Inline => ({ t: 'img', asset, ...(w ? { w } : {}), ...(alt ? { alt } : {}), ...(pending ? { pending } : {}) })) },
    { weight: 1, arbitrary: fc.constant<Inline>({ t: 'br' }) },
    { weight: 1, arbitrary: fc.constant<Inline>({ t: 'paren' }) },
  ] : []),
)

const run = (rich: boolean) => fc.array(someInline(rich), { minLength: 1, maxLength: 5 }).map(joinInlines)
const filledRun = (rich: boolean) => run(rich).map((inlines) => joinInlines(['始', ...inlines, '终']))

function someBlock(limits: Limits, depth: number): fc.Arbitrary<Block> {
  const rich = limits.rich !== false
  const paragraphs = fc.record({ c: filledRun(rich), align: fc.constantFrom(undefined, 'center' as const, 'right' as const), indent: fc.constantFrom(undefined, 2) }).map(({ c, align, indent }) => paragraph(c, { ...(align && rich ? { align } : {}), ...(indent && rich ? { indent } : {}) }))
  const inner = () => fc.array(depth > 0 ? someBlock(limits, depth - 1) : paragraphs, { minLength: 1, maxLength: 2 })
  const kinds: { readonly [K in BlockKind]: () => fc.Arbitrary<Block> } = {
    p: () => paragraphs,
    table: () => fc.record({ width: fc.integer({ min: 1, max: 3 }), height: fc.integer({ min: 1, max: 3 }), head: fc.boolean(), plain: fc.boolean(), wide: fc.boolean(), cells: fc.array(fc.option(inner(), { nil: [] }), { minLength: 9, maxLength: 9 }) })
      .map(({ width, height, head, plain, wide, cells }): Block => ({
        t: 'table', ...(plain ? { plain: true as const } : {}),
        rows: [...(wide && width > 1 ? [[{ c: cells[8] ?? [], colspan: width }]] : []), ...Array.from({ length: height }, (_, y) => Array.from({ length: width }, (__, x) => ({ c: cells[y * 3 + x] ?? [], ...(head && y === 0 ? { head: true as const } : {}) })))],
      })),
    image: () => fc.record({ asset: fc.constantFrom(...PICTURES), w: fc.constantFrom(undefined, 120), align: fc.constantFrom(undefined, 'right' as const), caption: fc.constantFrom(undefined, '图 1 装置') }).map(({ asset, w, align, caption }): Block => ({ t: 'image', asset, ...(w ? { w } : {}), ...(align ? { align } : {}), ...(caption ? { caption } : {}) })),
    math: () => fc.constantFrom(...FORMULAS).map((tex): Block => ({ t: 'math', tex })),
    audio: () => fc.constant<Block>({ t: 'audio', asset: PICTURES[1], title: '听力' }),
    list: () => fc.record({ style: fc.constantFrom('bullet', 'decimal', 'paren', 'circle', 'letter'), start: fc.constantFrom(undefined, 3), items: fc.array(inner(), { minLength: 1, maxLength: 3 }) }).map(({ style, start, items }): Block => ({ t: 'list', style, ...(start && style !== 'bullet' ? { start } : {}), items })),
    poem: () => fc.array(filledRun(rich), { minLength: 1, maxLength: 3 }).map((lines): Block => ({ t: 'poem', lines })),
    dialogue: () => fc.array(fc.record({ who: fc.constantFrom('甲', 'Tom', ''), c: filledRun(rich) }), { minLength: 1, maxLength: 3 }).map((turns): Block => ({ t: 'dialogue', turns })),
    lines: () => fc.record({ n: fc.integer({ min: 1, max: 4 }), style: fc.constantFrom(undefined, 'grid' as const) }).map(({ n, style }): Block => ({ t: 'lines', n, ...(style ? { style } : {}) })),
  }
  const allowed = limits.blocks ?? (Object.keys(kinds) as BlockKind[])
  return fc.oneof({ weight: 4, arbitrary: paragraphs }, ...allowed.map((kind) => ({ weight: 1, arbitrary: kinds[kind]() })))
}

/** Any text that is not nothing. */
export const someDoc = (limits: Limits = {}): fc.Arbitrary<RichDoc> => fc.array(someBlock(limits, 1), { minLength: 1, maxLength: 3 }).map((blocks) => docOf([paragraph(['首']), ...blocks]) ?? { t: 'doc', v: 1, c: [] })
const shortDoc = (limits: Limits): fc.Arbitrary<RichDoc> => filledRun(limits.rich !== false).map((inlines) => docOf([paragraph(inlines)]) ?? { t: 'doc', v: 1, c: [] })
const maybeDoc = (limits: Limits) => fc.option(someDoc(limits), { nil: null })
const points = fc.constantFrom(null, 1, 2.5, 5, 12)

const someOptions = (limits: Limits, most: number): fc.Arbitrary<Option[]> => fc.array(fc.oneof(shortDoc(limits), limits.rich === false ? shortDoc(limits) : someDoc(limits)), { minLength: 2, maxLength: most }).map((docs) => docs.map((doc, index) => ({ id: `o${index + 1}`, doc })))
const withEnd = (doc: RichDoc, inlines: readonly Inline[]): RichDoc => docOf([...doc.c, paragraph(joinInlines(['末', ...inlines, '尾']))]) ?? doc

function someAnswer(type: QuestionContent['type'], count: number, limits: Limits): fc.Arbitrary<Answer> {
  if (type === 1) return fc.option(fc.integer({ min: 1, max: count }), { nil: null }).map((n): Answer => ({ k: 'one', ok: n === null ? null : `o${n}` }))
  if (type === 2) return fc.record({ ok: fc.subarray(Array.from({ length: count }, (_, index) => `o${index + 1}`)), rule: fc.constantFrom(...MANY_RULES.map((one) => one.value)) }).map(({ ok, rule }): Answer => ({ k: 'many', ok, rule }))
  if (type === 3) {
    const spec = fc.record({ accept: fc.array(shortDoc(limits), { minLength: 1, maxLength: 2 }), match: fc.constantFrom('exact', 'nospace', 'ci', 'numeric', 'tex'), eps: fc.constantFrom(undefined, 0.01), group: fc.constantFrom(undefined, 1), score: fc.constantFrom(undefined, 2) })
    return fc.array(spec, { minLength: count, maxLength: count }).map((all): Answer => ({ k: 'blanks', b: all.map(({ accept, match, eps, group, score }, index) => ({ id: `b${index + 1}`, accept, match, ...(eps === undefined ? {} : { eps }), ...(group === undefined ? {} : { group }), ...(score === undefined ? {} : { score }) })) }))
  }
  if (type === 4) {
    const part = fc.record({ score: fc.constantFrom(undefined, 4), ref: fc.option(someDoc(limits), { nil: null }), steps: fc.array(fc.record({ text: shortDoc(limits), score: fc.constantFrom(1, 2.5) }), { maxLength: 2 }) })
    return fc.oneof(fc.array(part, { maxLength: 1 }).map((all) => ({ all, from: 0 })), fc.array(part, { minLength: 1, maxLength: 3 }).map((all) => ({ all, from: 1 })))
      .map(({ all, from }): Answer => ({ k: 'free', parts: all.map(({ score, ref, steps }, index) => ({ no: index + from, ref, steps, ...(score === undefined ? {} : { score }) })) }))
  }
  return fc.constant<Answer>({ k: 'sub' })
}

const someBlanks = fc.array(fc.record({ width: fc.constantFrom(undefined, 6), style: fc.constantFrom(undefined, 'paren', 'box') }), { minLength: 1, maxLength: 3 })
  .map((all) => all.flatMap(({ width, style }, index): Inline[] => [{ t: 'blank', id: `b${index + 1}`, ...(width ? { width } : {}), ...(style ? { style: style as 'paren' } : {}) }, '，']))

function someContent(type: QuestionContent['type'], limits: Limits): fc.Arbitrary<QuestionContent> {
  return fc.record({ stem: someDoc(limits), options: type <= 2 ? someOptions(limits, 4) : fc.constant<Option[]>([]), blanks: someBlanks, layout: fc.constantFrom(1, 2, 3), score: points, category: fc.constantFrom(null, '判断题', '实验题'), hint: maybeDoc(limits), solution: maybeDoc(limits), comment: maybeDoc(limits), pitfall: maybeDoc(limits) })
    .chain(({ stem, options, blanks, layout, score, category, hint, solution, comment, pitfall }) => {
      const count = type <= 2 ? options.length : blanks.filter((one) => typeof one !== 'string').length
      return someAnswer(type, count, limits).map((answer): QuestionContent => ({
        ...emptyContent(type), stem: type === 3 ? withEnd(stem, blanks) : type <= 2 && limits.rich !== false ? withEnd(stem, [{ t: 'paren' }]) : stem,
        options, option_layout: (type <= 2 ? layout : 1) as 1, answer, score, category, analysis: { hint, solution, comment, pitfall },
      }))
    })
}

const name = fc.constantFrom('函数', '数列', '导数及其应用', 'a；b', 'x->y', '集合 与 逻辑', '"引"')
const someFacts: fc.Arbitrary<QuestionFacts> = fc.record({
  no: fc.constantFrom(null, 'M1-0001'), subject: fc.constantFrom('数学', '物理'), difficulty: fc.option(fc.integer({ min: 1, max: 5 }), { nil: null }), coef: fc.constantFrom(null, 0.65), cognitive: fc.constantFrom(null, '应用'), competence: fc.uniqueArray(name, { maxLength: 2 }),
  labels: fc.array(fc.array(name, { minLength: 1, maxLength: 3 }), { maxLength: 2 }), chapters: fc.array(fc.array(name, { minLength: 1, maxLength: 2 }), { maxLength: 1 }), tags: fc.uniqueArray(name, { maxLength: 2 }), source: fc.constantFrom(null, ...SOURCES.map((one) => one.value)), source_paper: fc.constantFrom(null, '2022年全国乙卷（理）'),
  source_order: fc.constantFrom(null, 12), source_years: fc.constantFrom([], [2021, 2022]), exam_region: fc.constantFrom(null, EXAM_REGIONS[0]?.name ?? null), gaokao_type: fc.constantFrom(null, ...GAOKAO_TYPES.map((one) => one.value)), exercise_type: fc.constantFrom(null, 2), est_seconds: fc.constantFrom(null, 90), copyright: fc.constantFrom(null, '原创'),
})

/** Any question within limits, with its facts. */
export function someQuestion(limits: Limits = {}): fc.Arbitrary<Question> {
  const types = limits.types ?? [1, 2, 3, 4, 5, 6]
  const content = fc.constantFrom(...types).chain((type): fc.Arbitrary<QuestionContent> => {
    if (type <= 4) return someContent(type, limits)
    const kinds = type === 5 ? ([1, 3] as const) : ([1, 2, 3, 4] as const)
    const children = fc.array(fc.constantFrom(...kinds).chain((kind) => someContent(kind, limits)), { minLength: 1, maxLength: 3 })
    return fc.record({ stem: someDoc(limits), children, score: points, solution: maybeDoc(limits), pool: fc.boolean(), options: someOptions(limits, 5) }).map(({ stem, children, score, solution, pool, options }): QuestionContent => {
      if (type === 6) return { ...emptyContent(6), stem, children, score, analysis: { ...NO_ANALYSIS, solution }, category: '阅读理解' }
      const shared = pool ? options : []
      const holes = children.map((child, index): QuestionContent => child.type === 1
        ? { ...child, stem: null, ...(pool ? { options: [], option_layout: 1 as const, answer: { k: 'one' as const, ok: `o${(index % options.length) + 1}` } } : {}) }
        : { ...child, stem: null, answer: { k: 'blanks' as const, b: child.answer.k === 'blanks' ? child.answer.b.slice(0, 1) : [] } })
      return { ...emptyContent(5), stem: withEnd(stem, holes.flatMap((_, index): Inline[] => [{ t: 'subref', n: index + 1 }, '；'])), options: shared, children: holes, score, analysis: { ...NO_ANALYSIS, solution }, category: '完形填空' }
    })
  })
  return fc.record({ content, facts: someFacts }).map(({ content: one, facts }) => ({ ...one, ...facts }))
}
