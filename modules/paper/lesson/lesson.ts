import { choice, shelf } from '../../../core/field/choice.ts'
import { file, image, video } from '../../../core/field/file.ts'
import { computed } from '../../../core/field/json.ts'
import { number, sortOrder } from '../../../core/field/number.ts'
import { reference, referenceList, treeReference } from '../../../core/field/reference.ts'
import { text } from '../../../core/field/text.ts'
import { standardId } from '../../../core/grant/grant.ts'
import { defineRights } from '../../../core/grant/rights.ts'
import { defineResource, itemsTotal } from '../../../core/resource/define.ts'
import { chapter, DIFFICULTIES, knowledgeLabel } from '../../practice/module.ts'
import { LEVELS, subject } from '../../reference/module.ts'
import { screenId } from '../../screens.ts'
import { STAGES, type Stage } from '../stage.ts'

/** domain 1.16 and 1.18; an uploaded MP4 is played as it is, so that there is nothing to wait for. */
export const LESSON_STATE = { draft: 0, waiting: 1, shelved: 2, off: 3 } as const
export const LESSON_STATES = [
  { value: LESSON_STATE.draft, label: '草稿', tone: 'idle' }, { value: LESSON_STATE.waiting, label: '待审', tone: 'warning' },
  { value: LESSON_STATE.shelved, label: '已上架', tone: 'success' }, { value: LESSON_STATE.off, label: '已下架', tone: 'default' },
] as const

/** domain 1.16: a micro lesson is at most fifteen minutes long. */
export const LONGEST = 15 * 60

/** Micro lessons of one stage; all of them lie in one table. */
function lessonResource(stage: Stage) {
  const { draft, waiting, shelved, off } = LESSON_STATE
  return defineResource({
    name: `micro_lesson_${stage.key}`,
    table: 'micro_lesson',
    label: '微课',
    measure: '节',
    grant: screenId(stage.course),
    rights: defineRights(screenId(stage.course), { approve: [11, '审核和上下架'] }),
    api: { list: `/micro_material/api/end/micro_lessons/${stage.key}`, item: `/micro_material/api/end/micro_lesson/${stage.key}`, reply: itemsTotal },
    fields: {
      level: choice('学段', LEVELS, { required: true, readonly: true }),
      name: text('微课名称', { required: true, max: 60, search: true }),
      subject_id: reference('学科', () => subject, { required: true, createOnly: true, within: { level: 'level' }, alias: 'cat_id' }),
      label_id: treeReference('主知识点', () => knowledgeLabel, { required: true, within: { subject_id: 'subject_id' } }),
      label_ids: referenceList('相关知识点', () => knowledgeLabel, { within: { subject_id: 'subject_id' } }),
      catalog_id: reference('教材章节', () => chapter),
      teacher: text('主讲老师', { max: 20, search: true }),
      video: video('视频', { required: true }),
      duration: number('时长', { required: true, min: 1, max: LONGEST, unit: '秒', help: '上传视频后自动填写，最长 15 分钟' }),
      cover: image('封面'),
      handout: file('讲义'),
      difficulty: choice('难度', DIFFICULTIES),
      code_url: text('二维码地址', { max: 300, pattern: [/^https?:\/\/\S+$/, '应以 http:// 或 https:// 开头'], help: '学员扫码后打开的页面' }),
      practice_count: computed('关联试题', 'number'),
      play_count: computed('播放次数', 'number'),
      finished_share: computed('完播率', 'percent'),
      sort: sortOrder(),
      state: choice('状态', LESSON_STATES, { readonly: true, initial: draft }),
      status: shelf('上架', { state: 'state', on: [shelved], off }),
    },
    list: {
      columns: ['cover', 'name', 'state', 'teacher', 'practice_count', 'play_count', 'finished_share', 'updated_at', 'status', 'subject_id', 'label_id', 'video', 'duration', 'difficulty'], under: ['subject_id', 'label_id'],
      filters: ['subject_id', 'label_id', 'catalog_id', 'difficulty', 'state', 'status', 'created_at'],
    },
    form: [
      { title: '基本信息', fields: ['name', 'subject_id', 'label_id', 'label_ids', 'catalog_id', 'teacher', 'difficulty', 'sort'] },
      { title: '内容', fields: ['video', 'duration', 'cover', 'handout', 'code_url'] },
    ],
    transitions: [
      { name: 'submit', label: '提交审核', field: 'state', from: [draft], to: waiting },
      { name: 'shelve', label: '上架', field: 'state', from: [waiting, off], to: shelved, right: 'approve', instead: '上架错了，下架即可' },
      { name: 'reject', label: '退回', field: 'state', from: [waiting], to: draft, right: 'approve', reason: true, danger: true },
      { name: 'unshelve', label: '下架', field: 'state', from: [shelved], to: off, right: 'approve', confirm: '下架后学员不能再观看。' },
    ],
    indexes: [['level', 'subject_id', 'id'], ['label_id', 'id']],
    where: { level: stage.level },
    scope: { subject: 'subject_id', level: 'level' },
  })
}

/** The micro lessons of each stage, in the order of the stages. */
export const LESSONS = [lessonResource(STAGES[0]), lessonResource(STAGES[1]), lessonResource(STAGES[2])] as const

/** Ids that a call asks for when it may concern lessons of any stage; the handler then looks at the lesson. */
export const LESSON_GRANTS: readonly number[] = LESSONS.map(({ grant }) => grant)
export const LESSON_EDIT_GRANTS: readonly number[] = LESSON_GRANTS.map((grant) => standardId(grant, 'edit'))
export const LESSON_APPROVE_GRANTS: readonly number[] = LESSONS.map(({ rights }) => rights.id('approve'))
