import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Database } from '../../../core/database/database.server.ts'
import { attachFiles } from '../../../core/resource/attach.server.ts'
import type { FileStore } from '../../../core/file/store.server.ts'
import { fileUrl } from '../../../core/file/url.ts'
import { insertMany, seedTransaction } from '../../../core/setup/insert-many.server.ts'
import { seasonalMoment, seededRandom } from '../../../core/setup/random.ts'
import { LESSON_STATE, LESSONS } from './lesson.ts'

const DAY = 86_400
/** Lessons of each subject. */
const EACH = 8
/** Length of the clip, in seconds. */
const SECONDS = 15
const TEACHERS = ['陈思远', '李雨桐', '王嘉宁', '赵明轩', '周若溪', '孙浩然']
const TOPICS = ['概念讲解', '典型例题', '易错辨析', '方法归纳', '真题精讲', '拓展提升']

/** Micro lessons of each subject about its own knowledge, all with one clip, with the plays of a quarter of a year. */
export async function insertLessonDemo(db: Database, files: FileStore): Promise<void> {
  const [admin] = await db.query<{ id: number }>(sql`select id from staff order by id limit 1`)
  if (!admin) return
  const random = seededRandom(621)
  const now = Math.floor(Date.now() / 1000)
  const { id: fileId } = await files.put(createReadStream(join(import.meta.dirname, 'demo-lesson.mp4')), { name: '演示微课.mp4', staffId: admin.id })
  const video = fileUrl(fileId)
  await seedTransaction(db, async (tx) => {
    for (const resource of LESSONS) await attachFiles(tx, resource, { video }, admin.id)
    const labels = await tx.query<{ id: number; subject_id: number; level: number; name: string }>(sql`select l.id, l.subject_id, s.level, l.name
      from label l join subject s on s.id = l.subject_id
      where l.kind = 'knowledge' and l.depth >= 2 and l.deleted_at is null and l.status = 1
        and exists (select 1 from practice_label k join practice p on p.id = k.practice_id and p.pool = 'official' where k.label_id = l.id)
      order by l.subject_id, l.id`)
    for (const subjectId of new Set(labels.map((label) => label.subject_id))) {
      const own = labels.filter((label) => label.subject_id === subjectId)
      const resource = LESSONS[own[0]?.level ?? -1]
      if (!resource) continue
      const lessons = Array.from({ length: Math.min(EACH, own.length) }, (_, index) => {
        const label = own[Math.floor((index * own.length) / EACH)] ?? own[0]
        return {
          name: `${label?.name ?? ''}：${random.pick(TOPICS)}`.slice(0, 60), subject_id: subjectId, label_id: label?.id ?? 0, teacher: random.pick(TEACHERS), video, duration: SECONDS,
          difficulty: random.weighted([[2, 1], [3, 3], [4, 4], [5, 2]]), state: random.weighted([[LESSON_STATE.shelved, 7], [LESSON_STATE.draft, 2], [LESSON_STATE.waiting, 1], [LESSON_STATE.off, 1]]),
          created_at: seasonalMoment(random, now - 300 * DAY, now - 90 * DAY),
        }
      })
      await insertMany(tx, resource, lessons)
    }
    await tx.query(sql`update micro_lesson set code_url = 'https://www.example.com/micro/' || id`)
    await tx.query(sql`insert into micro_practice (lesson_id, practice_id, ord)
      select lesson_id, practice_id, ord from (
        select t.id as lesson_id, p.id as practice_id, row_number() over (partition by t.id order by p.id)::int as ord
        from micro_lesson t join practice_label k on k.label_id = t.label_id join practice p on p.id = k.practice_id and p.pool = 'official' and p.deleted_at is null
      ) found where ord <= 4`)
    // Every third play stops early.
    await tx.query(sql`insert into micro_play (lesson_id, user_id, at, seconds, finished)
      select t.id, n, now() - ((n * 7919 + t.id * 104729) % 7776000) * interval '1 second', case when n % 3 = 0 then 6 else ${SECONDS}::int end, n % 3 <> 0
      from micro_lesson t, generate_series(1, 20 + (t.id * 37 % 60)::int) n where t.state = ${LESSON_STATE.shelved} on conflict do nothing`)
  })
}

/** Binds each micro paper to lessons of its subject, as teachers do: what is watched is practised. */
export async function bindDemoLessons(db: Database): Promise<void> {
  await seedTransaction(db, (tx) => tx.query(sql`update paper p set lesson_ids = array(select t.id from micro_lesson t where t.subject_id = p.subject_id and t.state = ${LESSON_STATE.shelved} order by (t.id * 7919 + p.id) % 101 limit 2)
    where p.kind = 'micro'`))
}
