import type { Database } from '../../core/database/database.server.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { channel } from './channel.ts'

/** Name, kind and cost of a user in fen. */
const CHANNELS = [
  ['官网', 1, 0], ['应用商店', 1, 0], ['微信公众号', 1, 120], ['抖音信息流', 2, 6800], ['小红书投放', 2, 4500],
  ['教辅扫码', 3, 80], ['学校地推', 4, 2600], ['书店合作', 5, 1500], ['合作自习室', 5, 900], ['老带新', 6, 2000],
] as const

/** Ten channels. */
export async function insertReferenceDemo(db: Database, report: (text: string) => void): Promise<void> {
  await seedTransaction(db, (tx) => insertMany(tx, channel, CHANNELS.map(([name, kind, cost]) => ({ name, kind, cost }))))
  report(`已生成 ${CHANNELS.length} 个渠道`)
}
