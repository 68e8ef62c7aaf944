/** A tree of 12,000 nodes on PostgreSQL: opening it level by level beside sending all of it, and changing it. */
import { sql } from 'drizzle-orm'
import { median } from './measure.ts'
import { OURS } from './servers.ts'
import { loaded, onVolume } from './volume.ts'

const END = `${OURS}/daoyuan/api/end`
/** 20 topics of 23 parts of 25 aspects: 11,980 nodes. */
const LEVELS = [[1, 20], [2, 23], [3, 25]] as const
const TIMES = 15
/** Issue of the trees: milliseconds until it is open. */
const OPEN = 300

await onVolume(async () => undefined, async ({ db, headers }) => {
  await loaded(db, '12,000 labels in one tree', async () => {
    for (const [depth, n] of LEVELS) {
      await db.script(`alter table label disable trigger user; insert into label (kind, subject_id, parent_id, name, path, depth, ord, status)
        select 'knowledge', 1, l.id, '知识' || l.id || '·' || i, l.path || l.id || '/', ${depth}, 'a' || chr(64 + i), 1 from label l cross join generate_series(1, ${n}) i
        where l.kind = 'knowledge' and l.subject_id = 1 and l.depth = ${depth - 1}; alter table label enable trigger user;`)
    }
  })
  const ids = async (depth: number) => (await db.query<{ id: number }>(sql`select id from label where kind = 'knowledge' and subject_id = 1 and depth = ${depth} order by id`)).map(({ id }) => id)
  const [tops, parts, leaves] = [await ids(1), await ids(2), await ids(3)]
  const ask = async (url: string, body?: object): Promise<{ ms: number; bytes: number }> => {
    const began = performance.now()
    const answer = await fetch(url, { headers: { ...headers, ...(body && { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID().replaceAll('-', '') }) }, ...(body && { method: 'POST', body: JSON.stringify(body) }) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text.slice(0, 200)}`)
    return { ms: performance.now() - began, bytes: text.length }
  }
  const pick = (list: readonly number[], n: number) => list[(n * 7919) % list.length] ?? 0
  const many = async (work: (n: number) => Promise<{ ms: number; bytes: number }[]>) => {
    const all: { ms: number; bytes: number }[] = []
    for (let n = 0; n < TIMES + 2; n++) {
      const began = performance.now()
      const parts = await work(n)
      if (n > 1) all.push({ ms: performance.now() - began, bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0) })
    }
    return { ms: median(all.map(({ ms }) => ms)), kb: median(all.map(({ bytes }) => bytes)) / 1024 }
  }
  const whole = await many(async () => [await ask(`${OURS}/micro_material/api/end/knowledge_label_v2?cat_id=1`)])
  const show = (what: string, { ms, kb }: { ms: number; kb: number }) =>
    console.log(`${what.padEnd(44)} ${ms.toFixed(1).padStart(8)} ms ${kb.toFixed(1).padStart(9)} kB   ${(whole.ms / ms).toFixed(1)} × as fast, ${(whole.kb / kb).toFixed(0)} × as small as all`)
  show('all of it (a call of the specification)', whole)
  const opened = await many(async () => [await ask(`${END}/knowledge_labels/tree?subject_id=1`)])
  show('the tree opened', opened)
  show('opened as far as a leaf', await many(async (n) => {
    const leaf = pick(leaves, n)
    const node = await fetch(`${END}/knowledge_labels/tree/${leaf}`, { headers }).then((answer) => answer.json()) as { above: { id: number }[] }
    return Promise.all([ask(`${END}/knowledge_labels/tree?subject_id=1`), ...node.above.map(({ id }) => ask(`${END}/knowledge_labels/tree?subject_id=1&parent_id=${id}`))])
  }))
  show('found by name', await many(async (n) => [await ask(`${END}/knowledge_labels/tree/find?subject_id=1&keyword=${encodeURIComponent(`·${(n % 25) + 1}`)}`)]))
  show('a branch of 600 nodes moved', await many(async (n) => [await ask(`${END}/knowledge_label/${pick(tops, n)}/move`, { parent_id: null, before_id: pick(tops, n + 1) })]))
  show('a branch of 26 nodes to another parent', await many(async (n) => [await ask(`${END}/knowledge_label/${pick(parts, n)}/move`, { parent_id: pick(tops, n + 3) })]))
  console.log(opened.ms <= OPEN ? `opened within ${OPEN} ms` : `over the ${OPEN} ms in which a tree is to open`)
})
