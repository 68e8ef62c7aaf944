import { afterAll, beforeAll, expect, test } from 'vitest'
import { standardId } from '../../core/grant/grant.ts'
import { linesOfText } from '../../core/field/rich-text.ts'
import { png, upload } from '../../core/testing/uploads.server.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { announcement, LEVEL, shownAnnouncements, type ShownAnnouncement } from './announcement.ts'

const DAY = 86_400

let app: TestApp
let editor: Caller
let reader: Caller
beforeAll(async () => {
  app = await openTestApp()
  editor = await app.staff([announcement.grant, standardId(announcement.grant, 'edit'), standardId(announcement.grant, 'remove')])
  reader = await app.staff([])
})
afterAll(() => app.close())

const add = async (values: Record<string, unknown>) => {
  const answer = await editor.post<{ id: number; shown: string }>(announcement.api.item, { body: linesOfText('内容'), level: LEVEL.normal, ...values })
  expect(answer.body).toMatchObject({ id: expect.any(Number) })
  return answer.body
}
const shown = async () => (await reader.get<{ items: ShownAnnouncement[] }>(shownAnnouncements.path)).body.items.map(({ title }) => title)

test('everybody who is logged in reads what is announced; writing it needs the grant', async () => {
  expect((await app.nobody().get(shownAnnouncements.path)).status).toBe(401)
  expect((await reader.get(shownAnnouncements.path)).status).toBe(200)
  expect((await reader.get(announcement.api.list)).status).toBe(403)
  expect((await reader.post(announcement.api.item, { title: '放假', body: linesOfText('内容'), level: 1 })).status).toBe(403)
})

test('an announcement is shown between its start and its end, what weighs most first', async () => {
  const now = Math.floor(Date.now() / 1000)
  expect((await add({ title: '一直' })).shown).toBe('展示中')
  expect((await add({ title: '明天开始', start_at: now + DAY })).shown).toBe('未开始')
  expect((await add({ title: '昨天结束', start_at: now - 2 * DAY, end_at: now - DAY })).shown).toBe('已结束')
  await add({ title: '紧急', level: LEVEL.urgent, start_at: now - DAY, end_at: now + DAY })
  await add({ title: '靠前', sort_order: 0 })
  const later = await add({ title: '靠后', sort_order: 5 })
  expect(await shown()).toEqual(['紧急', '靠前', '一直', '靠后'])
  await editor.delete(`${announcement.api.item}/${later.id}`)
  expect(await shown()).toEqual(['紧急', '靠前', '一直'])
})

test('it ends after it starts', async () => {
  const answer = await editor.post(announcement.api.item, { title: '颠倒', body: linesOfText('内容'), level: 1, start_at: 1_800_000_000, end_at: 1_700_000_000 })
  expect(answer.status).toBe(400)
  expect(answer.body).toMatchObject({ fields: { end_at: '结束时间应晚于开始时间' } })
})

test('its words are found by the search, its formatting is kept', async () => {
  const body = { t: 'doc', v: 1, c: [{ t: 'p', c: ['请先', { t: 'text', text: '保存', b: true }, '草稿'] }] }
  const { id } = await add({ title: '升级', body })
  const found = await editor.get<{ items: { id: number; body: unknown }[] }>(`${announcement.api.list}?keyword=${encodeURIComponent('保存草稿')}`)
  expect(found.body.items).toMatchObject([{ id, body: { ...body, words: '请先保存草稿' } }])
})

test('a picture in it is seen by everybody who reads it', async () => {
  const { url } = (await upload(app, editor, 'image', 'a.png', png())).body
  expect((await reader.get(url)).status, 'not yet in an announcement').toBe(404)
  await add({ title: '配图', body: { t: 'doc', v: 1, c: [{ t: 'image', asset: url }] } })
  expect((await reader.get(url)).status).toBe(200)
})
