import { multiChoice, toggle } from '../../../core/field/choice.ts'
import { computed } from '../../../core/field/json.ts'
import { number } from '../../../core/field/number.ts'
import { longText, text } from '../../../core/field/text.ts'
import { timeRange } from '../../../core/field/time.ts'
import { api, defineResource } from '../../../core/resource/define.ts'
import { screenId } from '../../screens.ts'
import { OWNERSHIP } from '../../study-room/module.ts'

const WEEKDAYS = [
  { value: 1, label: '周一' }, { value: 2, label: '周二' }, { value: 3, label: '周三' }, { value: 4, label: '周四' }, { value: 5, label: '周五' }, { value: 6, label: '周六' }, { value: 7, label: '周日' },
] as const

/** One name of an Android package in each line. */
const PACKAGES = /^[A-Za-z]\w*(\.[A-Za-z]\w*)+(\n[A-Za-z]\w*(\.[A-Za-z]\w*)+)*$/

/** What a pad lets its user do (domain 1.9, policy): a version is one wording of it, and pads say which they obey. */
export const padPolicy = defineResource({
  name: 'pad_policy',
  label: '管控策略',
  grant: screenId('/study-room/pad'),
  api: api(OWNERSHIP.own.base, 'pad_policies', 'pad_policy'),
  fields: {
    name: text('策略名称', { required: true, max: 40, unique: true, search: true }),
    apps: longText('应用白名单', { required: true, max: 2000, pattern: [PACKAGES, '每行一个应用包名，如 com.daoyuan.study'], help: '每行一个应用包名，名单以外的应用不能打开', example: 'com.daoyuan.study' }),
    weekdays: multiChoice('可用日', WEEKDAYS, { help: '不选则每天可用' }),
    hours: timeRange('可用时段', { help: '时段以外自动锁屏；不填则全天可用' }),
    allow_install: toggle('安装应用', { on: '允许', off: '禁止', onDone: '已允许安装应用', offDone: '已禁止安装应用' }, { required: true, initial: 0 }),
    version: number('管控版本', { required: true, readonly: true, initial: 1 }),
    pad_cnt: computed('平板数'),
    behind_cnt: computed('未生效'),
    status: toggle('状态', { on: '启用', off: '停用' }, { required: true }),
  },
  list: {
    columns: ['name', 'version', 'pad_cnt', 'behind_cnt', 'weekdays', 'hours', 'apps', 'allow_install', 'status', 'updated_at'],
    filters: ['status', 'created_at'],
  },
  form: [{ fields: ['name', 'apps', 'weekdays', 'hours', 'allow_install', 'status'] }],
})

/** Fields that a pad obeys: a change of any of them is a new version. */
export const OBEYED = ['apps', 'weekdays', 'hours', 'allow_install'] as const
