import { afterAll, beforeAll, expect, test } from 'vitest'
import { fetchPath, png, upload, video } from '../../../core/testing/uploads.server.ts'
import { openTestApp, type Caller, type TestApp } from '../../../core/testing/app.server.ts'
import type { Written } from '../edit/calls.ts'
import { knowledgeLabel, writtenChoice } from '../edit/testing.server.ts'
import { changedParts, writtenOf } from '../edit/written.ts'
import type { Waiting } from '../verify/calls.ts'
import { VERIFY_SCREEN } from '../verify/state.ts'
import type { PracticeDetail } from './calls.ts'
import { bankScreen } from './practice.ts'
import { passPractice } from '../verify/testing.ts'

let app: TestApp
let writer: Caller
let label: number
let nth = 0
const P = '/daoyuan/api/dou_practice/end/practice'
const V = '/daoyuan/api/end/practice_verifies'

beforeAll(async () => {
  app = await openTestApp()
  writer = await app.staff(app.servedGrants)
  label = await knowledgeLabel(app, writer, '集合')
})
afterAll(() => app.close())

const scan = async (caller = writer) => (await upload(app, caller, 'image', '扫描.png', png(++nth, 3))).body.url
const written = (scans: readonly string[], text = `第 ${++nth} 题，下列各数中最小的是`) => {
  const { facts, ...choice } = writtenChoice(label, [text])
  return { ...choice, facts: { ...facts, scans } }
}
const create = (scans: readonly string[]) => writer.post<PracticeDetail>(P, { ...written(scans), level: 0 })

test('scans are kept in order, come back with an older version, and go with the question into the official bank', async () => {
  const [first, second, third] = [await scan(), await scan(), await scan()]
  const { body: made } = await create([second, first])
  expect(made.scans).toEqual([second, first])
  expect(made.has_image).toBe(0)
  const changed = await writer.put<PracticeDetail>(`${P}/${made.id}`, { ...written([third]), rev: made.rev })
  expect(changed.body.scans).toEqual([third])
  const restored = await writer.post<PracticeDetail>(`${P}/${made.id}/versions/1/restore`, { rev: changed.body.rev })
  expect(restored.body.scans).toEqual([second, first])
  expect((await writer.get<PracticeDetail>(`${P}/${made.id}`)).body.scans).toEqual([second, first])
  const emptied = await writer.put<PracticeDetail>(`${P}/${made.id}`, { ...written([]), rev: restored.body.rev })
  expect(emptied.body.scans).toEqual([])
  const kept = await writer.get<{ snapshot: Written }>(`${P}/${made.id}/versions/${emptied.body.version_no}`)
  expect(changedParts(kept.body.snapshot, writtenOf(emptied.body))).toEqual([])
  await writer.post(`${P}/${made.id}/versions/1/restore`, {})

  expect((await writer.put(`${P}/${made.id}/status`, { action: 'submit' })).status).toBe(200)
  const readers = [await app.staff(app.servedGrants), await app.staff(app.servedGrants)]
  const { body: queue } = await readers[0]!.get<{ items: Waiting[] }>(V)
  expect(queue.items.find(({ practice }) => practice.id === made.id)?.practice.scans).toEqual([second, first])
  let official = 0
  for (const reader of [readers[0], readers[1], readers[0]]) official = (await passPractice<{ official_id: number }>(reader!, made.id)).body.official_id
  expect((await writer.get<PracticeDetail>(`${P}/${official}`)).body).toMatchObject({ pool: 'official', scans: [second, first] })
})

test('who may open the bank of a question may fetch its scans, and nobody else', async () => {
  const url = await scan()
  const colleague = await app.staff([VERIFY_SCREEN, bankScreen('back', 0)])
  const stranger = await app.staff([VERIFY_SCREEN, bankScreen('back', 1)])
  expect((await fetchPath(app, colleague, url)).statusCode).toBe(404)
  expect((await create([url])).status).toBe(200)
  expect((await fetchPath(app, colleague, url)).statusCode).toBe(200)
  expect((await fetchPath(app, await app.staff([bankScreen('official', 0)]), url)).statusCode).toBe(200)
  expect((await fetchPath(app, stranger, url)).statusCode).toBe(404)
})

test('a tenth scan, a file of somebody else and what is no picture are refused with a sentence', async () => {
  const ten = []
  for (let i = 0; i < 10; i++) ten.push(await scan())
  expect((await create(ten)).body).toMatchObject({ fields: { scans: '原题图片最多 9 张' } })
  expect((await create(ten.slice(1))).body.scans).toHaveLength(9)
  const foreign = await scan(await app.staff([]))
  expect((await create([foreign])).body).toMatchObject({ fields: { scans: '原题图片引用的文件不存在或不属于您，请重新上传' } })
  const film = (await upload(app, writer, 'video', '讲解.mp4', video())).body.url
  expect((await create([film])).body).toMatchObject({ fields: { scans: '原题图片的文件类型或大小不符，请重新上传' } })
})
