import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import type { FileStore } from '../../core/file/store.server.ts'
import { fileUrl } from '../../core/file/url.ts'
import { attachFiles } from '../../core/resource/attach.server.ts'
import { setDerived } from '../../core/resource/touch.server.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { seededRandom, type Random } from '../../core/setup/random.ts'
import { demoCover, insertSales } from '../offer/door.server.ts'
import { OFFER_STATE } from '../offer/module.ts'
import { writeOutline, type OutlineSketch } from '../outline/door.server.ts'
import { chime, pagePicture, pageRegions, wordPicture } from './demo-media.ts'
import { DEMO_BOOKS, sentenceOf, unitsOf, type DemoWord } from './demo-words.ts'
import { distinctSounds } from './ipa.ts'
import { englishLine, englishTextbook } from './line.ts'
import { phonogram } from './phonogram.ts'
import { PHONICS_ID, PHONICS_KIND } from './phonics.server.ts'
import { englishPage } from './page.ts'
import type { Region } from './region.ts'
import { proposeUs } from './spelling.ts'
import { englishUnit } from './unit.ts'
import { IPA_STATE, englishWord } from './word.ts'

const DAY = 86_400
const ORDERS = 180
/** Behind the numbers of 假期课程. */
const FIRST_NO = 64_000_001
/** Primary English (spec 3). */
const ENGLISH = 202
/** Versions of the question bank that have textbooks here. */
const VERSIONS = ['人教版', '外研版']
const SERIES = ['课本同步点读', '单词闯关'] as const

interface Book { id: number; name: string; version: string }
interface Made { readonly textbookId: number; readonly name: string; readonly units: readonly { readonly id: number; readonly name: string }[] }

/** Phonograms of the first weeks, as 自然拼读 teaches them. */
const PHONICS: readonly (readonly [unit: string, lessons: readonly (readonly [name: string, symbols: readonly string[]])[]])[] = [
  ['Unit 1 短元音', [['Lesson 1 a 与 e', ['æ', 'e']], ['Lesson 2 i 与 o', ['ɪ', 'ɒ']], ['Lesson 3 u', ['ʌ', 'ʊ']]]],
  ['Unit 2 长元音', [['Lesson 4 ee ea', ['iː', 'uː']], ['Lesson 5 ar or', ['ɑː', 'ɔː']], ['Lesson 6 er ir ur', ['ɜː', 'ə']]]],
  ['Unit 3 双元音', [['Lesson 7 ai ay', ['eɪ', 'aɪ']], ['Lesson 8 ow ou', ['əʊ', 'aʊ']], ['Lesson 9 ear air', ['ɪə', 'eə']]]],
  ['Unit 4 成对的辅音', [['Lesson 10 p b', ['p', 'b']], ['Lesson 11 t d', ['t', 'd']], ['Lesson 12 s z', ['s', 'z']], ['Lesson 13 th', ['θ', 'ð']]]],
]

/** Words of a unit: those of the first book are whole, later ones still wait for phonetics, sound, pictures. */
function wordsOf(random: Random, words: readonly DemoWord[], place: { book: number; unit: number; textbook_id: number; unit_id: number }, media: { sounds: readonly string[]; pictures: ReadonlyMap<string, string> }, now: number) {
  const { book, unit, textbook_id, unit_id } = place
  return words.map((word, index) => {
    const heard = book === 0 && unit < 3
    const sentence = sentenceOf(word)
    const checked = book < 2 || unit < 4
    const created_at = now - (300 - book * 90 - unit * 8) * DAY
    return {
      headword: word.headword, textbook_id, unit_id, kind: word.headword.includes(' ') ? 'phrase' : 'word', level: word.level, meanings: [{ pos: word.pos, cn: word.cn }],
      ...(checked && { uk: word.uk, us: proposeUs(word.uk), sounds: distinctSounds(word.uk) }), uk_audio: heard ? media.sounds[0] ?? null : null, us_audio: heard && unit < 2 ? media.sounds[1] ?? null : null, audio_source: heard ? 1 : null,
      image: media.pictures.get(word.headword) ?? null, sentences: book < 2 && random.chance(0.8) ? [{ ...sentence, audio: heard && unit === 0 ? media.sounds[0] ?? null : null }] : [],
      state: checked ? IPA_STATE.checked : IPA_STATE.open, sort: (index + 1) * 10, created_at, updated_at: created_at,
    }
  })
}

/** Textbooks of two versions, with the units and words of three books. */
async function insertBooks(tx: Queryable, random: Random, now: number, cover: string, media: { sounds: readonly string[]; pictures: ReadonlyMap<string, string> }): Promise<Made[]> {
  const books = await tx.query<Book & Record<string, unknown>>(sql`select p.id, p.name, v.name as version from partwork p join material_version v on v.id = p.version_id
    where p.subject_id = ${ENGLISH} and v.name = any(${sql.param(VERSIONS)}::text[]) and p.deleted_at is null order by v.sort, p.sort`)
  const ids = await insertMany(tx, englishTextbook, books.map((book, index) => ({
    line: englishLine.line.code, name: `${book.version} ${book.name}`, partwork_id: book.id, subject_id: ENGLISH, cover, sort: (index + 1) * 10, status: book.version === VERSIONS[0] ? 1 : 0,
  })))
  const made: Made[] = []
  for (const [at, { name, version }] of books.entries()) {
    const textbookId = ids[at] ?? 0
    const units = version === VERSIONS[0] ? unitsOf(DEMO_BOOKS[name] ?? '') : []
    const unitIds = await insertMany(tx, englishUnit, units.map((unit, index) => ({ textbook_id: textbookId, no: index + 1, name: unit.name })))
    for (const [unit, { words }] of units.entries()) await insertMany(tx, englishWord, wordsOf(random, words, { book: at, unit, textbook_id: textbookId, unit_id: unitIds[unit] ?? 0 }, media, now) as never)
    made.push({ textbookId, name: `${version} ${name}`, units: units.map((unit, index) => ({ id: unitIds[index] ?? 0, name: unit.name })) })
  }
  return made
}

/** Units of a book as lessons: words and sounds in part A, sentences in part B. */
function lessonsOf({ units }: Made, { audio, clips, paper, pages }: { audio: readonly number[]; clips: readonly number[]; paper: number | undefined; pages: readonly number[] }): OutlineSketch[] {
  return units.map(({ id, name }, index) => ({
    name, kind: 1, ...(index === 0 && { free: 2 }),
    below: [
      {
        name: 'Part A Let\'s learn', kind: 4,
        blocks: [{ kind: 'word_list', ref_id: id }, ...pages.slice(index, index + 1).map((page) => ({ kind: 'page', ref_id: page })), ...(audio.length > 0 ? [{ kind: 'audio', ref_id: audio[index % audio.length] ?? 0, title: `${name} 课文录音` }] : []), ...(paper !== undefined && index < 3 ? [{ kind: 'paper', ref_id: paper, slot: 1 }] : [])],
      },
      {
        name: 'Part B Let\'s talk', kind: 4,
        blocks: [{ kind: 'word_list', ref_id: id }, { kind: 'sentence', title: '本课句型', text: 'What colour is it? — It\'s red.' }, ...(clips.length > 0 && index < 2 ? [{ kind: 'animation', ref_id: clips[index % clips.length] ?? 0, title: `${name} 动画` }] : [])],
      },
    ],
  }))
}

/** Primary English as it is sold and taught: textbooks, words, phonograms, outlines, courses and what they sold. */
export async function insertEnglishDemo(db: Database, report: (text: string) => void, files: FileStore): Promise<void> {
  const [random, now] = [seededRandom(202), Math.floor(Date.now() / 1000)]
  const staff = (await db.query<{ id: number }>(sql`select id from staff where status = 1 order by id limit 6`)).map(({ id }) => id)
  const [first = 0] = staff
  const put = async (bytes: Buffer, name: string) => fileUrl((await files.put(Readable.from([bytes]), { name, staffId: first })).id)
  const cover = await put(Buffer.from(demoCover({ id: ENGLISH, name: '英语' })), '英语.svg')
  const sounds = [await put(chime(660, 880), '英音.wav'), await put(chime(550, 740), '美音.wav')]
  const pictures = new Map<string, string>()
  for (const word of Object.values(DEMO_BOOKS).flatMap((text) => unitsOf(text).flatMap(({ words }) => words))) {
    const svg = wordPicture(word.headword)
    if (svg !== undefined && !pictures.has(word.headword)) pictures.set(word.headword, await put(Buffer.from(svg), `${word.headword}.svg`))
  }
  // The first three units have their page drawn: that of the first is read out, the second half so, the third waits.
  const firstBook = unitsOf(Object.values(DEMO_BOOKS)[0] ?? '').slice(0, 3)
  const prints: { image: string; audio: string | null; regions: Region[] }[] = []
  for (const [at, { name, words }] of firstBook.entries()) {
    prints.push({ image: await put(Buffer.from(pagePicture(name, words)), `${name}.svg`), audio: at < 2 ? await put(chime(440, 660, words.length), `${name}.wav`) : null, regions: at < 2 ? pageRegions(words, at === 0 ? words.length : 3) : [] })
  }
  await seedTransaction(db, async (tx) => {
    for (const url of sounds) await attachFiles(tx, englishWord, { uk_audio: url }, first)
    for (const url of pictures.values()) await attachFiles(tx, englishWord, { image: url }, first)
    await attachFiles(tx, englishTextbook, { cover }, first)
    await attachFiles(tx, englishLine.offers, { cover }, first)
    const books = await insertBooks(tx, random, now, cover, { sounds, pictures })
    await attachFiles(tx, phonogram, { audio: sounds[0] }, first)
    await setDerived(tx, phonogram, { audio: sounds[0] ?? null }, sql`t.sort <= 120`)
    const seriesIds = englishLine.series === undefined ? [] : await insertMany(tx, englishLine.series, SERIES.map((name, index) => ({ line: englishLine.line.code, name, subject_id: ENGLISH, badge: index === 0 ? '热销' : null, intro: '跟着课本学，每天十五分钟。', sort: (index + 1) * 10, status: 1 })))
    const sold = books.slice(0, 8).flatMap(({ textbookId, name }, index) => SERIES.map((series, nth) => ({
      line: englishLine.line.code, kind: 'course', title: `${name.replace(' ', '')}${series}`, subtitle: nth === 0 ? '课文点读、跟读、动画' : '听、说、拼、写四关', subject_id: ENGLISH, textbook_id: textbookId, series_id: seriesIds[nth], price: nth === 0 ? 68_00 : 39_00, line_price: nth === 0 ? 98_00 : 59_00,
      valid_mode: 1, valid_days: 365, teacher_ids: [staff[index % staff.length]], cover, invoking_products: [1], trial: 1, sort: (index * 2 + nth + 1) * 10, state: index < 6 ? OFFER_STATE.selling : index === 6 ? OFFER_STATE.waiting : OFFER_STATE.draft,
      submitted_by: index < 7 ? first : null, created_at: now - 420 * DAY, updated_at: now - 400 * DAY,
    })))
    await insertMany(tx, englishLine.offers, sold as never)
    const made = await insertSales(tx, random, [{ parts: englishLine, count: ORDERS }], { firstNo: FIRST_NO, now, staff })
    const assets = (kind: string) => tx.query<{ id: number }>(sql`select id from asset where kind = ${kind} and state = 1 and deleted_at is null order by id limit 6`).then((rows) => rows.map(({ id }) => id))
    const [book] = books
    for (const { image, audio: recording } of prints) await attachFiles(tx, englishPage, { image, ...(recording !== null && { audio: recording }) }, first)
    const pageIds = book ? await insertMany(tx, englishPage, prints.map((print, at) => ({ name: `Unit ${at + 1} Let's learn`, textbook_id: book.textbookId, unit_id: book.units[at]?.id, no: 4 + at * 10, status: 1, ...print }))) : []
    const [audio, clips] = [await assets('audio'), await assets('video')]
    const [paper] = await tx.query<{ id: number }>(sql`select id from paper where subject_id = ${ENGLISH} and state = 2 and deleted_at is null order by id limit 1`)
    for (const [at, own] of books.filter(({ units }) => units.length > 0).entries()) {
      await writeOutline(tx, { kind: englishTextbook.name, id: own.textbookId }, first, lessonsOf(own, { audio, clips, paper: paper?.id, pages: at === 0 ? pageIds.slice(0, 2) : [] }), at < 2 ? '开学版' : undefined)
    }
    const symbols = new Map((await tx.query<{ id: number; symbol: string }>(sql`select id, symbol from phonogram`)).map(({ id, symbol }) => [symbol, id]))
    await writeOutline(tx, { kind: PHONICS_KIND, id: PHONICS_ID }, first, PHONICS.map(([name, lessons]) => ({
      name, kind: 1, below: lessons.map(([lesson, own], index) => ({
        name: lesson, kind: 4, blocks: own.flatMap((symbol) => [{ kind: 'phonogram', ref_id: symbols.get(symbol) ?? 0 }, { kind: (['listen', 'follow', 'spell'] as const)[index % 3] ?? 'listen', ref_id: symbols.get(symbol) ?? 0 }]),
      })),
    })), '第一版')
    report(`已生成 ${books.length} 本小学英语教材、${made.offers} 门课程、${made.orders} 个订单`)
  })
}
