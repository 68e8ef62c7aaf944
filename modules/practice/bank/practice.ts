import { choice, multiChoice, toggle } from '../../../core/field/choice.ts'
import { images } from '../../../core/field/file.ts'
import { tags } from '../../../core/field/json.ts'
import { number } from '../../../core/field/number.ts'
import { reference } from '../../../core/field/reference.ts'
import { longText, text } from '../../../core/field/text.ts'
import { time } from '../../../core/field/time.ts'
import { actionId } from '../../../core/grant/grant.ts'
import { api, defineResource } from '../../../core/resource/define.ts'
import { EXAM_REGIONS, examYear, INVOKING_PRODUCTS, LEVELS, subject } from '../../reference/module.ts'
import { screenId, type ScreenPath } from '../../screens.ts'
import { COGNITIVE_LEVELS, COPYRIGHTS, EXERCISE_TYPES, GAOKAO_TYPES, OPTION_LAYOUTS, SOURCES, TYPES } from '../content/question.ts'
import { practiceCategory } from './category.ts'

/** Where a question lies: written and checked in the back bank, used from the official one. */
export const POOLS = [{ value: 'back', label: '后台题库' }, { value: 'official', label: '正式题库' }] as const
export type Pool = (typeof POOLS)[number]['value']

/** spec 9: practice difficulty: 1-2 hard, 3 medium, 4-5 easy. Three names over five values; where one of the five is set, it stands behind. */
export const DIFFICULTY_BANDS = [
  { label: '难', values: [1, 2], tone: 'error' }, { label: '中', values: [3], tone: 'warning' }, { label: '易', values: [4, 5], tone: 'success' },
] as const
export const DIFFICULTIES = DIFFICULTY_BANDS.flatMap(({ label, values, tone }) => values.map((value) => ({ value, label: `${label} ${value}`, tone })))

type DifficultyName = (typeof DIFFICULTY_BANDS)[number]['label']

/** Names of difficulties that a filter asks for, and what a filter asks for by names. */
export const bandsOf = (values: readonly number[] = []): DifficultyName[] => DIFFICULTY_BANDS.filter((band) => band.values.some((one) => values.includes(one))).map(({ label }) => label)
export const valuesOfBands = (names: readonly DifficultyName[]): number[] => DIFFICULTY_BANDS.filter(({ label }) => names.includes(label)).flatMap(({ values }) => [...values])

/** The name of a difficulty and its colour. */
export const difficultyBand = (value: number | null): (typeof DIFFICULTY_BANDS)[number] | undefined => DIFFICULTY_BANDS.find(({ values }) => values.some((one) => one === value))

/** domain 1.18. */
export const STATUS = { draft: 0, first: 1, second: 2, final: 3, published: 4, rejected: 5, revising: 6, off: 7, void: 8 } as const
export const STATUSES = [
  { value: STATUS.draft, label: '草稿', tone: 'idle' },
  { value: STATUS.first, label: '待一校', tone: 'warning' },
  { value: STATUS.second, label: '待二校', tone: 'warning' },
  { value: STATUS.final, label: '待终审', tone: 'warning' },
  { value: STATUS.published, label: '已发布', tone: 'success' },
  { value: STATUS.rejected, label: '已退回', tone: 'error' },
  { value: STATUS.revising, label: '修订中', tone: 'processing' },
  { value: STATUS.off, label: '已下架', tone: 'default' },
  { value: STATUS.void, label: '已作废', tone: 'default' },
] as const

const screens: Readonly<Record<Pool, readonly [ScreenPath, ScreenPath, ScreenPath]>> = {
  back: ['/practice/back', '/practice/backJunior', '/practice/backPrimary'],
  official: ['/practice/official', '/practice/officialJunior', '/practice/officialPrimary'],
}
const editors: readonly [ScreenPath, ScreenPath, ScreenPath] = ['/practice/:type/:id', '/practice/junior/:type/:id', '/practice/primary/:type/:id']

/** The screen of a bank at a stage (spec 9: 0 senior, 1 junior; domain: 2 primary). */
export const bankScreen = (pool: Pool, level: number): number => screenId(screens[pool][level] ?? screens[pool][0])
/** Address of a bank. */
export const bankPath = (pool: Pool, level: number): string => screens[pool][level] ?? screens[pool][0]
/** Route of a stage's editor. */
export const editorRoute = (level: number): ScreenPath => editors[level] ?? editors[0]
export const editorScreen = (level: number): number => screenId(editorRoute(level))

/** Address of a question in the editor of its stage. */
export function editorPath(level: number, type: Pool | 'verify', id: number | 'new'): string {
  return editorRoute(level).replace(':type', type).replace(':id', String(id))
}

const LEVEL_IDS = [0, 1, 2] as const
/** Every screen of a bank. */
export const BANK_SCREENS: readonly number[] = [...LEVEL_IDS.map((level) => bankScreen('back', level)), ...LEVEL_IDS.map((level) => bankScreen('official', level))]

/** Actions of a bank's screen by their n; 1 to 5 are the standard ones. */
export const BANK_ACTIONS = { edit: 1, remove: 2, import: 3, export: 4, submit: 11, assign: 12, shelf: 13, revise: 14, similar: 15, answers: 16 } as const
export type BankAction = keyof typeof BANK_ACTIONS

/** Ids that a call asks for when it may concern any stage; the handler then looks at the stage of the question. */
export const bankGrants = (pool: Pool, action?: BankAction): number[] =>
  LEVEL_IDS.map((level) => (action ? actionId(bankScreen(pool, level), BANK_ACTIONS[action]) : bankScreen(pool, level)))
export const bankGrant = (pool: Pool, level: number, action: BankAction): number => actionId(bankScreen(pool, level), BANK_ACTIONS[action])

const FLAG = { on: '有', off: '无' }
const YEARS = Array.from({ length: 151 }, (_, index) => ({ value: 1950 + index, label: String(1950 + index) }))
const words = (list: readonly string[]) => list.map((label) => ({ value: label, label }))

/** Pictures of the original that a question was typed from, for a person who types and checks it; no part of its text. */
export const SCANS = images('原题图片')

/**
 * A question as lists find and show it. Its text lies in `practice_body`, so that a list reads narrow rows; both are
 * written by bank/write.server.ts alone. No call is made from this definition: banks of three stages have six screens,
 * and what may be done follows from the state of a question.
 */
export const practice = defineResource({
  name: 'practice',
  label: '试题',
  measure: '道',
  title: 'no',
  grant: bankScreen('back', 0),
  api: api('/daoyuan/api/dou_practice/end', 'practices', 'practice'),
  fields: {
    no: text('题号', { required: true, readonly: true, unique: true, max: 24 }),
    pool: choice('题库', POOLS, { required: true, readonly: true }),
    level: choice('学段', LEVELS, { required: true, readonly: true }),
    subject_id: reference('学科', () => subject, { required: true, alias: 'cat_id' }),
    type: choice('题型', TYPES, { required: true }),
    category_id: reference('题型分类', () => practiceCategory),
    difficulty: choice('难度', DIFFICULTIES),
    coef: number('难度系数', { digits: 3, max: 1 }),
    option_layout: choice('选项排列', OPTION_LAYOUTS),
    source: choice('来源', SOURCES),
    source_paper: text('来源试卷', { max: 100 }),
    source_order: number('试卷题序', { max: 9999 }),
    source_years: multiChoice('年份', YEARS),
    exam_region_id: choice('卷区', EXAM_REGIONS.map(({ id, name }) => ({ value: id, label: name }))),
    exam_year: examYear('高考届'),
    gaokao_type: choice('高考类型', GAOKAO_TYPES),
    exercise_type: choice('习题类型', EXERCISE_TYPES),
    score: number('分值', { digits: 1, max: 300 }),
    est_seconds: number('预计用时', { max: 36_000, unit: '秒' }),
    cognitive: choice('认知层次', words(COGNITIVE_LEVELS)),
    competence: tags('核心素养'),
    tags: tags('标记'),
    copyright: choice('版权', words(COPYRIGHTS)),
    products: multiChoice('调用产品', INVOKING_PRODUCTS),
    video: text('讲解视频', { max: 200 }),
    scans: SCANS,
    has_image: toggle('图片', FLAG, { readonly: true, initial: 0 }),
    has_formula: toggle('公式', FLAG, { readonly: true, initial: 0 }),
    has_video: toggle('视频', FLAG, { readonly: true, initial: 0 }),
    has_analysis: toggle('解析', FLAG, { readonly: true, initial: 0 }),
    auto_gradable: toggle('自动批改', { on: '是', off: '否' }, { readonly: true, initial: 0 }),
    status: choice('状态', STATUSES, { required: true, readonly: true, initial: STATUS.draft }),
    urgent: toggle('加急', { on: '是', off: '否' }, { readonly: true, initial: 0 }),
    owner_id: number('录入人', { readonly: true }),
    verifier1_id: number('一校', { readonly: true }),
    verifier2_id: number('二校', { readonly: true }),
    assignee_id: number('指派校对', { readonly: true }),
    /** 0 to 100: completeness, checks and statistics taken together. */
    quality: number('质量分', { readonly: true, max: 100 }),
    content_hash: text('内容指纹', { readonly: true, max: 40 }),
    version_no: number('版本', { readonly: true, initial: 0 }),
    published_at: time('发布时间', { readonly: true }),
    /** The question of the other bank that this one was published to or is revised from. */
    origin_id: number('关联试题', { readonly: true }),
    use_count: number('使用次数', { readonly: true, initial: 0 }),
    /** Words of the stem, the options and the parts, with formulas as TeX. */
    search_text: longText('全文', { readonly: true, max: 100_000, search: true }),
  },
  list: { columns: ['id', 'no', 'type', 'difficulty', 'status', 'updated_at'], filters: ['subject_id', 'type', 'difficulty', 'status'] },
  logged: [
    { name: 'submit', label: '提交校对' }, { name: 'withdraw', label: '撤回' }, { name: 'void', label: '作废' }, { name: 'reopen', label: '恢复为草稿' }, { name: 'take_off', label: '下架' }, { name: 'put_on', label: '上架' },
    { name: 'assign', label: '分配校对' }, { name: 'pass', label: '校对通过' }, { name: 'reject', label: '校对退回' }, { name: 'revise', label: '修订' }, { name: 'label', label: '修改标签' }, { name: 'distinct', label: '标为不同题' }, { name: 'replace_uses', label: '替换引用' }, { name: 'review_question', label: '收录教师自编题' },
    // Of what is no record of a list.
    { name: 'verify_settings', label: '修改校对设置' }, { name: 'draw', label: '抽取可信来源样本' }, { name: 'sign', label: '签署批量通过' }, { name: 'rebuild', label: '重建精选题' },
  ],
  // A list goes through a subject by id; what narrows it much has an index in which those few stand by id.
  indexes: [
    ['pool', 'subject_id', 'id'], ['pool', 'level', 'id'], ['pool', 'subject_id', 'type', 'difficulty', 'id'], ['pool', 'subject_id', 'difficulty', 'id'], ['pool', 'subject_id', 'owner_id', 'id'],
    ['pool', 'subject_id', 'exam_region_id', 'id'], ['pool', 'subject_id', 'has_analysis', 'id'], ['pool', 'subject_id', 'quality', 'id'], ['pool', 'subject_id', 'use_count', 'id'],
    ['pool', 'subject_id', 'status', 'type', 'difficulty', 'id'], ['pool', 'subject_id', 'updated_at', 'id'], ['content_hash'], ['origin_id'], ['owner_id', 'status'], ['assignee_id', 'status'],
  ],
  searchedWithin: ['pool', 'subject_id'],
  scope: { subject: 'subject_id', level: 'level' },
  without: ['create', 'update', 'edit', 'remove', 'export'],
})
