import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../../core/database/database.server.ts'
import { fileIdsIn, fileUrl } from '../../../core/file/url.ts'
import type { FileStore } from '../../../core/file/store.server.ts'
import { attachFiles } from '../../../core/resource/attach.server.ts'
import { pathBelow } from '../../../core/resource/tree-path.ts'
import { insertMany, seedTransaction } from '../../../core/setup/insert-many.server.ts'
import { seasonalMoment, seededRandom } from '../../../core/setup/random.ts'
import { ASSET_STATE, ASSETS, type AssetKind } from '../asset.ts'
import { readMedia, type Found } from '../media.server.ts'
import { materialTag } from '../tag.ts'
import { DRAWINGS, titleCard } from './drawings.ts'
import { metronome } from './sounds.ts'

const DAY = 86_400

/** Lessons with the tags that they lie in. */
const LESSONS: readonly (readonly [tags: readonly string[], titles: readonly string[]])[] = [
  [['必修第一册', '集合与常用逻辑用语'], ['集合的概念', '集合间的基本关系', '集合的基本运算', '充分条件与必要条件']],
  [['必修第一册', '函数的概念'], ['函数的概念及其表示', '函数的定义域与值域', '分段函数']],
  [['必修第一册', '函数的性质'], ['单调性与最大（小）值', '奇偶性', '幂函数']],
  [['必修第一册', '指数函数与对数函数'], ['指数函数的图象和性质', '对数的概念', '对数函数的图象和性质', '函数的零点与方程的解']],
  [['必修第一册', '三角函数'], ['任意角和弧度制', '三角函数的概念', '诱导公式', '三角恒等变换']],
  [['必修第二册', '平面向量'], ['平面向量的概念', '向量的数量积', '余弦定理与正弦定理']],
  [['必修第二册', '立体几何初步'], ['基本立体图形', '空间直线、平面的平行', '空间直线、平面的垂直']],
]

const CHAPTERS = [{ sec: 0, title: '情境引入' }, { sec: 4, title: '概念讲解' }, { sec: 9, title: '典型例题' }]
const SUBTITLE = 'WEBVTT\n\n00:00:00.500 --> 00:00:03.500\n同学们好，今天我们学习新的一节\n\n00:00:04.000 --> 00:00:08.000\n先看定义，再看它的三个要点\n\n00:00:09.000 --> 00:00:13.000\n最后用一道例题巩固\n'

interface Made {
  readonly kind: AssetKind
  readonly name: string
  readonly tags: readonly string[]
  readonly content: Buffer
  readonly file: string
  readonly cover?: string
}

/** A clip of its own bytes: a box that players skip stands behind the pictures (ISO/IEC 14496-12, 8.1.2). */
function ownCopy(clip: Buffer, no: number): Buffer {
  const free = Buffer.alloc(16)
  free.writeUInt32BE(16, 0)
  free.write('free', 4, 'latin1')
  free.writeUInt32BE(no, 8)
  return Buffer.concat([clip, free])
}

/** What the library holds: lessons, drawings, sounds for exercises in time. */
async function content(): Promise<Made[]> {
  const clip = await readFile(join(import.meta.dirname, 'clip.mp4'))
  const lessons = LESSONS.flatMap(([tags, titles]) => titles.map((title) => ({ tags, title })))
  return [
    ...lessons.map(({ tags, title }, no): Made => ({ kind: 'video', name: title, tags, content: ownCopy(clip, no), file: `${title}.mp4`, cover: titleCard('高中数学', title) })),
    ...DRAWINGS.map(({ name, tags, svg }): Made => ({ kind: 'image', name, tags, content: Buffer.from(svg), file: `${name.replaceAll(/[/|]/g, '')}.svg` })),
    ...[60, 72, 90, 108, 120].map((beats): Made => ({ kind: 'audio', name: `节拍器 每分钟 ${beats} 拍`, tags: ['课堂音效'], content: metronome(beats), file: `节拍器 ${beats}.wav` })),
  ]
}

/** How one in so many videos looks that is not ready, with why. */
const TROUBLE: Readonly<Record<number, { state: (typeof ASSET_STATE)[keyof typeof ASSET_STATE]; fail_reason: string | null }>> = {
  5: { state: ASSET_STATE.failed, fail_reason: '文件不完整，请重新导出' },
  11: { state: ASSET_STATE.unplayable, fail_reason: '浏览器不能播放画面编码 H.265。请在剪辑软件中以 H.264 视频、AAC 音频重新导出为 MP4，再用「替换文件」上传' },
  17: { state: ASSET_STATE.off, fail_reason: null },
}

/** Makes tags, in the order in which they are named. @returns ids by the names from the top */
async function makeTags(tx: Queryable, wanted: readonly (readonly string[])[]): Promise<ReadonlyMap<string, number>> {
  const made = new Map<string, { id: number; path: string; depth: number; children: number }>([['', { id: 0, path: '', depth: -1, children: 0 }]])
  for (const names of wanted) {
    for (let depth = 0; depth < names.length; depth++) {
      const key = names.slice(0, depth + 1).join('/')
      const parent = made.get(names.slice(0, depth).join('/'))
      if (made.has(key) || !parent) continue
      const path = parent.id === 0 ? '/' : pathBelow(parent)
      const [id = 0] = await insertMany(tx, materialTag, [{ name: names[depth] ?? '', parent_id: parent.id || null, path, depth, ord: `a${parent.children++}` }])
      made.set(key, { id, path, depth, children: 0 })
    }
  }
  return new Map([...made].map(([key, { id }]) => [key, id]))
}

interface Stored {
  readonly made: Made
  readonly url: string
  readonly cover: string | null
  readonly facts: Omit<Found, 'unplayable'>
  readonly sha256: string | null
  readonly bytes: number | null
}

/** A library as a company has it that has taught for two years: most of it ready, some of it waiting for somebody. */
export async function insertAssetDemo(db: Database, files: FileStore): Promise<void> {
  const [admin] = await db.query<{ id: number }>(sql`select id from staff order by id limit 1`)
  if (!admin) return
  const random = seededRandom(616)
  const now = Math.floor(Date.now() / 1000)
  const put = async (bytes: Buffer, name: string) => fileUrl((await files.put(Readable.from([bytes]), { name, staffId: admin.id })).id)
  const subtitle = await put(Buffer.from(SUBTITLE), '字幕.vtt')
  const records: Stored[] = []
  for (const made of await content()) {
    const url = await put(made.content, made.file)
    const cover = made.cover === undefined ? (made.kind === 'image' ? url : null) : await put(Buffer.from(made.cover), '封面.svg')
    const [id = ''] = fileIdsIn(url)
    const file = await files.find(id)
    const { unplayable: _none, ...facts } = await files.withPath(id, (path) => readMedia(path, file?.type ?? '', made.kind))
    records.push({ made, url, cover, facts, sha256: file?.sha256 ?? null, bytes: file?.bytes ?? null })
  }
  await seedTransaction(db, async (tx) => {
    const tags = await makeTags(tx, [...records.map(({ made }) => made.tags), ['待整理']])
    let videos = 0
    for (const { made, url, cover, facts, sha256, bytes } of records) {
      const resource = ASSETS[made.kind]
      const trouble = made.kind === 'video' ? TROUBLE[videos++] : undefined
      const spoken = made.kind === 'video' && !trouble && random.chance(0.6)
      const subtitles = spoken ? [{ lang: 'zh', url: subtitle }] : []
      const licence = random.weighted([['own', 7], ['licensed', 2], ['pending', 1]])
      await attachFiles(tx, resource, { url, ...(cover !== null && { cover }), subtitles }, admin.id)
      await insertMany(tx, resource as typeof ASSETS.video, [{
        kind: made.kind, name: made.name, url, cover, tag_ids: random.chance(0.08) ? [] : [tags.get(made.tags.join('/')) ?? 0], licence, licence_until: licence === 'licensed' ? now + random.int(10, 400) * DAY : null,
        subtitles, chapters: spoken ? CHAPTERS : [], cues: [], sha256, bytes, ...(trouble?.state === ASSET_STATE.failed ? {} : facts), ...(trouble ?? { state: ASSET_STATE.ready }),
        created_by: admin.id, created_at: seasonalMoment(random, now - 700 * DAY, now - DAY),
      }])
    }
  })
}
