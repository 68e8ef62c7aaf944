import { choice, toggle } from '../../../core/field/choice.ts'
import { computed, tags } from '../../../core/field/json.ts'
import { text } from '../../../core/field/text.ts'
import { api, defineResource } from '../../../core/resource/define.ts'
import { MANAGE_RIGHTS } from '../rights.ts'
import { LEVEL } from './match.ts'

export const WORD_GROUPS = [
  { value: 'ad', label: '广告引流' }, { value: 'abuse', label: '辱骂攻击' }, { value: 'porn', label: '低俗色情' }, { value: 'law', label: '违法违规' }, { value: 'cheat', label: '作弊代考' }, { value: 'other', label: '其他' },
] as const
export type WordGroup = (typeof WORD_GROUPS)[number]['value']

export const LEVELS = [
  { value: LEVEL.block, label: '拦截', tone: 'error' }, { value: LEVEL.review, label: '待审', tone: 'warning' }, { value: LEVEL.replace, label: '替换', tone: 'processing' }, { value: LEVEL.note, label: '记录', tone: 'default' },
] as const

export const WORD_STATE = { on: 1, off: 0 } as const
const S = WORD_STATE

/** Longest word, and longest phrase in which one is not meant. */
export const WORD_LENGTH = 30

/** A word that is looked for in what learners write. It is saved by a call of its own, which tries it on what was said lately. */
export const sensitiveWord = defineResource({
  name: 'sensitive_word',
  label: '敏感词',
  measure: '个',
  title: 'word',
  grant: MANAGE_RIGHTS.screen,
  rights: MANAGE_RIGHTS,
  api: api('/daoyuan/api/end', 'sensitive_words', 'sensitive_word'),
  fields: {
    word: text('词', { required: true, readonly: true, max: WORD_LENGTH, search: true }),
    /** How it is looked for: two spellings of a word are one. */
    fold: { ...text('匹配形式', { required: true, readonly: true, unique: true, max: WORD_LENGTH, audit: false }), unlisted: true as const },
    group: choice('分组', WORD_GROUPS, { required: true, readonly: true }),
    level: choice('处理', LEVELS, { required: true, readonly: true }),
    loose: toggle('谐音匹配', { on: '开', off: '关' }, { readonly: true, initial: 0 }),
    exempt: tags('豁免短语', { readonly: true, longest: WORD_LENGTH }),
    hit_n: computed('近 30 天命中'),
    state: choice('状态', [{ value: S.on, label: '启用', tone: 'success' }, { value: S.off, label: '停用', tone: 'default' }], { readonly: true, initial: S.on }),
  },
  list: { columns: ['word', 'state', 'level', 'group', 'loose', 'exempt', 'hit_n', 'updated_by_name', 'updated_at', 'created_at'], filters: ['state', 'level', 'group', 'loose', 'created_at'] },
  transitions: [
    { name: 'enable', label: '启用', field: 'state', from: [S.off], to: S.on, right: 'words' },
    { name: 'disable', label: '停用', field: 'state', from: [S.on], to: S.off, right: 'words', danger: true },
  ],
  logged: [{ name: 'save_word', label: '保存敏感词' }, { name: 'paste_words', label: '批量录入' }],
  indexes: [['state', 'id'], ['group', 'id']],
  without: ['create', 'update', 'edit', 'import'],
})
