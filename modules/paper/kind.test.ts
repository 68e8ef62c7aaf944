import { sql } from 'drizzle-orm'
import { getTableConfig } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { choice } from '../../core/field/choice.ts'
import { number } from '../../core/field/number.ts'
import { checkSharing, tableOf } from '../../core/resource/table.server.ts'
import { openTestApp, type TestApp } from '../../core/testing/app.server.ts'
import { screenId } from '../screens.ts'
import type { PaperContent } from './calls.ts'
import type { PaperKind } from './kind.ts'
import { ALL_PAPERS, definePapers, PAPER_KINDS, resourceOf } from './paper.ts'
import { servePaper, waitingPapers } from './door.server.ts'

/** A kind that no module has: one screen for all levels, columns of its own. */
const FICTITIOUS: PaperKind = {
  value: 'course', label: '课程试卷', noun: '课程试卷',
  screens: [{ screen: '/course/paper/list', detail: '/course/paper/detail/:id', add: '/course/paper/addPractice/:id', api: { list: '/daoyuan/api/end/course_papers', item: '/daoyuan/api/end/course_paper' } }],
  fields: () => ({ lesson_id: number('课程', { required: true }), slot: choice('位置', [1, 2, 3, 4].map((value) => ({ value, label: `第 ${value} 份` })), { required: true }) }),
  shown: ['lesson_id', 'slot'],
}
const [papers] = definePapers(FICTITIOUS)

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

test('a kind with one screen lists all levels: paths and rights follow from kind and screen', () => {
  expect(papers).toMatchObject({
    name: 'course_paper', table: 'paper', grant: screenId('/course/paper/list'), where: { kind: 'course' },
    api: { list: '/daoyuan/api/end/course_papers', item: '/daoyuan/api/end/course_paper' },
  })
  expect(papers?.list.columns.slice(0, 5)).toEqual(['name', 'level', 'subject_id', 'lesson_id', 'slot'])
  expect(papers?.list.filters).toEqual(expect.arrayContaining(['level', 'lesson_id', 'slot']))
  expect(papers?.fields['level']).toMatchObject({ readonly: true, required: true })
  for (const level of [0, 1, 2]) expect(resourceOf({ kind: 'course', level })).toBe(papers)
  expect(waitingPapers(FICTITIOUS)).toEqual([expect.objectContaining({ name: 'course_paper_waiting', title: '待审的课程试卷' })])
  expect(servePaper(papers ?? ALL_PAPERS[0]!).resource).toBe(papers)
})

test('it shares the table of papers, with columns of its own that others leave empty', () => {
  if (!papers) throw new Error('no such papers')
  expect(() => checkSharing('paper', [...ALL_PAPERS, papers])).not.toThrow()
  const [first, ...others] = ALL_PAPERS
  const columns = getTableConfig(tableOf(first!, ...others, papers)).columns
  expect(columns.filter(({ name }) => ['lesson_id', 'slot'].includes(name)).map(({ name, notNull }) => [name, notNull])).toEqual([['lesson_id', false], ['slot', false]])
})

test('the editor opens it to whoever holds one of its screens, and to nobody else', async () => {
  const [row] = await app.db.query<{ id: number }>(sql`insert into paper (kind, level, name, subject_id, total_score, question_count, has_video, video_share, version_no, state)
    values ('course', 1, '第一课', 101, 0, 0, 0, 0, 0, 0) returning id`)
  const read = async (...screens: Parameters<typeof screenId>[0][]) => (await app.staff(screens.map(screenId))).get<PaperContent>(`/daoyuan/api/end/paper/${row?.id}/content`)
  expect((await read('/course/paper/detail/:id')).body).toMatchObject({ kind: 'course', can_edit: false, places: { detail: `/course/paper/detail/${row?.id}`, add: null } })
  expect((await read('/course/paper/list', '/course/paper/addPractice/:id')).body.places.add).toBe(`/course/paper/addPractice/${row?.id}`)
  expect((await read('/papers/junior/base-paper')).status).toBe(404)
  expect((await read('/new-study-room/partner')).status).toBe(403)
})

test('two kinds are not called the same', () => {
  expect(() => definePapers(PAPER_KINDS.base)).toThrow('two kinds of papers are called base')
})
