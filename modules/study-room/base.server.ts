import type { Database } from '../../core/database/database.server.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { roomType } from './room-type.ts'

/** spec 3: the kinds of study room. What each costs is not shown, so it starts at nothing and is set by the business. */
export async function insertRoomTypes(db: Database): Promise<void> {
  await seedTransaction(db, (tx) => insertMany(tx, roomType, [
    { type: 'common', desc: '线下自习室' },
    { type: 'gaosi', desc: '高思' },
    { type: 'lesson_class', desc: '课程班' },
  ]))
}
