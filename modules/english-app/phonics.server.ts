import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, type Served } from '../../core/endpoint/serve.server.ts'
import { notFound } from '../../core/error/error.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { addOutlineOwner, createOutline } from '../outline/door.server.ts'
import { fullName, subject } from '../reference/module.ts'
import { phonogramKinds } from './blocks.server.ts'
import { openPhonics, PHONICS_RIGHTS } from './phonics.ts'

export const PHONICS_KIND = 'english_phonics'
/** There is one course of phonograms. */
export const PHONICS_ID = 1
/** Primary English (spec 3). */
const ENGLISH = 202

/** Its facts, for who works on primary English. */
async function factsOf(db: Queryable, staff: Staff) {
  const [row] = await db.query<{ name: string; level: number }>(sql`select name, level from subject where id in (select id from subject where ${listCondition(subject, staff, {})}) and id = ${ENGLISH}`)
  return row && { title: '音标目录', note: fullName(row.name, row.level), subject_id: ENGLISH }
}

/** Lets the course of phonograms have an outline: units, lessons, phonograms with their exercises. */
export function addPhonics(): void {
  addOutlineOwner({
    kind: PHONICS_KIND, label: '音标目录', blocks: [...phonogramKinds, 'animation', 'video', 'audio', 'text'],
    grants: { view: PHONICS_RIGHTS.screen, edit: PHONICS_RIGHTS.id('edit'), publish: PHONICS_RIGHTS.id('publish') },
    complete: {
      each: 'lesson',
      needs: [
        { key: 'phonogram', label: '音标讲解', hint: '本课所学的音标', blocks: { kinds: ['phonogram'] } },
        { key: 'practice', label: '练习', hint: '听音选标、跟读或拼读，至少要有一个', blocks: { kinds: ['listen', 'follow', 'spell'] } },
      ],
    },
    async find(db, staff, ids) {
      const facts = ids.includes(PHONICS_ID) ? await factsOf(db, staff) : undefined
      return new Map(facts ? [[PHONICS_ID, facts]] : [])
    },
    path: () => '/englishApp/phonogramcatalog',
  })
}

export const phonicsCalls: readonly Served[] = [
  handle(openPhonics, (call) => call.transaction(async (tx) => {
    if (!await factsOf(tx, call.staff)) throw notFound('音标目录')
    return { outline_id: await createOutline(tx, { kind: PHONICS_KIND, id: PHONICS_ID }) }
  })),
]
