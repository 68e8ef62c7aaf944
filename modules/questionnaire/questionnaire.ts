import * as z from 'zod/mini'
import { choice, multiChoice, toggle } from '../../core/field/choice.ts'
import { computed, json } from '../../core/field/json.ts'
import { number } from '../../core/field/number.ts'
import { longText, text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { SURVEY_TYPES, type SurveyItem } from '../../core/public-page/survey.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { screenId } from '../screens.ts'
import { ENTITLEMENT_LINES } from '../user/module.ts'

export const QUESTIONNAIRE_PATH = '/operate/questionnaire/index'

export const QUESTIONNAIRE_RIGHTS = defineRights(screenId(QUESTIONNAIRE_PATH), { publish: [11, '发布、暂停和结束'], answers: [12, '查看和导出答卷'] })

export const QUESTIONNAIRE_STATE = { draft: 1, live: 2, paused: 3, ended: 4 } as const

const S = QUESTIONNAIRE_STATE

export const QUESTIONNAIRE_STATES = [
  { value: S.draft, label: '草稿', tone: 'idle' }, { value: S.live, label: '进行中', tone: 'processing' }, { value: S.paused, label: '已暂停', tone: 'warning' }, { value: S.ended, label: '已结束', tone: 'default' },
] as const

const id = z.string('编号有误').check(z.regex(/^[a-z0-9]{1,12}$/, '编号有误'))
const words = (most: number) => z.string('应为文字').check(z.maxLength(most, `最多 ${most} 个字`))
const ids = z.array(id, '选项有误').check(z.maxLength(60, '选项最多 60 个'))
const options = z.array(z.object({ id, label: words(60) }), '选项有误').check(z.maxLength(60, '选项最多 60 个'))

/** Shape of the questions as they are stored; what they mean together is checked by check.ts. */
export const itemsSchema = z.array(z.object({
  id, type: z.enum(SURVEY_TYPES, '题型有误'), title: words(200), note: z.optional(words(300)), required: z.optional(z.boolean('必答有误')),
  options: z.optional(options), rows: z.optional(options), most: z.optional(z.int('应为整数').check(z.gte(1, '至少为 1'), z.lte(1000, '最多 1000'))), low: z.optional(words(20)), high: z.optional(words(20)),
  show: z.optional(z.object({ question: id, any: ids })), jumps: z.optional(z.array(z.object({ any: ids, to: id }), '跳转有误').check(z.maxLength(20, '跳转最多 20 条'))),
}), '题目有误').check(z.maxLength(100, '最多 100 项')) as z.ZodMiniType<SurveyItem[]>

/** Questions for people outside. What was answered stands beside it (`questionnaire_answer`). */
export const questionnaire = defineResource({
  name: 'questionnaire',
  label: '问卷',
  measure: '份',
  title: 'title',
  grant: QUESTIONNAIRE_RIGHTS.screen,
  rights: QUESTIONNAIRE_RIGHTS,
  api: api('/daoyuan/api/end', 'questionnaires', 'questionnaire'),
  fields: {
    title: text('标题', { required: true, max: 60, search: true }),
    intro: longText('说明', { max: 500, help: '显示在题目上方' }),
    questions: json('题目', itemsSchema),
    lines: multiChoice('面向产品线', ENTITLEMENT_LINES, { help: '学习端只对这些产品线的学员弹出；不选则对所有人' }),
    start_at: time('开始时间', { help: '不填则发布后立即开始' }),
    end_at: time('结束时间', { help: '不填则手动结束' }),
    per_user: number('每人可答', { required: true, min: 1, max: 10, initial: 1, unit: '次' }),
    anonymous: toggle('填写方式', { on: '匿名', off: '记名' }, { initial: 0, help: '匿名时不保存是谁填写的，仍会拦住重复提交' }),
    question_cnt: computed('题数', 'number'),
    opened: computed('打开', 'number'),
    answered: computed('答卷', 'number'),
    rate: computed('完成率', 'percent'),
    version: number('版本', { readonly: true }),
    published_at: time('发布时间', { readonly: true }),
    state: choice('状态', QUESTIONNAIRE_STATES, { required: true, readonly: true, initial: S.draft }),
  },
  list: {
    columns: ['title', 'state', 'question_cnt', 'opened', 'answered', 'rate', 'end_at', 'created_by_name', 'updated_at', 'lines', 'start_at', 'per_user', 'anonymous', 'version', 'published_at', 'created_at'],
    filters: ['state', 'lines', 'anonymous', 'start_at', 'end_at', 'published_at', 'created_at'],
  },
  form: [
    { title: '问卷', fields: ['title', 'intro'] },
    { title: '投放', fields: ['lines', 'start_at', 'end_at', 'per_user', 'anonymous'] },
  ],
  transitions: [
    { name: 'publish', label: '发布', field: 'state', from: [S.draft], to: S.live, right: 'publish', instead: '发布错了，暂停后另建问卷' },
    { name: 'pause', label: '暂停', field: 'state', from: [S.live], to: S.paused, right: 'publish' },
    { name: 'resume', label: '继续', field: 'state', from: [S.paused], to: S.live, right: 'publish' },
    { name: 'end', label: '结束', field: 'state', from: [S.live, S.paused], to: S.ended, right: 'publish', danger: true, confirm: '结束后不能再填写，也不能重新开始，确认结束？', instead: '结束不能撤销，需要时复制一份' },
  ],
  logged: [{ name: 'copy', label: '复制' }, { name: 'exclude', label: '排除答卷' }, { name: 'answer', label: '填写' }],
  policies: [{ of: ['edit'], policy: 'unless', field: 'state', values: [S.ended], why: '问卷已结束，要改请复制一份' }],
  indexes: [['state', 'end_at']],
})
