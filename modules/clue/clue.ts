import { choice } from '../../core/field/choice.ts'
import { computed } from '../../core/field/json.ts'
import { mobile } from '../../core/field/mobile.ts'
import { reference } from '../../core/field/reference.ts'
import { region } from '../../core/field/region.ts'
import { segment } from '../../core/field/segment.ts'
import { longText, text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { channel, GRADES } from '../reference/module.ts'
import { screenId } from '../screens.ts'
import { staff } from '../staff/module.ts'
import { LIVING, STAGE, STAGES } from './stage.ts'

const S = STAGE

export const CLUE_PATH = '/excellent-training/clue'

export const CLUE_RIGHTS = defineRights(screenId(CLUE_PATH), { claim: [11, '领取和放回公海'], assign: [12, '分配和转移'] })

/** Edges among the stages that people set: from any of them to any other. */
const toStage = (name: string, label: string, to: number) => ({ name, label, field: 'stage' as const, from: LIVING.filter((stage) => stage !== to) as 1[], to: to as 1, instead: '标错了，改标为正确的阶段' })

/** domain 1.7: somebody who may come to learn with us, and who speaks with them. What was said stands beside it (`clue_follow`). */
export const clue = defineResource({
  name: 'clue',
  label: '线索',
  measure: '条',
  grant: CLUE_RIGHTS.screen,
  rights: CLUE_RIGHTS,
  api: api('/daoyuan/api/end/excellent_training', 'clues', 'clue'),
  fields: {
    // The parent who is spoken with; a child's name is not asked before there is an account.
    name: text('家长称呼', { required: true, max: 20, search: true, example: '陈女士' }),
    mobile: mobile('手机号', { required: true, createOnly: true, search: true }),
    grade: choice('年级', GRADES),
    school: text('学校', { max: 40, search: true }),
    region_code: region('所在地区'),
    subjects: text('意向学科', { max: 40, example: '数学、物理' }),
    channel_id: reference('来源渠道', () => channel, { required: true, onRemove: 'keep' }),
    intent: choice('意向', [{ value: 'A', label: 'A 很强', tone: 'success' }, { value: 'B', label: 'B 较强', tone: 'processing' }, { value: 'C', label: 'C 一般', tone: 'idle' }, { value: 'D', label: 'D 较弱', tone: 'default' }], { initial: 'C' }),
    owner_id: reference('顾问', () => staff, { readonly: true, onRemove: 'keep' }),
    view: segment('视图', [{ value: 'today', label: '今日待跟进' }, { value: 'pool', label: '公海' }, { value: 'silent', label: '从未跟进' }, { value: 'falling', label: '2 天内掉入公海' }]),
    follow_cnt: computed('跟进次数'),
    last_words: computed('最近跟进', 'text'),
    next_follow_at: time('下次跟进'),
    last_follow_at: time('最近跟进时间', { readonly: true, audit: false }),
    protect_until: time('保护至', { readonly: true, audit: false }),
    max_until: time('最长保护至', { readonly: true, audit: false }),
    pooled_at: time('进入公海', { readonly: true }),
    last_owner_id: reference('上一顾问', () => staff, { readonly: true, onRemove: 'keep' }),
    order_no: text('成交订单', { readonly: true, max: 24 }),
    lost_reason: text('无效原因', { readonly: true, max: 200 }),
    remark: longText('备注', { max: 200 }),
    stage: choice('阶段', STAGES, { readonly: true, initial: S.fresh }),
  },
  list: {
    columns: ['name', 'stage', 'intent', 'mobile', 'owner_id', 'last_words', 'next_follow_at', 'protect_until', 'grade', 'channel_id', 'created_at', 'school', 'region_code', 'subjects', 'follow_cnt', 'last_follow_at', 'pooled_at', 'last_owner_id', 'order_no', 'lost_reason', 'remark'],
    under: ['school'],
    filters: ['stage', 'view', 'owner_id', 'intent', 'channel_id', 'grade', 'region_code', 'mobile', 'next_follow_at', 'last_follow_at', 'created_at'],
  },
  form: [
    { title: '家长和学生', fields: ['name', 'mobile', 'grade', 'school', 'region_code'] },
    { title: '意向', fields: ['channel_id', 'intent', 'subjects', 'next_follow_at', 'remark'] },
  ],
  import: { columns: ['name', 'mobile', 'grade', 'school', 'region_code', 'channel_id', 'intent', 'subjects', 'remark'], key: ['mobile'] },
  transitions: [
    toStage('speak', '标为已联系', S.spoken), toStage('book', '标为已约测', S.booked), toStage('assess', '标为已测评', S.assessed), toStage('try_lesson', '标为已试听', S.tried),
    { name: 'void', label: '标为无效', field: 'stage', from: LIVING as 1[], to: S.void, reason: true, danger: true, instead: '标错了，恢复为新线索' },
    { name: 'revive', label: '恢复为新线索', field: 'stage', from: [S.void], to: S.fresh },
  ],
  logged: [{ name: 'follow', label: '跟进' }, { name: 'claim', label: '领取' }, { name: 'assign', label: '分配' }, { name: 'release', label: '放回公海' }, { name: 'fall', label: '掉入公海' }, { name: 'enrol', label: '成交' }],
  policies: [{ of: ['edit'], policy: 'unless', field: 'stage', values: [S.enrolled], why: '已报名的线索不能修改' }],
  indexes: [['stage', 'next_follow_at'], ['owner_id', 'stage'], ['mobile', 'stage'], ['protect_until']],
  without: ['remove'],
})
