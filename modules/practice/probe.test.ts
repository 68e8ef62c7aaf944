import { sql } from 'drizzle-orm'
import { test } from 'vitest'
import { openTestApp } from '../../core/testing/app.server.ts'
import door from './module.server.ts'
test('demo', async () => {
  let t = Date.now()
  const app = await openTestApp()
  const lap = (n: string) => { console.log(n, Date.now() - t); t = Date.now() }
  await app.staff([]); await app.staff([]); await app.staff([])
  lap('open'); let c = process.cpuUsage()
  const orig = app.db.transaction.bind(app.db)
  const slow: [number, string][] = []
  app.db.transaction = ((actor: any, work: any, seal: any) => orig(actor, (tx: any) => work({ query: async (s: any) => { const b = process.cpuUsage().user / 1000; const r = await tx.query(s); slow.push([process.cpuUsage().user / 1000 - b, JSON.stringify(s.queryChunks?.slice(0,2).map((c: any) => c.value ?? c) ?? '').slice(0, 110)]); return r } }), seal)) as any
  await door.demo?.(app.db, () => {})
  lap('demo'); console.log('cpu', process.cpuUsage(c).user / 1e6)
  const sums = new Map<string, number>()
  for (const [ms, s] of slow) sums.set(s, (sums.get(s) ?? 0) + ms)
  console.log([...sums].sort((a, b) => b[1] - a[1]).slice(0, 14))
  await app.close()
}, 120000)
