import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fileUrl } from '../../core/file/url.ts'
import { standardId } from '../../core/grant/grant.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { addWords, confirmPhonetics, proposePhonetics, putRecordings, type ProposedWord } from './calls.ts'
import { englishLine, englishTextbook } from './line.ts'
import { openPhonics } from './phonics.ts'
import { phonogram } from './phonogram.ts'
import { englishUnit } from './unit.ts'
import { englishWord } from './word.ts'

const ENGLISH = 202
const WORD = englishWord.api.item
/** As in word.ts; here as the wire has them. */
const S = { open: 1, checked: 2 }

let app: TestApp
let writer: Caller
let textbookId: number
let unitId: number
let count = 0
beforeAll(async () => {
  app = await openTestApp()
  writer = await app.staff(app.servedGrants)
  const [version] = await app.db.query<{ id: number }>(sql`insert into material_version (subject_id, name, status, sort) values (${ENGLISH}, '人教版（PEP）', 1, 1) returning id`)
  const [book] = await app.db.query<{ id: number }>(sql`insert into partwork (version_id, subject_id, name, status, sort) values (${version?.id}, ${ENGLISH}, '三年级上册', 1, 1) returning id`)
  const answer = await writer.post<WireRow>(englishTextbook.api.item, { subject_id: ENGLISH, partwork_id: book?.id, name: '人教版 三年级上册', status: 1, sort: 10 })
  expectSuccess(answer)
  textbookId = answer.body.id
  unitId = await newUnit()
})
afterAll(() => app.close())

async function newUnit(): Promise<number> {
  const answer = await writer.post<WireRow>(englishUnit.api.item, { textbook_id: textbookId, no: ++count, name: `Unit ${count} Hello!` })
  expectSuccess(answer)
  return answer.body.id
}

const word = (headword: string, more: Record<string, unknown> = {}) => ({ headword, textbook_id: textbookId, unit_id: unitId, kind: 'word', meanings: [{ pos: 'n', cn: '释义' }], ...more })

async function newWord(headword: string, more?: Record<string, unknown>): Promise<WireRow> {
  const answer = await writer.post<WireRow>(WORD, word(headword, more))
  expectSuccess(answer)
  return answer.body
}

describe('words', () => {
  test('phonetics are never guessed into a word; they are folded, confirmed by a person, and asked for again when they change', async () => {
    expect(await newWord('lamp')).toMatchObject({ uk: null, us: null, state: S.open, sounds: [] })
    const { id, sounds } = await newWord('box', { uk: '/bɔks/', us: 'bɑːks' })
    expect(sounds).toEqual(['b', 'ɒ', 'k', 's'])
    const mine = await newWord('eagle', { uk: "/'i:gl/" })
    expect(mine).toMatchObject({ uk: 'ˈiːɡl', state: S.open })
    expect((await writer.post<WireRow>(`${WORD}/${id}/confirm`)).body).toMatchObject({ state: S.checked })
    expect((await writer.put<WireRow>(`${WORD}/${id}`, { tip: '四方盒子' })).body).toMatchObject({ state: S.checked })
    expect((await writer.put<WireRow>(`${WORD}/${id}`, { us: 'bɒks' })).body).toMatchObject({ state: S.open, us: 'bɒks' })
    expectFieldRefusal(await writer.put(`${WORD}/${id}`, { uk: 'bXks' }), 400, 'uk')
    expectSuccess(await writer.put(`${WORD}/${id}`, { us: null }))
    expect((await writer.post(`${WORD}/${id}/confirm`)).body['detail']).toBe('请先填写英式和美式音标')
  })

  test('who may edit words does not confirm them without the right', async () => {
    const { id } = await newWord('desk', { uk: 'desk', us: 'desk' })
    const editor = await app.staff([englishWord.grant, standardId(englishWord.grant, 'edit')])
    expectRefusal(await editor.post(`${WORD}/${id}/confirm`), 403)
    const checker = await app.staff([englishWord.grant, englishWord.rights.id('check')])
    expectSuccess(await checker.post(`${WORD}/${id}/confirm`))
  })

  test('what waits for a check stands in the inbox of those who may check', async () => {
    await newWord('window')
    const { body } = await writer.get('/daoyuan/api/end/waiting')
    expect(JSON.stringify(body)).toContain('english_ipa')
  })

  test('a unit has a word once, however it is written; another unit may have it with another meaning', async () => {
    await newWord('orange')
    expectFieldRefusal(await writer.post(WORD, word('Orange')), 409, 'headword')
    const other = await newUnit()
    expectSuccess(await writer.post(WORD, word('orange', { unit_id: other, meanings: [{ pos: 'adj', cn: '橙色的' }] })))
    const { body } = await writer.get<{ items: WireRow[] }>(englishWord.api.list, { unit_id: String(other) })
    expect(body.items).toMatchObject([{ headword: 'orange', twins: 1 }])
  })

  test('words are English, and sentences hold them', async () => {
    expectFieldRefusal(await writer.post(WORD, word('苹果')), 400, 'headword')
    expectFieldRefusal(await writer.post(WORD, word('apple', { sentences: [{ en: 'I like pears.', cn: '' }] })), 400, 'sentences')
    const { id } = await newWord('apple', { sentences: [{ en: 'I like apples.', cn: '我喜欢苹果。' }] })
    expectFieldRefusal(await writer.put(`${WORD}/${id}`, { sentences: [{ en: 'I went there.', cn: '' }] }), 400, 'sentences')
  })

  test('the units say what their words lack', async () => {
    const unit = await newUnit()
    const { id: fileId } = await app.kernel.files.put(Readable.from([Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1')]), { name: 'ruler.wav', staffId: writer.staffId })
    await newWord('ruler', { unit_id: unit, uk_audio: fileUrl(fileId), sentences: [{ en: 'This is my ruler.', cn: '' }] })
    await newWord('pencil', { unit_id: unit })
    const { body } = await writer.get<{ items: WireRow[] }>(englishUnit.api.list, { ids: String(unit) })
    expect(body.items).toMatchObject([{ word_cnt: 2, no_phonetics: 2, no_ipa: 2, no_uk: 1, no_us: 2, no_image: 2, no_sentence: 1, no_sentence_audio: 1 }])
    const { body: without } = await writer.get<{ items: WireRow[] }>(englishWord.api.list, { unit_id: String(unit), lacks: 'uk_audio' })
    expect(without.items.map(({ headword }) => headword)).toEqual(['pencil'])
    expectRefusal(await writer.delete(`${englishUnit.api.item}/${unit}`), 409)
  })
})

describe('the table', () => {
  const row = (headword: string, more: Record<string, unknown> = {}) => ({ headword, cn: '释义', ...more })

  test('puts in a unit whole, in its order, with what was typed and nothing more', async () => {
    const unit = await newUnit()
    expect((await writer.post(addWords.path, { unit_id: unit, words: [row('red', { pos: 'adj', level: 2 }), row('pencil box'), row('duck', { uk: 'dʌk', us: 'dʌk', sentence: 'It is a duck.', sentence_cn: '是鸭子。' })] })).body).toEqual({ added: 3 })
    const { body } = await writer.get<{ items: WireRow[] }>(englishWord.api.list, { unit_id: String(unit), sort: 'sort' })
    expect(body.items).toMatchObject([
      { headword: 'red', kind: 'word', level: 2, uk: null, us: null, state: S.open, textbook_id: textbookId }, { headword: 'pencil box', kind: 'phrase' },
      { headword: 'duck', uk: 'dʌk', sentences: [{ en: 'It is a duck.', cn: '是鸭子。', audio: null }] },
    ])
  })

  test('writes nothing when a row is wrong, and names every such row', async () => {
    const unit = await newUnit()
    const answer = await writer.post<{ fields: Record<string, string> }>(addWords.path, { unit_id: unit, words: [row('cat'), row('dog', { sentence: 'I see a cat.' }), row('Cat')] })
    expectRefusal(answer, 400)
    expect(Object.keys(answer.body.fields)).toEqual(['words.1', 'words.2'])
    expect((await writer.get<{ total: number }>(englishWord.api.list, { unit_id: String(unit) })).body.total).toBe(0)
    expectRefusal(await writer.post(addWords.path, { unit_id: 999_999, words: [row('cat')] }), 404)
    const looker = await app.staff([englishWord.grant])
    expectRefusal(await looker.post(addWords.path, { unit_id: unit, words: [row('cat')] }), 403)
  })
})

describe('phonetics that are proposed', () => {
  const proposals = async (unit: number) => (await writer.get<{ items: ProposedWord[] }>(proposePhonetics.path, { unit_id: String(unit) })).body.items
  const idsOf = async (unit: number) => (await writer.get<{ items: WireRow[] }>(englishWord.api.list, { unit_id: String(unit), sort: 'sort' })).body.items

  test('come from the dictionary, from parts of a word, from letters or the spelling; looking writes nothing', async () => {
    const unit = await newUnit()
    expectSuccess(await writer.post(addWords.path, { unit_id: unit, words: ['apple', 'schoolbag', 'PE', 'read', 'brillig', 'living room'].map((headword) => ({ headword, cn: '释义' })) }))
    expect((await proposals(unit)).map(({ headword, proposal }) => [headword, proposal])).toEqual([
      ['apple', { source: 'dictionary', uk: ['ˈæpl'], us: ['ˈæpl'] }],
      ['schoolbag', { source: 'parts', uk: ['ˈskuːlbæɡ'], us: ['ˈskuːlbæɡ'] }],
      ['PE', { source: 'letters', uk: ['ˌpiːˈiː'], us: ['ˌpiːˈiː'] }],
      ['read', { source: 'dictionary', uk: ['red', 'riːd'], us: ['red', 'riːd'] }],
      ['brillig', { source: 'rules', uk: ['ˈbrɪlɪɡ'], us: ['ˈbrɪlɪɡ'] }],
      ['living room', { source: 'parts', uk: ['ˈlɪvɪŋ ruːm'], us: ['ˈlɪvɪŋ ruːm'] }],
    ])
    expect((await idsOf(unit)).map(({ uk }) => uk)).toEqual([null, null, null, null, null, null])
    expectRefusal(await writer.get(proposePhonetics.path), 400)
  })

  test('are written and confirmed as one act by who may, all or none, and taken back', async () => {
    const unit = await newUnit()
    expectSuccess(await writer.post(addWords.path, { unit_id: unit, words: ['cake', 'door'].map((headword) => ({ headword, cn: '释义' })) }))
    const [cake, door] = await proposals(unit)
    if (!cake || !door) throw new Error('two words wait')
    const chosen = [cake, door].map(({ id, rev, proposal }) => ({ id, rev, uk: proposal.uk[0], us: proposal.us[0] }))
    const editor = await app.staff([englishWord.grant, standardId(englishWord.grant, 'edit')])
    expectRefusal(await editor.post(confirmPhonetics.path, { words: chosen }), 403)
    // Who only checks confirms what stands there, and writes nothing.
    const checker = await app.staff([englishWord.grant, englishWord.rights.id('check')])
    expectRefusal(await checker.post(confirmPhonetics.path, { words: chosen }), 403)
    expectRefusal(await writer.post(confirmPhonetics.path, { words: [chosen[0], chosen[0]] }), 400)
    const half = await writer.post<{ fields: Record<string, string> }>(confirmPhonetics.path, { words: [chosen[0], { ...chosen[1], rev: door.rev + 5 }] })
    expect(half.body.fields?.['words.1']).toContain('「door」')
    expectFieldRefusal(await writer.post(confirmPhonetics.path, { words: [{ ...chosen[0], uk: 'kXk' }] }), 400, 'words.0.uk')
    expect((await idsOf(unit)).map(({ uk, state }) => [uk, state])).toEqual([[null, S.open], [null, S.open]])

    const { body } = await writer.post<{ confirmed: number; undo: number }>(confirmPhonetics.path, { words: chosen })
    expect(body.confirmed).toBe(2)
    expect((await idsOf(unit)).map(({ uk, us, state, sounds }) => [uk, us, state, sounds])).toEqual([['keɪk', 'keɪk', S.checked, ['k', 'eɪ']], ['dɔː', 'dɔː', S.checked, ['d', 'ɔː']]])
    expect(await proposals(unit)).toEqual([])
    expectSuccess(await writer.post(`/daoyuan/api/end/undo/${body.undo}`))
    await expect.poll(async () => (await idsOf(unit)).map(({ uk, state }) => [uk, state]), { timeout: 10_000 }).toEqual([[null, S.open], [null, S.open]])
  })

  test('are seen by nobody outside their subject', async () => {
    const unit = await newUnit()
    await newWord('river', { unit_id: unit })
    const other = await app.staff([englishWord.grant], { scopes: { subject: [ENGLISH + 1] } })
    expect((await other.get<{ items: ProposedWord[] }>(proposePhonetics.path, { unit_id: String(unit) })).body.items).toEqual([])
  })
})

describe('one recording for many words', () => {
  const piece = async (by: Caller) => fileUrl((await app.kernel.files.put(Readable.from([Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1')]), { name: 'piece.wav', staffId: by.staffId })).id)

  test('gives each word its piece, all or none, by who may edit', async () => {
    const unit = await newUnit()
    const [cat, dog] = [await newWord('cat', { unit_id: unit }), await newWord('dog', { unit_id: unit })]
    const words = [{ id: cat.id, rev: cat.rev, url: await piece(writer) }, { id: dog.id, rev: dog.rev, url: await piece(writer) }]
    const looker = await app.staff([englishWord.grant])
    expectRefusal(await looker.post(putRecordings.path, { accent: 'uk', words }), 403)
    expectRefusal(await writer.post(putRecordings.path, { accent: 'uk', words: [words[0], { ...words[1], rev: 99 }] }), [400, 409])
    expectRefusal(await writer.post(putRecordings.path, { accent: 'uk', words: [words[0], { ...words[1], url: 'https://example.com/dog.wav' }] }), 400)
    // What another has uploaded is not taken.
    const other = await app.staff(app.servedGrants)
    expectRefusal(await writer.post(putRecordings.path, { accent: 'uk', words: [{ ...words[0], url: await piece(other) }] }), [400, 403, 404])
    const lacking = async () => (await writer.get<{ total: number }>(englishWord.api.list, { unit_id: String(unit), lacks: 'uk_audio' })).body.total
    expect(await lacking()).toBe(2)
    expect((await writer.post<{ given: number }>(putRecordings.path, { accent: 'uk', words })).body.given).toBe(2)
    expect(await lacking()).toBe(0)
  })
})

describe('phonograms', () => {
  test('all 48 are there, are neither made nor removed, and know the words that hold them', async () => {
    const { body } = await writer.get<{ items: WireRow[]; total: number }>(phonogram.api.list, { page_size: '100' })
    expect(body.total).toBe(48)
    const [first] = body.items
    expectRefusal(await writer.post(phonogram.api.item, { symbol: 'x', kind: 'vowel' }), [403, 404, 405])
    expectRefusal(await writer.delete(`${phonogram.api.item}/${first?.id}`), [403, 404, 405])
    await newWord('sheep', { uk: 'ʃiːp' })
    const { body: long } = await writer.get<{ items: WireRow[] }>(phonogram.api.list, { keyword: 'iː' })
    expect(long.items.find(({ symbol }) => symbol === 'iː')?.['word_cnt']).toBeGreaterThan(0)
  })

  test('one that no lesson practises is found, until one does', async () => {
    const idle = async () => (await writer.get<{ items: WireRow[] }>(phonogram.api.list, { needs: 'practice', page_size: '100' })).body.items
    const before = await idle()
    const [symbol] = before
    const { body } = await writer.post<{ outline_id: number }>(openPhonics.path)
    expect((await writer.post<{ outline_id: number }>(openPhonics.path)).body).toEqual(body)
    const path = `/daoyuan/api/end/outlines/${body.outline_id}`
    const node = { key: 'a', parent: null, ord: 'a0', kind: 4, name: 'Lesson 1', free: null, trial_minutes: null, unlock: 0, unlock_score: null, open_at: null, label_ids: [], chapter_id: null }
    const block = { key: 'b', node: 'a', ord: 'a0', kind: 'listen', ref_id: symbol?.id, slot: null, version_no: null, title: '', text: '' }
    expectSuccess(await writer.post(`${path}/changes`, { rev: 0, changes: [{ do: 'add', nodes: [node] }, { do: 'bind', blocks: [block] }] }))
    expect((await idle()).map(({ id }) => id)).toEqual(before.slice(1).map(({ id }) => id))
    const { body: impact } = await writer.get<{ token: string }>(`${path}/impact`)
    expectSuccess(await writer.post(`${path}/publish`, { token: impact.token }))
    expectRefusal(await (await app.staff([englishWord.grant])).post(openPhonics.path), 403)
  })
})

test('the words of a unit stand in the outline of its textbook; without words it is not published', async () => {
  const { body } = await writer.post<{ outline_id: number }>(`${englishTextbook.api.item}/${textbookId}/outline`)
  const path = `/daoyuan/api/end/outlines/${body.outline_id}`
  const unit = await newUnit()
  const { body: offered } = await writer.get<{ items: { id: number }[] }>(`${path}/targets`, { kind: 'word_list', keyword: `Unit ${count}` })
  expect(offered.items.map(({ id }) => id)).toContain(unit)
  const node = { key: 'part-a', parent: null, ord: 'a0', kind: 4, name: "Part A Let's learn", free: 2, trial_minutes: null, unlock: 0, unlock_score: null, open_at: null, label_ids: [], chapter_id: null }
  const block = (kind: string, ref_id: number) => ({ key: kind, node: 'part-a', ord: `a${kind.length}`, kind, ref_id, slot: null, version_no: null, title: '句型', text: '' })
  expectSuccess(await writer.post(`${path}/changes`, { rev: 0, changes: [{ do: 'add', nodes: [node] }, { do: 'bind', blocks: [block('word_list', unit), block('sentence', 0)] }] }))
  const publish = async () => writer.post(`${path}/publish`, { token: (await writer.get<{ token: string }>(`${path}/impact`)).body.token })
  expect((await publish()).body['detail']).toContain('单元还没有单词')
  await newWord('hello', { unit_id: unit })
  expectSuccess(await publish())
  expect((await writer.delete(`${englishUnit.api.item}/${unit}`)).status).toBe(409)
})

test('courses stand with the series, whose numbers lead to them', async () => {
  expect(englishLine.offerPath).toBe('/englishApp/series?show=offer')
  const { body } = await writer.post<WireRow>(englishLine.offers.api.item, { title: '三上点读课', subject_id: ENGLISH, textbook_id: textbookId, price: 68_00, valid_mode: 1, valid_days: 365 })
  expect(body).toMatchObject({ title: '三上点读课', state: 1 })
})
