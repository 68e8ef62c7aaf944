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
  value: 'fictitious', label: '虚构试卷', noun: '虚构试卷',
  screens: [{ screen: '/course/paper/list', detail: '/course/paper/detail/:id', add: '/course/paper/addPractice/:id', api: { list: '/daoyuan/api/end/fictitious_papers', item: '/daoyuan/api/end/fictitious_paper' } }],
  fields: () => ({ volume_no: number('册次', { required: true }), place: choice('位置', [1, 2, 3, 4].map((value) => ({ value, label: `第 ${value} 份` })), { required: true }) }),
  shown: ['volume_no', 'place'],
}
const [papers] = definePapers(FICTITIOUS)

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

test('a kind with one screen lists all levels: paths and rights follow from kind and screen', () => {
  expect(papers).toMatchObject({
    name: 'fictitious_paper', table: 'paper', grant: screenId('/course/paper/list'), where: { kind: 'fictitious' },
    api: { list: '/daoyuan/api/end/fictitious_papers', item: '/daoyuan/api/end/fictitious_paper' },
  })
  expect(papers?.list.columns.slice(0, 5)).toEqual(['name', 'level', 'subject_id', 'volume_no', 'place'])
  expect(papers?.list.filters).toEqual(expect.arrayContaining(['level', 'volume_no', 'place']))
  expect(papers?.fields['level']).toMatchObject({ readonly: true, required: true })
  for (const level of [0, 1, 2]) expect(resourceOf({ kind: 'fictitious', level })).toBe(papers)
  expect(waitingPapers(FICTITIOUS)).toEqual([expect.objectContaining({ name: 'fictitious_paper_waiting', title: '待审的虚构试卷' })])
  expect(servePaper(papers ?? ALL_PAPERS[0]!).resource).toBe(papers)
})

test('it shares the table of papers, with columns of its own that others leave empty', () => {
  if (!papers) throw new Error('no such papers')
  expect(() => checkSharing('paper', [...ALL_PAPERS, papers])).not.toThrow()
  const [first, ...others] = ALL_PAPERS
  const columns = getTableConfig(tableOf(first!, ...others, papers)).columns
  expect(columns.filter(({ name }) => ['volume_no', 'place'].includes(name)).map(({ name, notNull }) => [name, notNull])).toEqual([['volume_no', false], ['place', false]])
})

test('the editor opens it to whoever holds one of its screens, and to nobody else', async () => {
  const [row] = await app.db.query<{ id: number }>(sql`insert into paper (kind, level, name, subject_id, total_score, question_count, has_video, video_share, version_no, state)
    values ('fictitious', 1, '第一课', 101, 0, 0, 0, 0, 0, 0) returning id`)
  const read = async (...screens: Parameters<typeof screenId>[0][]) => (await app.staff(screens.map(screenId))).get<PaperContent>(`/daoyuan/api/end/paper/${row?.id}/content`)
  expect((await read('/course/paper/detail/:id')).body).toMatchObject({ kind: 'fictitious', can_edit: false, places: { detail: `/course/paper/detail/${row?.id}`, add: null } })
  expect((await read('/course/paper/list', '/course/paper/addPractice/:id')).body.places.add).toBe(`/course/paper/addPractice/${row?.id}`)
  expect((await read('/papers/junior/base-paper')).status).toBe(404)
  expect((await read('/new-study-room/partner')).status).toBe(403)
})

test('two kinds are not called the same', () => {
  expect(() => definePapers(PAPER_KINDS.base)).toThrow('two kinds of papers are called base')
})
