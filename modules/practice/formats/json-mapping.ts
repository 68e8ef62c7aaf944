/** Which field of a record is what. */
import * as z from 'zod/mini'
import { isObject, type JsonObject } from './json-records.ts'

/** What a record may bring; the names that other sets use for it, in lower case, the commonest first. */
export const TARGETS = [
  { key: 'stem', label: '题干', names: ['stem', 'question', 'problem', 'title', 'content', 'query', 'question_text', 'questiontext', 'question_content', 'question_stem', 'ques_content', 'text', 'prompt', 'body', 'q', '题干', '题目', '问题', '试题', '内容', '题目内容', '正文', 'sentence', 'ctx', 'input', 'instruction', 'goal', 'subquestion', '设问'] },
  { key: 'passage', label: '材料', names: ['passage', 'article', 'context', 'material', 'reading', 'background', 'stimulus', 'paragraph', 'share_context', 'support_text', '材料', '文章', '短文', '阅读材料', '背景', 'premise', 'story', 'dialogue', 'dialog', 'text_passage', 'reference_text', 'description', '题目描述'] },
  { key: 'options', label: '选项', names: ['options', 'choices', 'option', 'choice', 'candidates', 'option_list', 'answers_options', 'answer_option_list', 'question_options', 'selections', 'opts', '各行的选项', '选项', '备选项', '选择项', 'endings', 'answer_choices', 'option_texts', 'mc_options', 'multiple_choice'] },
  { key: 'distractors', label: '干扰项', names: [] },
  { key: 'answer', label: '答案', names: ['answer', 'answers', 'correct_answer', 'correct_answers', 'correct', 'right_answer', 'answer_value', 'answer_key', 'answerkey', 'standard_answer', 'true_answer', 'golden', 'gold_answer', 'ans', 'key', 'label', 'gold', 'std_ans', 'target', 'correct_option', 'solution_answer', 'final_answer', 'reference', '答案', '正确答案', '正确选项', '标准答案', '参考答案', 'cop', 'completion', 'output', 'response', 'expected_answer', 'groundtruth', 'ground_truth', 'correct_index', 'correct_idx', 'answer_idx', 'answer_index', 'correct_choice', 'correct_letter', '答'] },
  { key: 'solution', label: '解析', names: ['analysis', 'explanation', 'solution', 'rationale', 'parse', 'detail', 'explain', 'reason', 'reasoning', 'answer_analysis', 'answer_explanation', 'solutions', 'support', 'rational', 'cot', 'desc', '解析', '答案解析', '详解', '试题解析', '解答', '题目解析', 'exp', 'answer_detail', 'step', 'steps'] },
  { key: 'hint', label: '思路', names: ['hint', 'idea', 'approach', '思路', '分析', '提示', '解题思路'] },
  { key: 'comment', label: '点评', names: ['comment', 'remark', 'review', '点评', '点睛', '评析'] },
  { key: 'type', label: '题型', names: ['type', 'question_type', 'qtype', 'questiontype', 'kind', 'type_name', 'type_id', 'ques_type', 'question_type_name', 'question_kind', '题型', '类型', '题目类型', '试题类型'] },
  { key: 'score', label: '分值', names: ['score', 'points', 'mark', 'marks', 'point', 'full_score', 'total_score', '分值', '分数', '满分'] },
  { key: 'match', label: '匹配方式', names: ['match', 'match_rule', '匹配方式', '匹配规则', '计分方式'] },
  { key: 'tolerance', label: '误差', names: ['tolerance', 'eps', 'epsilon', 'precision', 'error', '误差', '允许误差', '误差范围'] },
  { key: 'difficulty', label: '难度', names: ['difficulty', 'level', 'hardness', 'diff', 'difficulty_level', 'difficulty_coefficient', 'degree', '难度', '难度系数', '难易度', '难易程度'] },
  { key: 'subject', label: '学科', names: ['subject', 'course', 'discipline', 'subject_name', '学科', '科目', '课程'] },
  { key: 'labels', label: '知识点', names: ['knowledge', 'knowledge_points', 'knowledges', 'labels', 'concepts', 'topic', 'topics', 'kc', 'kc_routes', 'kcs', 'concept', 'skill', 'skills', 'keypoint', 'key_points', 'knowledge_point', 'knowledge_point_routes', 'knowledge_routes', 'knowledge_point_list', 'kp', 'kps', '知识点', '知识点路径', '所属知识点', '考点', '知识点标签'] },
  { key: 'chapters', label: '章节', names: ['chapter', 'chapters', 'section', 'catalog', '章节', '单元', '目录'] },
  { key: 'tags', label: '标签', names: ['tags', 'tag', 'keywords', '标签', '关键词'] },
  { key: 'year', label: '年份', names: ['year', 'years', 'exam_year', 'source_year', '年份', '年度', '年'] },
  { key: 'region', label: '卷区', names: ['region', 'province', 'area', 'exam_region', 'location', '卷区', '地区', '省份', '区域', '卷别'] },
  { key: 'paper', label: '来源试卷', names: ['paper', 'source', 'exam', 'paper_name', 'source_name', 'from', 'origin', 'exam_name', 'competition_source_list', '来源', '试卷', '出处', '试卷名称'] },
  { key: 'no', label: '题号', names: ['no', 'number', 'index', 'id', 'qid', 'question_id', 'idx', 'uid', 'uuid', '题号', '编号', '序号'] },
  { key: 'children', label: '小题', names: ['children', 'sub_questions', 'subquestions', 'questions', 'sub', 'subs', 'items', 'sub_question', 'qas', 'small_questions', '小题', '子题', '设问'] },
] as const
export type Target = (typeof TARGETS)[number]['key']

export interface JsonMapping {
  /** Fields of each target, as dotted paths; several are put together in their order. */
  fields: Partial<Record<Target, string[]>>
  /** Holds for every record that does not say otherwise. */
  subject: string | null
  /** A name of a type, e.g. 多选题; null to recognise each question by itself. */
  type: string | null
  /** Whether the points are those of each sub-question; null to judge by their size. */
  score_of_each: boolean | null
  /** How the file counts difficulty; null when it says it in words, or as a share of points. */
  scale?: Scale | null | undefined
}

export interface Scale {
  low: number
  high: number
  /** Whether a greater number means more difficult. */
  rises: boolean
}

const names = z.array(z.string().check(z.maxLength(200))).check(z.maxLength(20))
const maybeName = z.nullable(z.string().check(z.maxLength(40)))

export const mappingSchema: z.ZodMiniType<JsonMapping> = z.object({
  fields: z.partial(z.object(Object.fromEntries(TARGETS.map(({ key }) => [key, names])) as Record<Target, typeof names>)),
  subject: maybeName,
  type: maybeName,
  score_of_each: z.nullable(z.boolean()),
  scale: z.optional(z.nullable(z.object({ low: z.number('应为数字'), high: z.number('应为数字'), rises: z.boolean() }))),
})

export const NO_MAPPING: JsonMapping = { fields: {}, subject: null, type: null, score_of_each: null, scale: null }

export interface FieldSample {
  path: string
  /** First value that is not empty, shortened. */
  sample: string
  /** Share of records that have it, 0 to 1. */
  filled: number
}

/** Value at a dotted path. */
export function at(value: unknown, path: string): unknown {
  let inner = value
  for (const name of path.split('.')) {
    if (!isObject(inner) || !Object.hasOwn(inner, name)) return undefined
    inner = inner[name]
  }
  return inner
}

/** Whether a record says nothing in a field. */
export const isEmpty = (value: unknown) => value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** Records that are looked at to know the fields. */
const SAMPLED = 200

/** Fields of the records, objects one level deep, in the order in which they come. */
export function fieldsOf(records: readonly JsonObject[]): FieldSample[] {
  const seen = new Map<string, { sample: string; count: number }>()
  const looked = records.slice(0, SAMPLED)
  const note = (path: string, value: unknown) => {
    const known = seen.get(path) ?? { sample: '', count: 0 }
    if (!isEmpty(value)) {
      known.count++
      if (known.sample === '') known.sample = (typeof value === 'string' ? value : JSON.stringify(value)).replace(/\s+/g, ' ').trim().slice(0, 80)
    }
    seen.set(path, known)
  }
  for (const record of looked) {
    for (const [name, value] of Object.entries(record).slice(0, 100)) {
      note(name, value)
      if (isObject(value)) for (const [inner, one] of Object.entries(value).slice(0, 40)) note(`${name}.${inner}`, one)
    }
  }
  return [...seen].slice(0, 300).map(([path, { sample, count }]) => ({ path, sample, filled: count / Math.max(1, looked.length) }))
}

const plainName = (path: string) => (path.split('.').at(-1) ?? '').replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase().replace(/[\s-]+/g, '_')

/** The letter of a field that holds one option: A, option_b, optionC, 选项D, opa. */
function optionLetterOf(path: string): string | null {
  const match = /^(?:options?[_. ]?|choice[_. ]?|选项|op[_. ]?|answer[_. ]?|答案)?([a-h])$/i.exec(path.split('.').slice(-2).join('.').replace(/^[^.]*\.(?=[a-h]$)/i, (prefix) => (/option|choice|选项/i.test(prefix) ? '' : prefix)))
  return match?.[1]?.toUpperCase() ?? null
}

/** The number of a field that holds one option among others: choice1, option_2, sol1, ending0, 选项3. */
function optionNumberOf(path: string): number | null {
  const match = /^(?:options?|choices?|opt|sol|endings?|opa|答案选项|选项|备选项?)[_\- ]?(\d{1,2})$/i.exec(path)
  return match ? Number(match[1]) : null
}

/** A field that holds one wrong option: distractor1, incorrect_answer_2, wrong answers, 干扰项1. */
const DISTRACTOR = /^(?:distractors?|incorrect(?:[_ ]?(?:answers?|options?|choices?))?|wrong(?:[_ ]?(?:answers?|options?|choices?))|false[_ ]?answers?|干扰项|错误选项|错误答案)[_\- ]?\d{0,2}$/i

/** A mapping by the names of the fields, to be looked over by a person. */
export function guessMapping(records: readonly JsonObject[]): JsonMapping {
  const own = guessFields(records)
  const path = own.children?.[0]
  const children = path ? records.slice(0, SAMPLED).flatMap((record) => listAt(record, path).filter(isObject)) : []
  const inner = children.length > 0 ? guessFields(children) : {}
  // A child is read by the same names, so each target has those of both.
  const fields: JsonMapping['fields'] = Object.fromEntries(TARGETS.flatMap(({ key }) => {
    const both = [...new Set([...(own[key] ?? []), ...(key === 'children' ? [] : (inner[key] ?? []))])]
    return both.length > 0 ? [[key, both]] : []
  }))
  // Stems in a list beside lists of options have no field of their own.
  if (fields.children && !fields.stem) fields.stem = ['question']
  return { ...NO_MAPPING, fields, score_of_each: areEach(records, fields), scale: scaleOf(records, fields.difficulty?.[0]) }
}

const listAt = (record: JsonObject, path: string): unknown[] => {
  const value = at(record, path)
  return Array.isArray(value) ? value : []
}

function guessFields(records: readonly JsonObject[]): JsonMapping['fields'] {
  const named = fieldsOf(records)
  const fields = named.filter((field) => field.filled > 0)
  const mapping: Partial<Record<Target, string[]>> = {}
  const taken = new Set<string>()
  const lettered = named.filter((field) => optionLetterOf(field.path) !== null && !field.path.includes('.')).sort((a, b) => (optionLetterOf(a.path) ?? '').localeCompare(optionLetterOf(b.path) ?? ''))
  // A letter that no record fills is kept while later ones are filled.
  const letters = lettered.slice(0, lettered.findLastIndex((field) => field.filled > 0) + 1)
  const numbered = letters.length >= 2 ? [] : fields.filter(({ path }) => optionNumberOf(path) !== null).sort((a, b) => (optionNumberOf(a.path) ?? 0) - (optionNumberOf(b.path) ?? 0))
  const ownOptions = letters.length >= 2 ? letters : numbered.length >= 2 ? numbered : []
  const distractors = fields.filter(({ path }) => DISTRACTOR.test(plainName(path)))
  // A column called A beside one called B is an option.
  for (const { path } of [...ownOptions, ...distractors]) taken.add(path)
  for (const { key, names: known } of TARGETS) {
    const ranked = fields.filter((field) => !taken.has(field.path)).map((field) => ({ field, rank: (known as readonly string[]).indexOf(plainName(field.path)) })).filter(({ rank }) => rank >= 0).sort((a, b) => a.rank - b.rank || a.field.path.split('.').length - b.field.path.split('.').length || b.field.filled - a.field.filled)
    const best = ranked[0]?.field
    if (!best) continue
    // Several fields with an answer stand for each other: a label where there are options, an answer where there are none.
    const others = key === 'answer' ? ranked.slice(1).map(({ field }) => field).filter(() => best.filled < 1) : []
    mapping[key] = [best, ...others].map(({ path }) => path)
    for (const { path } of [best, ...others]) taken.add(path)
  }
  if (ownOptions.length > 0) mapping.options = [...(mapping.options ?? []), ...ownOptions.map((field) => field.path)]
  if (distractors.length > 0) mapping.distractors = distractors.map((field) => field.path)
  // Without any stem the children are the questions of a passage; a field called "category" or the like may be the paper.
  const category = fields.find((field) => /^(category|卷别|paper_type|试卷类型)$/.test(plainName(field.path)) && !taken.has(field.path))
  if (category && !mapping.region && /卷|课标|全国|[甲乙丙]|省|市|版）?$/.test(category.sample)) mapping.region = [category.path]
  else if (category && !mapping.type) mapping.type = [category.path]
  if (mapping.labels === undefined && mapping.tags) mapping.labels = mapping.tags
  if (mapping.children && !records.some((record) => Array.isArray(at(record, mapping.children?.[0] ?? '')))) delete mapping.children
  return mapping
}

/** The number that a file gives as difficulty: 3, "3", "Level 3". */
export function levelOf(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.normalize('NFKC').trim() : ''
  const number = /^(?:level|lv\.?|难度|等级)?\s*(\d{1,3}(?:\.\d+)?)\s*(?:级|星)?$/i.exec(text)?.[1]
  return number === undefined ? null : Number(number)
}

/** Scales that banks use. */
const SCALES = [[0, 4], [1, 5], [1, 3], [0, 5], [1, 10], [0, 10], [0, 100]] as const

/** The smallest common scale that all numbers of a file lie on. Shares of points (0.65) and words have none. */
function scaleOf(records: readonly JsonObject[], path: string | undefined): Scale | null {
  if (path === undefined || /系数|coef/i.test(path)) return null
  const levels = records.flatMap((record) => levelOf(at(record, path)) ?? [])
  if (levels.length === 0 || !levels.every(Number.isInteger)) return null
  const [low, high] = [Math.min(...levels), Math.max(...levels)]
  const [from, to] = (low > 0 && high <= 5 ? [1, 5] as const : SCALES.find(([least, most]) => low >= least && high <= most)) ?? [low, high]
  // Ours falls, and is called so in our own files; names of other banks rise.
  return { low: from, high: to, rises: !/难度/.test(path) }
}

/** Whether the points of records with several answers are those of one of them: the same for two answers and for five, or less than a point for each. */
function areEach(records: readonly JsonObject[], { answer, score }: JsonMapping['fields']): true | null {
  const [answerPath, scorePath] = [answer?.[0], score?.[0]]
  if (!answerPath || !scorePath) return null
  const seen: { count: number; points: number }[] = []
  for (const record of records) {
    const list = at(record, answerPath)
    const told = at(record, scorePath)
    const points = typeof told === 'object' ? 0 : Number(told)
    if (Array.isArray(list) && list.length > 1 && points > 0) seen.push({ count: list.length, points })
  }
  const isConstant = new Set(seen.map((one) => one.points)).size === 1 && new Set(seen.map((one) => one.count)).size > 1
  const isTiny = seen.some(({ count, points }) => points / count < 1 || (points === count && count <= 5))
  return seen.length > 0 && (isConstant || isTiny) ? true : null
}

/** Fields whose names or texts are part of a question: what is in them is missed when nobody reads it. */
const ESSENTIAL = /option|choice|distractor|ending|answer|solution|explan|rationale|image|img|pic|figure|photo|audio|video|table|premise|context|passage|material|story|descri|input|unit$|hint|sub_?q|题|选项|答案|解析|图|表格|材料|干扰|音频|单位|小问|补充/i
/** Fields that only tell where a record is from or how it is kept. */
const KEPT = /(?:^|_)(?:id|uid|url|link|path|file|split|lang|language|time|date|at|by|author|user|version|hash|count|length|len|idx|index|src|license|num|type|format|status|state|is_[a-z_]+|has_[a-z_]+|question_type|answer_type|modality|theorem)(?:_|$)|创建|修改|更新|录入|审核|时间|日期|作者|编号|序号|状态|链接|来源/i
const LONG = 40

/** Fields that hold something and are mapped to nothing. Of an object that is read in part its inner fields are named, else the object. */
export function unusedFields(fields: readonly FieldSample[], { fields: mapped }: JsonMapping): FieldSample[] {
  const used = Object.values(mapped).flat()
  const isUsed = (path: string) => used.some((one) => one === path || one.startsWith(`${path}.`) || path.startsWith(`${one}.`))
  const outer = (path: string) => path.split('.')[0] ?? path
  return fields.filter(({ path, sample }) => sample !== '' && !/^(?:父题)?(?:序号|编号)$/.test(path) && !/^(?:false|\[\]|\{\})$/.test(sample) && !isUsed(path) && (outer(path) === path || isUsed(outer(path))))
}

/** Whether a field that nobody reads may hold a part of the question. */
export const mayBelong = ({ path, sample }: FieldSample) => (ESSENTIAL.test(plainName(path)) && !/^(?:is|has|num|n)_|_(?:id|type|count|num|length|idx|index)s?$|^answer_type$/.test(plainName(path))) || (sample.length >= LONG && !KEPT.test(plainName(path)) && !/^https?:\/\/\S+$/.test(sample))

/** What has to be asked before a file is taken over: what was not found although questions need it, and how difficulty is counted. */
export function openQuestions(mapping: JsonMapping, samples: readonly FieldSample[] = []): string[] {
  const { fields, scale } = mapping
  const { stem, passage, answer, children } = fields
  const unused = unusedFields(samples, mapping).filter(mayBelong)
  return [
    ...(unused.length > 0 ? [`有 ${unused.length} 列可能是题目的一部分，没有对应：${unused.slice(0, 6).map(({ path }) => path).join('、')}`] : []),
    ...(stem || passage ? [] : ['没有找到题干所在的字段']),
    ...(answer || children ? [] : ['没有找到答案所在的字段']),
    ...(scale ? [`难度按 ${scale.low}～${scale.high} 理解，${scale.rises ? '数字越大越难' : '数字越小越难'}，请确认`] : []),
  ]
}
