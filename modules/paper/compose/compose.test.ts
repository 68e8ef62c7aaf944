import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pickInstead, pickInto, updates } from './pick.ts'
import { analyse, contradiction, type Described } from './analysis.ts'
import { apply, applyAll, changeSchema, difference, itemsOf, totalScore, type Change, type PaperBody } from './body.ts'
import { chineseNumber, numbered } from './heading.ts'
import { misfits } from './kinds.ts'
import { orderByRule } from './order.ts'
import { scoreEach, scoreKinds, scoreTotal, share } from './points.ts'

const half = fc.integer({ min: 0, max: 60 }).map((n) => n / 2)
const bodies: fc.Arbitrary<PaperBody> = fc.tuple(
  fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 }),
  fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 12 }),
  fc.array(half, { minLength: 12, maxLength: 12 }),
  fc.array(fc.nat(3), { minLength: 12, maxLength: 12 }),
).map(([keys, ids, scores, places]) => ({
  sections: keys.map((key, index) => ({
    key, name: `${key}题`, title: '', instruction: '',
    items: ids.filter((_, at) => (places[at] ?? 0) % keys.length === index).map((practice_id) => ({ practice_id, version_no: 1, score: scores[practice_id - 1] ?? 0, sub_scores: [] })),
  })),
}))

const changes: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ do: fc.constant('section' as const), key: fc.constantFrom('a', 'b', 'e'), name: fc.constantFrom('单选题', '解答题'), title: fc.constant(''), instruction: fc.constant('') }),
  fc.record({ do: fc.constant('drop-section' as const), key: fc.constantFrom('a', 'b', 'c') }),
  fc.record({ do: fc.constant('item' as const), section: fc.constantFrom('a', 'b', 'c'), item: fc.record({ practice_id: fc.integer({ min: 1, max: 20 }), version_no: fc.constant(2), score: half, sub_scores: fc.constant<number[]>([]) }) }),
  fc.record({ do: fc.constant('drop-item' as const), practice_id: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ do: fc.constant('score' as const), practice_id: fc.integer({ min: 1, max: 12 }), score: half, sub_scores: fc.constant<number[]>([]) }),
  fc.record({ do: fc.constant('arrange' as const), order: fc.array(fc.record({ key: fc.constantFrom('a', 'b', 'c'), items: fc.array(fc.integer({ min: 1, max: 12 })) }), { maxLength: 3 }) }),
)

const ids = (body: PaperBody) => itemsOf(body).map(({ practice_id }) => practice_id).toSorted((a, b) => a - b)

test('whatever is done, no question stands twice, and arranging loses none', () => {
  fc.assert(fc.property(bodies, fc.array(changes, { maxLength: 10 }), (body, list) => {
    let now = body
    for (const change of list) {
      const next = apply(now, change)
      if (change.do === 'arrange') expect(ids(next)).toEqual(ids(now))
      now = next
    }
    expect(new Set(ids(now)).size).toBe(ids(now).length)
  }))
})

test('undo leads back to what was, redo forth again', () => {
  fc.assert(fc.property(bodies, fc.array(changes, { maxLength: 6 }), (before, list) => {
    const after = applyAll(before, list)
    expect(applyAll(after, difference(after, before))).toEqual(before)
    expect(applyAll(before, difference(before, after))).toEqual(after)
  }))
})

test('two people at once: what one adds survives what the other arranges, scores and removes', () => {
  fc.assert(fc.property(bodies, fc.array(changes, { maxLength: 5 }), (body, others) => {
    const withSection = apply(body, { do: 'section', key: 'mine', name: '我的', title: '', instruction: '' })
    const added = apply(withSection, { do: 'item', section: 'mine', item: { practice_id: 99, version_no: 1, score: 5, sub_scores: [] } })
    expect(ids(applyAll(added, others))).toContain(99)
  }))
})

test('points are shared exactly, in halves, in proportion', () => {
  fc.assert(fc.property(half, fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 30 }), (total, weights) => {
    const shares = share(total, weights)
    expect(shares.reduce((sum, one) => sum + one, 0)).toBe(total)
    for (const one of shares) expect(Number.isInteger(one * 2)).toBe(true)
  }))
  expect(share(10, [1, 1, 1])).toEqual([3.5, 3.5, 3])
})

test('a total is reached whatever the questions had before', () => {
  fc.assert(fc.property(bodies, fc.integer({ min: 0, max: 300 }).map((n) => n / 2), (body, total) => {
    fc.pre(itemsOf(body).length > 0)
    const after = applyAll(body, scoreTotal(body, total))
    expect(totalScore(after)).toBe(total)
    expect(ids(after)).toEqual(ids(body))
  }))
  const body: PaperBody = { sections: [{ key: 'a', name: '解答题', title: '', instruction: '', items: [{ practice_id: 1, version_no: 1, score: 12, sub_scores: [4, 8] }] }] }
  expect(scoreEach(body, 15)).toEqual([{ do: 'score', practice_id: 1, score: 15, sub_scores: [5, 10] }])
})

test('points by kind reach every section; of a passage each of its questions gets them', () => {
  const item = (practice_id: number, score: number, sub_scores: number[] = []) => ({ practice_id, version_no: 1, score, sub_scores })
  const body: PaperBody = { sections: [
    { key: 'a', name: '第一部分', title: '', instruction: '', items: [item(1, 5), item(2, 12)] },
    { key: 'b', name: '第二部分', title: '', instruction: '', items: [item(3, 5), item(4, 9), item(5, 2, [1, 1])] },
  ] }
  const about = (id: number) => (id === 4 ? undefined : { kind: id === 2 ? '解答题' : id === 5 ? '完形填空' : '单选题', children: id === 5 ? 2 : 0 })
  const after = applyAll(body, scoreKinds(body, new Map([['单选题', { score: 6, passages: false }], ['完形填空', { score: 1.5, passages: true }]]), about))
  expect(itemsOf(after).map(({ score, sub_scores }) => [score, ...sub_scores])).toEqual([[6], [12], [6], [9], [3, 1.5, 1.5]])
})

test('a question is taken over in its newest version where the paper has it, alone or with all others', () => {
  const item = (practice_id: number) => ({ practice_id, version_no: 1, score: 5, sub_scores: [] })
  const body: PaperBody = { sections: [{ key: 'a', name: '单选题', title: '', instruction: '', items: [item(1), item(2), item(3)] }] }
  const cards = new Map([[1, { latest: 1 }], [2, { latest: 2 }], [3, { latest: 4 }]])
  const versions = (only?: number) => itemsOf(applyAll(body, updates(body, cards, only))).map(({ practice_id, version_no }) => [practice_id, version_no])
  expect(versions()).toEqual([[1, 1], [2, 2], [3, 4]])
  expect(versions(3)).toEqual([[1, 1], [2, 1], [3, 4]])
})

const ofKind = (id: number, type: number, category_name: string | null = null) => ({ id, version_no: 1, type, score: null, category_name, content: { children: [] } })
const byId = <One extends { id: number }>(questions: readonly One[]) => new Map(questions.map((one) => [one.id, one]))

test('a question goes to the section of its kind, which is opened where papers have it', () => {
  const order = [ofKind(1, 4), ofKind(2, 1), ofKind(3, 3), ofKind(4, 2), ofKind(5, 1, '判断题'), ofKind(6, 6, '阅读理解'), ofKind(7, 1), ofKind(8, 4, '计算题'), ofKind(9, 4, '实验题')]
  const body = order.reduce((now: PaperBody, question) => applyAll(now, pickInto(now, question, undefined)), { sections: [] })
  expect(body.sections.map(({ name, items }) => [name, ...items.map(({ practice_id }) => practice_id)])).toEqual([['单选题', 2, 7], ['判断题', 5], ['多选题', 4], ['填空题', 3], ['实验题', 9], ['解答题', 1, 8], ['阅读理解', 6]])
  expect(new Set(body.sections.map(({ key }) => key)).size).toBe(7)
  expect(misfits(body, byId(order))).toEqual([])
  // Sections by other names of their kinds, and one that names none.
  const named = (name: string, title = ''): PaperBody['sections'][number] => ({ key: `k${name}`, name, title, instruction: '', items: [] })
  const home = (sections: PaperBody['sections'], question: ReturnType<typeof ofKind>) => applyAll({ sections }, pickInto({ sections }, question, undefined)).sections.find(({ items }) => items.length > 0)?.name
  expect(home([named('选择题'), named('非选择题')], ofKind(1, 1))).toBe('选择题')
  expect(home([named('第一部分', '一、单项选择题')], ofKind(1, 1))).toBe('第一部分')
  expect(home([named('试题')], ofKind(1, 3))).toBe('填空题')
  expect(home([named('综合题')], ofKind(1, 6, '阅读理解'))).toBe('综合题')
})

test('whatever is picked in whatever order, no heading is untrue unless somebody pinned a section', () => {
  const kinds = fc.constantFrom<[number, string | null]>([1, null], [1, '单选题'], [1, '判断题'], [2, null], [2, '多选题'], [2, '不定项选择题'], [3, '填空题'], [3, null], [4, '计算题'], [4, null], [4, '实验题'], [5, '完形填空'], [6, '阅读理解'], [6, null])
  fc.assert(fc.property(fc.array(kinds, { maxLength: 20 }), (list) => {
    const questions = list.map(([type, category], index) => ofKind(index + 1, type, category))
    const body = questions.reduce((now: PaperBody, question) => applyAll(now, pickInto(now, question, undefined)), { sections: [] })
    expect(ids(body)).toHaveLength(questions.length)
    expect(misfits(body, byId(questions))).toEqual([])
    expect(new Set(body.sections.map(({ name }) => name)).size).toBe(body.sections.length)
  }))
})

test('a heading that is not true of its questions is named with their numbers', () => {
  const pinned = [ofKind(1, 1), ofKind(2, 3, '填空题'), ofKind(3, 4)].reduce((now: PaperBody, question) => applyAll(now, pickInto(now, question, 'a')), { sections: [{ key: 'a', name: '单选题', title: '', instruction: '', items: [] }] })
  expect(misfits(pinned, byId([ofKind(1, 1), ofKind(2, 3, '填空题'), ofKind(3, 4)]))).toEqual([{ key: 'a', practice_ids: [2, 3], text: '「单选题」中有 2 题题型不符：第 2、3 题' }])
})

test('headings say how many questions of how many points; grouped questions consume several numbers', () => {
  const item = (practice_id: number, score: number) => ({ practice_id, version_no: 1, score, sub_scores: [] })
  const body: PaperBody = { sections: [
    { key: 'a', name: '单选题', title: '', instruction: '', items: [item(1, 5), item(2, 5)] },
    { key: 'b', name: '阅读理解', title: '', instruction: '', items: [item(3, 12), item(4, 8)] },
    { key: 'c', name: '作文', title: '第三部分 写作', instruction: '', items: [item(5, 60)] },
  ] }
  const found = numbered(body, ({ practice_id }) => (practice_id === 3 ? 3 : 1))
  expect(found.map(({ heading }) => heading)).toEqual(['一、单选题（本题共2小题，每小题5分，共10分）', '二、阅读理解（本题共4小题，共20分）', '第三部分 写作'])
  expect(found.flatMap(({ items }) => items.map(({ from, to }) => [from, to]))).toEqual([[1, 1], [2, 2], [3, 5], [6, 6], [7, 7]])
  // The questions of a passage have points of their own; or it is one question with parts inside.
  const reading = (numbering?: 'inner') => numbered({ sections: [{ key: 'b', name: '阅读理解', title: '', instruction: '', numbering, items: [{ ...item(3, 12), sub_scores: [4, 4, 4] }, item(4, 4)] }] }, ({ practice_id }) => (practice_id === 3 ? 3 : 1))
  expect(reading()[0]?.heading).toBe('一、阅读理解（本题共4小题，每小题4分，共16分）')
  expect(reading('inner')[0]).toMatchObject({ heading: '一、阅读理解（本题共2小题，共16分）', even: false, items: [{ from: 1, to: 1 }, { from: 2, to: 2 }] })
  expect([1, 10, 11, 20, 23].map(chineseNumber)).toEqual(['一', '十', '十一', '二十', '二十三'])
})

test('by the rule: groups in their order, easy before hard, then by chapter; no question is lost', () => {
  const groups = [{ group_no: 1, name: '单选题', category_ids: [10] }, { group_no: 2, name: '填空题', category_ids: [11] }]
  const about = (id: number) => ({ category_id: id === 9 ? null : id % 2 === 0 ? 10 : 11, difficulty: (id % 5) + 1, chapter: id })
  fc.assert(fc.property(bodies, (body) => {
    const after = applyAll(body, orderByRule(body, groups, about))
    expect(ids(after)).toEqual(ids(body))
    const places = after.sections.flatMap(({ name, items }) => items.map(({ practice_id }) => ({ name, practice_id })))
    for (const { name, practice_id } of places) expect(name).toBe(practice_id === 9 ? '其他题' : practice_id % 2 === 0 ? '单选题' : '填空题')
    for (const section of after.sections) {
      const difficulties = section.items.map(({ practice_id }) => about(practice_id).difficulty)
      expect(difficulties).toEqual(difficulties.toSorted((a, b) => b - a))
      expect(section.items.length).toBeGreaterThan(0)
    }
  }))
})

test('a change that makes no sense is refused in one sentence', () => {
  const wrong = changeSchema.safeParse({ do: 'item', section: 'a', item: { practice_id: 1, version_no: 1, score: 10, sub_scores: [3, 3] } })
  expect(wrong.success ? '' : wrong.error.issues[0]?.message).toBe('小题分值之和应等于本题分值')
})

test('the analysis weighs by points and says what it does not know', () => {
  const described = (over: Partial<Described>): Described => ({
    type: 1, category: null, difficulty: null, coef: null, cognitive: null, labels: [], est_seconds: null, source_years: [], repeats: 0, has_video: false, ...over,
  })
  const about = new Map([
    [1, described({ difficulty: 5, labels: [{ id: 1, name: '集合' }], source_years: [2019, 2025], est_seconds: 60, has_video: true })],
    [2, described({ type: 4, category: '解答题', coef: 0.3, difficulty: 1, labels: [{ id: 1, name: '集合' }, { id: 2, name: '函数' }], cognitive: '综合', repeats: 2 })],
    [3, described({})],
  ])
  const items = [[1, 5], [2, 15], [3, 5], [4, 100]].map(([practice_id, score]) => ({ practice_id: practice_id as number, version_no: 1, score: score as number, sub_scores: [] }))
  const found = analyse(items, (id) => about.get(id), () => '单选题', 2026)
  expect(found).toMatchObject({ count: 3, points: 25, minutes: 13, recent: 0.2, repeated: [2] })
  expect(found.coef).toBeCloseTo((0.925 * 5 + 0.3 * 15) / 20)
  expect(found.difficulty.map(({ name, points }) => [name, points])).toEqual([['易', 5], ['难', 15], ['未标', 5]])
  expect(found.knowledge.map(({ name, share: part }) => [name, part])).toEqual([['集合', 0.8], ['函数', 0.6]])
  expect(found.types.map(({ name, count }) => [name, count])).toEqual([['解答题', 1], ['单选题', 2]])
})

test('a picked question goes where it was sent, else to the section of its kind, which is opened once', () => {
  const question = (id: number) => ({ id, version_no: 2, type: 1, score: null, category_name: '单选题' })
  const first = applyAll({ sections: [] }, pickInto({ sections: [] }, question(1), undefined))
  const second = applyAll(first, pickInto(first, question(2), undefined))
  expect(second.sections.map(({ name, items }) => [name, items.map(({ practice_id, score }) => [practice_id, score])])).toEqual([['单选题', [[1, 5], [2, 5]]]])
  const open = applyAll(second, [{ do: 'section', key: 'other', name: '选做', title: '', instruction: '' }])
  expect(applyAll(open, pickInto(open, question(3), 'other')).sections[1]?.items[0]?.practice_id).toBe(3)
  const scored = applyAll(second, [{ do: 'score', practice_id: 1, score: 9, sub_scores: [] }])
  expect(applyAll(scored, pickInstead(scored, question(4), 1)).sections[0]?.items.map(({ practice_id, score }) => [practice_id, score])).toEqual([[4, 9], [2, 5]])
  expect(pickInstead(scored, question(5), 99)).toEqual([])
})

test('a paper of hard questions whose coefficients promise nearly all points is remarked on', () => {
  const hard = (coef: number | null): Described => ({ type: 1, category: null, difficulty: 1, coef, cognitive: null, labels: [], est_seconds: null, source_years: [], repeats: 0, has_video: false })
  const of = (coef: number | null) => contradiction(analyse([{ practice_id: 1, score: 5 }, { practice_id: 2, score: 5 }] as never, () => hard(coef), String, 2026))
  expect(of(0.95)).toMatch(/几乎都是难题，难度系数却是 0.95/)
  expect(of(0.3)).toBeNull()
  expect(of(null)).toBeNull()
})
