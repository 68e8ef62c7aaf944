import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asks, keptAnswers, optionsOf, pagesOf, path, surveyProblems, type SurveyItem } from './survey.ts'

const options = (...ids: string[]) => ids.map((id) => ({ id, label: `选项 ${id}` }))
const ITEMS: SurveyItem[] = [
  { id: 'a', type: 'single', title: '是否在读', required: true, options: options('yes', 'no'), jumps: [{ any: ['no'], to: 'd' }] },
  { id: 'b', type: 'multi', title: '学科', options: options('x', 'y', 'z'), most: 2 },
  { id: 'p', type: 'page', title: '第二页' },
  { id: 'c', type: 'words', title: '为什么选 x', required: true, show: { question: 'b', any: ['x'] }, most: 5 },
  { id: 'd', type: 'nps', title: '推荐', required: true, jumps: [{ any: ['10'], to: 'end' }] },
  { id: 'e', type: 'matrix', title: '满意度', required: true, rows: options('r1', 'r2'), options: options('1', '2') },
  { id: 'f', type: 'rank', title: '排序', options: options('k', 'l') },
  { id: 'g', type: 'date', title: '日期' },
]
const ids = (answers: Record<string, string | string[]>) => path(ITEMS, answers).map(({ id }) => id).join('')

test('jumps lead forward, conditions look back, and the end is the end', () => {
  expect(ids({ a: 'yes', b: ['x'] })).toBe('abpcdefg')
  expect(ids({ a: 'yes' })).toBe('abpdefg')
  expect(ids({ a: 'no', b: ['x'] })).toBe('adefg')
  expect(ids({ a: 'no', d: '10' })).toBe('ad')
  expect(pagesOf(path(ITEMS, { a: 'yes' })).map((page) => page.map(({ id }) => id).join(''))).toEqual(['ab', 'pdefg'])
})

test('who goes back and answers otherwise loses what they are not asked any more', () => {
  const both = { a: 'no', b: ['x'], c: '好老师', d: '9', e: ['r1:1', 'r2:2'] }
  expect(keptAnswers(ITEMS, both)).toEqual({ path: ['a', 'd', 'e', 'f', 'g'], values: { a: ['no'], d: ['9'], e: ['r1:1', 'r2:2'] } })
  expect(surveyProblems(ITEMS, both)).toEqual({})
})

test('wrong answers are named at their question, and only at those that somebody sees', () => {
  expect(surveyProblems(ITEMS, {})).toEqual({ a: '这道题还没有回答', d: '这道题还没有回答', e: '这道题还没有回答' })
  expect(surveyProblems(ITEMS, { a: 'yes', b: ['x', 'y', 'z'], c: '一二三四五六', d: '11', e: ['r1:1'], f: ['k'], g: '2026-02-30' })).toEqual({
    b: '最多选 2 项', c: '最多 5 个字', d: '选项不存在，请刷新页面', e: '还有没选的行', f: '请把所有选项排好', g: '日期有误',
  })
  expect(surveyProblems(ITEMS, { a: 'yes', b: ['x', 'x'], c: '好', d: '1', e: ['r1:1', 'r1:2'] })).toEqual({ b: '同一选项选了两次', e: '每行只能选一项' })
})

/** Questions whose jumps lead forward and whose conditions look back. */
const survey = fc.array(fc.record({ type: fc.constantFrom('single' as const, 'multi' as const, 'words' as const, 'page' as const, 'nps' as const), required: fc.boolean(), jump: fc.option(fc.nat({ max: 8 })), show: fc.option(fc.nat({ max: 8 })), pick: fc.nat({ max: 2 }) }), { minLength: 1, maxLength: 9 }).map((list) => list.map((one, at): SurveyItem => {
  const item: SurveyItem = { id: `q${at}`, type: one.type, title: `第 ${at} 题`, required: one.required, ...((one.type === 'single' || one.type === 'multi') && { options: options('0', '1', '2') }) }
  const before = one.show !== null && at > 0 ? `q${one.show % at}` : undefined
  const to = one.jump === null ? undefined : at + 1 + one.jump >= list.length ? 'end' : `q${at + 1 + one.jump}`
  return { ...item, ...(before && { show: { question: before, any: [String(one.pick)] } }), ...(to && asks(item) && one.type !== 'words' && { jumps: [{ any: [String(one.pick)], to }] }) }
}))

test('whatever is asked and answered: what is kept is on the path, and the path follows from what is kept', () => {
  fc.assert(fc.property(survey, fc.array(fc.array(fc.nat({ max: 3 }), { maxLength: 3 }), { minLength: 9, maxLength: 9 }), (items, raw) => {
    const answers = Object.fromEntries(items.map(({ id }, at) => [id, (raw[at] ?? []).map(String)]))
    const kept = keptAnswers(items, answers)
    expect(Object.keys(kept.values).every((id) => kept.path.includes(id))).toBe(true)
    expect(keptAnswers(items, kept.values)).toEqual(kept)
    // Nothing is asked twice, and nothing before what was asked already.
    const places = kept.path.map((id) => items.findIndex((item) => item.id === id))
    expect(places).toEqual([...new Set(places)].toSorted((a, b) => a - b))
    // Of what fits, no question has more choices than it has options.
    if (Object.keys(surveyProblems(items, answers)).length === 0) for (const item of items.filter(({ type }) => type === 'single' || type === 'nps')) expect(kept.values[item.id]?.length ?? 0).toBeLessThanOrEqual(optionsOf(item).length > 0 ? 1 : 0)
  }))
})
