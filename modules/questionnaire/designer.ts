import { branches, type SurveyItem, type SurveyOption, type SurveyType } from '../../core/public-page/survey.ts'

export const TYPE_NAMES: Readonly<Record<SurveyType, string>> = { single: '单选', multi: '多选', fill: '填空', words: '简答', rate: '评分', nps: 'NPS', matrix: '矩阵', rank: '排序', date: '日期', note: '说明', page: '分页' }

/** An id that nothing has and had: letters and digits, never given twice. */
export const freshId = (): string => `q${Math.random().toString(36).slice(2, 10)}`

const options = (...words: string[]): SurveyOption[] => words.map((label, at) => ({ id: `o${at + 1}`, label }))

/** The next option: its id is behind every other, so that one that is removed never means another. */
export function addOption(list: readonly SurveyOption[]): SurveyOption[] {
  const last = Math.max(0, ...list.map(({ id }) => Number(id.slice(1)) || 0))
  return [...list, { id: `o${last + 1}`, label: `选项 ${list.length + 1}` }]
}

/** A new item of a type, with what it needs at least. */
export function newItem(type: SurveyType): SurveyItem {
  const base = { id: freshId(), type, title: '' }
  if (type === 'page') return base
  if (type === 'note') return { ...base, title: '请在这里写说明' }
  const asked = { ...base, title: `请输入${TYPE_NAMES[type]}题`, required: true }
  if (type === 'single' || type === 'multi' || type === 'rank') return { ...asked, options: options('选项 1', '选项 2') }
  if (type === 'matrix') return { ...asked, rows: options('项目 1', '项目 2'), options: options('不满意', '一般', '满意') }
  return type === 'rate' ? { ...asked, most: 5 } : asked
}

/** Questions without one, and without what depended on it. */
export function without(items: readonly SurveyItem[], id: string): SurveyItem[] {
  return items.filter((item) => item.id !== id).map(({ show, jumps, ...item }) => {
    const left = jumps?.filter(({ to }) => to !== id)
    return { ...item, ...(show && show.question !== id && { show }), ...(left && left.length > 0 && { jumps: left }) }
  })
}

/** Earlier questions on whose answers one may depend. */
export const conditionsFor = (items: readonly SurveyItem[], id: string): SurveyItem[] => items.slice(0, items.findIndex((item) => item.id === id)).filter(branches)

/** Later items to which one may lead. */
export const targetsFor = (items: readonly SurveyItem[], id: string): SurveyItem[] => items.slice(items.findIndex((item) => item.id === id) + 1)
