import { choice, multiChoice, shelf, toggle } from '../../core/field/choice.ts'
import { number, sortOrder } from '../../core/field/number.ts'
import { reference, referenceList } from '../../core/field/reference.ts'
import { text } from '../../core/field/text.ts'
import { standardId } from '../../core/grant/grant.ts'
import type { RightTable } from '../../core/grant/rights.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { defineResource, itemsTotal } from '../../core/resource/define.ts'
import { EXAM_REGIONS, examYear, GRADES, INVOKING_PRODUCTS, LEVELS, subject } from '../reference/module.ts'
import { screenId } from '../screens.ts'
import { knowledgeLabel } from '../practice/module.ts'
import { LESSONS } from './lesson/lesson.ts'
import { readGrants, type PaperKind, type PaperScreen } from './kind.ts'
import { STAGES } from './stage.ts'

/** domain 1.18, with 修订中: a shelved paper that is being edited; what learners see stays the version before. */
export const PAPER_STATE = { draft: 0, waiting: 1, shelved: 2, off: 3, archived: 4, revising: 5 } as const

export const PAPER_STATES = [
  { value: PAPER_STATE.draft, label: '草稿', tone: 'idle' }, { value: PAPER_STATE.waiting, label: '待审', tone: 'warning' }, { value: PAPER_STATE.shelved, label: '已上架', tone: 'success' },
  { value: PAPER_STATE.off, label: '已下架', tone: 'default' }, { value: PAPER_STATE.archived, label: '已归档', tone: 'default' }, { value: PAPER_STATE.revising, label: '修订中', tone: 'warning' },
] as const

/** Rights of a list of papers beside the standard ones. */
const PAPER_RIGHTS = { approve: [11, '审核和上下架'], archive: [12, '归档'], mark: [21, '答题卡阅卷'] } as const satisfies RightTable

const SOURCES = [
  { value: 'college_entrance_exam_paper', label: '高考卷' }, { value: 'senior_must_paper', label: '必刷卷' }, { value: 'practice_book', label: '练习册' },
  { value: 'dou_practice', label: '自编' }, { value: 'smart', label: '智能组卷' },
] as const
const EXAM_TYPES = ['高考', '一模', '二模', '三模', '中考', '期末', '期中', '月考', '单元测试', '周测'].map((label) => ({ value: label, label }))
/** spec 9: paper difficulty 1-5. */
export const PAPER_DIFFICULTIES = [
  { value: 1, label: '很难', tone: 'error' }, { value: 2, label: '较难', tone: 'error' }, { value: 3, label: '难', tone: 'warning' },
  { value: 4, label: '中等', tone: 'processing' }, { value: 5, label: '易', tone: 'success' },
] as const
/** spec 3: paper attribute options. */
const ATTRIBUTES = [{ value: 1, label: '同步' }, { value: 2, label: '综合' }] as const
/** spec 3: college entrance type. */
const GAOKAO_TYPES = [{ value: 1, label: '新高考' }, { value: 2, label: '旧高考' }] as const
const TERMS = [{ value: 1, label: '上学期' }, { value: 2, label: '下学期' }, { value: 3, label: '全学年' }] as const
const HAS = { on: '有', off: '无' }

/** Types of papers where a list holds all stages. */
const ALL_TYPES = [...new Map(STAGES.flatMap(({ paperTypes }) => paperTypes).map((one) => [one.value, one])).values()]

/** Papers of a kind on one of its screens: those of one stage, or of all where the screen names none. */
function paperResource(kind: PaperKind, screen: PaperScreen) {
  const { draft, waiting, shelved, off, archived, revising } = PAPER_STATE
  const { stage } = screen
  // A kind's own columns are known to its module; here only their names matter.
  const own = (kind.shown ?? []) as never[]
  const typed = (kind.typed ?? []) as never[]
  const level = stage ? [] : ['level'] as const
  return defineResource({
    name: [kind.value, 'paper', ...(stage ? [stage.key] : [])].join('_'),
    table: 'paper',
    label: kind.noun,
    measure: '份',
    grant: screenId(screen.screen),
    rights: defineRights(screenId(screen.screen), PAPER_RIGHTS),
    api: { ...screen.api, reply: itemsTotal },
    fields: {
      kind: choice('类别', [{ value: kind.value, label: kind.label }], { required: true, readonly: true }),
      level: choice('学段', LEVELS, { required: true, readonly: true }),
      name: text('试卷名称', { required: true, max: 100, search: true }),
      subject_id: reference('学科', () => subject, { required: true, createOnly: true, ...(stage && { within: { level: 'level' } }), alias: 'cat_id' }),
      paper_type: choice('试卷类型', stage?.paperTypes ?? ALL_TYPES),
      grade: choice('年级', GRADES),
      term: choice('学期', TERMS),
      exam_region_id: choice('卷区', EXAM_REGIONS.map(({ id, name }) => ({ value: id, label: name }))),
      // spec 9: exam years are the current year to +4, the year of the learners' own exam; a paper's own year is another.
      exam_year: examYear('高考届', { help: '适用学生的高考年份' }),
      source_year: number('真题年份', { min: 1950, max: 2200 }),
      exam_type: choice('考试类型', EXAM_TYPES),
      gaokao_type: choice('高考类型', GAOKAO_TYPES),
      attr: choice('试卷属性', ATTRIBUTES),
      has_video: toggle('视频', HAS, { readonly: true, initial: 0 }),
      ai_test: toggle('智能测评', { on: '是', off: '否', onDone: '已设为智能测评', offDone: '已取消智能测评' }),
      difficulty: choice('难度', PAPER_DIFFICULTIES),
      coef: number('难度系数', { digits: 3, max: 1, readonly: true }),
      duration: number('考试时长', { min: 1, max: 600, unit: '分钟' }),
      total_score: number('总分', { digits: 1, max: 99_999, readonly: true, initial: 0 }),
      question_count: number('题数', { readonly: true, initial: 0 }),
      video_share: number('视频覆盖', { readonly: true, max: 100, unit: '%', initial: 0 }),
      source: choice('来源', SOURCES),
      products: multiChoice('调用产品', INVOKING_PRODUCTS),
      label_ids: referenceList('知识点', () => knowledgeLabel, { within: { subject_id: 'subject_id' } }),
      // Behind the fields of every paper: what is within its subject needs to come after it.
      ...(kind.fields?.(screen) as object),
      sort: sortOrder(),
      version_no: number('版本', { readonly: true, initial: 0 }),
      state: choice('状态', PAPER_STATES, { readonly: true, initial: draft }),
      // Learners see the version before while a paper is being revised.
      status: shelf('上架', { state: 'state', on: [shelved, revising], off }),
    },
    list: {
      columns: ['name', ...level, 'subject_id', ...own, 'paper_type', 'exam_region_id', 'source_year', 'question_count', 'total_score', 'difficulty', 'coef', 'video_share', 'version_no', 'state', 'status', 'updated_at'],
      filters: [...level, 'subject_id', ...own, 'paper_type', 'exam_region_id', 'source_year', 'exam_year', 'exam_type', 'gaokao_type', 'attr', 'has_video', 'ai_test', 'difficulty', 'grade', 'source', 'state', 'status', 'created_at'],
    },
    form: [
      { title: '基本信息', fields: ['name', 'subject_id', 'paper_type', 'grade', 'term', 'duration', 'difficulty', 'sort'] },
      { title: '考试', fields: ['exam_type', 'exam_region_id', 'source_year', 'exam_year', 'gaokao_type', 'attr', 'ai_test'] },
      { title: '来源和使用', fields: [...own, ...typed, 'source', 'products'] },
    ],
    import: { columns: ['name', ...(kind.imported ?? []) as never[], 'subject_id', 'paper_type', 'grade', 'term', 'exam_type', 'exam_region_id', 'source_year', 'duration', 'difficulty', 'source'], key: ['subject_id', 'name'] },
    transitions: [
      { name: 'submit', label: '提交审核', field: 'state', from: [draft, off, revising], to: waiting, instead: '提交错了，由审核人退回' },
      { name: 'shelve', label: '上架', field: 'state', from: [waiting, off], to: shelved, right: 'approve', instead: '上架错了，下架即可' },
      { name: 'reject', label: '退回', field: 'state', from: [waiting], to: draft, right: 'approve', reason: true, danger: true },
      { name: 'unshelve', label: '下架', field: 'state', from: [shelved, revising], to: off, right: 'approve', confirm: '下架后学员不能再开始作答，正在作答的不受影响。', instead: '修订中的试卷下架后要重新提交修订' },
      { name: 'archive', label: '归档', field: 'state', from: [off], to: archived, right: 'archive', instead: '归档不能撤销，需要时复制一份新试卷' },
    ],
    logged: kind.logged ?? [],
    indexes: [['kind', 'level', 'subject_id', 'id'], ['kind', 'subject_id', 'state', 'source_year', 'exam_region_id']],
    where: { kind: kind.value, ...(stage && { level: stage.level }) },
    scope: { subject: 'subject_id', level: 'level' },
    ...(kind.unscoped && { unscoped: kind.unscoped }),
  })
}

export type PaperResource = ReturnType<typeof paperResource>

/** spec 2: questions are added to a paper of any stage on a screen of its own. */
export const ADD_PRACTICE = '/papers/addPractice/:id'

interface Known {
  readonly kind: PaperKind
  readonly screen: PaperScreen
  readonly resource: PaperResource
}

const known: Known[] = []
/**
 * Ids that a call asks for when it may concern any paper; the handler then looks at the paper. The calls hold these lists
 * themselves, so that a kind of another module opens them too.
 */
const readers: number[] = []
const editors: number[] = []
const markers: number[] = []
export const READ_GRANTS: readonly number[] = readers
export const EDIT_GRANTS: readonly number[] = editors
/** Who reads answer cards back. */
export const MARK_GRANTS: readonly number[] = markers

/**
 * Makes a kind of papers known to the editor, its calls and what looks for papers.
 * @returns its papers, screen by screen, for the module that has them to serve and show
 * @throws Error when there is a kind of that name
 */
export function definePapers(kind: PaperKind): readonly PaperResource[] {
  if (known.some((one) => one.kind.value === kind.value)) throw new Error(`two kinds of papers are called ${kind.value}`)
  const added = kind.screens.map((screen) => ({ kind, screen, resource: paperResource(kind, screen) }))
  known.push(...added)
  for (const id of added.flatMap(({ screen }) => readGrants(screen))) if (!readers.includes(id)) readers.push(id)
  editors.push(...added.map(({ resource }) => standardId(resource.grant, 'edit')))
  markers.push(...added.map(({ resource }) => resource.rights.id('mark')))
  return added.map(({ resource }) => resource)
}

const knownOf = (paper: { kind: string; level: number }): Known => {
  const found = known.find(({ kind, screen: { stage } }) => kind.value === paper.kind && (stage === undefined || stage.level === paper.level))
  if (!found) throw new Error(`no papers of kind ${paper.kind} and level ${paper.level}`)
  return found
}
/** The resource that a paper belongs to. */
export const resourceOf = (paper: { kind: string; level: number }): PaperResource => knownOf(paper).resource
/** The screens that a paper belongs to. */
export const screenOfPaper = (paper: { kind: string; level: number }): PaperScreen => knownOf(paper).screen

const stageScreens = (kind: 'base' | 'micro', path: (one: 's' | '') => string): PaperScreen[] => STAGES.map((stage) => ({
  stage, screen: stage[kind], detail: stage.detail, add: ADD_PRACTICE, api: { list: `${path('s')}/${stage.key}`, item: `${path('')}/${stage.key}` },
}))

/** A micro paper goes with micro lessons of its stage (domain 1.16, 2.4). */
const bindLessons = ({ stage }: PaperScreen) => ({
  lesson_ids: referenceList('绑定微课', () => LESSONS[stage?.level ?? 0], { within: { subject_id: 'subject_id' }, alias: 'micro_lesson_ids' }),
})

/** The kinds of this module. */
export const PAPER_KINDS = {
  base: { value: 'base', label: '基础试卷', noun: '试卷', screens: stageScreens('base', (s) => `/daoyuan/api/end/base_practice_paper${s}`) },
  micro: { value: 'micro', label: '微试卷', noun: '微试卷', screens: stageScreens('micro', (s) => `/micro_material/api/end/micro_paper${s}`), fields: bindLessons, shown: ['label_ids', 'lesson_ids'] },
} as const satisfies Record<string, PaperKind>

/** The papers of each kind, in the order of the stages. */
export const PAPERS: Readonly<Record<keyof typeof PAPER_KINDS, readonly PaperResource[]>> = { base: definePapers(PAPER_KINDS.base), micro: definePapers(PAPER_KINDS.micro) }
/** All papers of this module, stage by stage. */
export const ALL_PAPERS = [...PAPERS.base, ...PAPERS.micro]

/** Those of base papers alone. */
export const BASE_EDIT_GRANTS: readonly number[] = PAPERS.base.map(({ grant }) => standardId(grant, 'edit'))
/** Those of micro papers alone, for the spec's own calls of them. */
export const MICRO_GRANTS: readonly number[] = PAPERS.micro.map(({ grant }) => grant)
export const MICRO_EDIT_GRANTS: readonly number[] = MICRO_GRANTS.map((grant) => standardId(grant, 'edit'))
export const APPROVE_GRANTS: readonly number[] = PAPERS.micro.map(({ rights }) => rights.id('approve'))
