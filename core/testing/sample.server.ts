import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'drizzle-orm'
import { Readable } from 'node:stream'
import type { AnyField, FieldKind } from '../field/any-field.ts'
import { readShelf } from '../field/choice.ts'
import { withWords } from '../field/rich-text.ts'
import { video } from './uploads.server.ts'
import { attachFiles } from '../resource/attach.server.ts'
import { fileUrl } from '../file/url.ts'
import { startOfDay } from '../field/time.ts'
import { transitionGrant, type Resource } from '../resource/define.ts'
import type { WireRow } from '../resource/endpoints.ts'
import { NOTHING_COMPUTED, type Row } from '../resource/list.server.ts'
import { checkValue } from '../field/check.ts'
import { writableKeys } from '../resource/rules.ts'
import { shelves } from '../resource/switch.ts'
import { insertRow } from '../resource/write.server.ts'
import { pathBelow } from '../resource/tree-path.ts'
import { Caller, type Answer, type TestApp } from './app.server.ts'

const DAY = 86_400
/** A day next month: nothing of a sample is over. */
const start = startOfDay(Date.now() / 1000) + 30 * DAY
const NAMES = ['王明', '李红', '张伟', '王芳', '赵敏']
const REGIONS = ['320102', '3201', '110101', '44']
/** The smallest picture there is. */
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
/** The beginning of a file of each type; the first that a field takes is used. */
const FILES = [
  { type: 'video/mp4', ending: 'mp4', content: video() },
  { type: 'image/png', ending: 'png', content: PNG },
  { type: 'audio/wav', ending: 'wav', content: Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1') },
  { type: 'application/pdf', ending: 'pdf', content: Buffer.from('%PDF-1.7\n') },
] as const
const noCandidates = (): unknown[] => []

/** Beginning of every sample's mobile number: no answer but a reveal may show one whole. */
export const SAMPLE_MOBILE = /(?<![\da-z])150\d{8}(?![\da-z])/i

/** What every sample's name of somebody who learns looks like: only those who work with them may see one whole. */
export const SAMPLE_PERSON = /甄隐\d+名/

function choiceAt(field: AnyField, n: number): unknown {
  const offered = 'choices' in field ? field.choices.filter((choice) => !choice.past) : []
  return offered[n % offered.length]?.value
}

/** Adds to the smallest value that a field takes, without leaving its range. */
function numberAt(field: AnyField, n: number): number {
  if (!('min' in field)) return n
  const low = Math.max(0, field.min)
  return field.column === 'numeric' ? low + (n % 50) + 0.5 : low + (n % (field.max - low + 1))
}

/** A text with what texts are made of, and a picture. */
const richSample = (n: number, picture: string) => withWords({ t: 'doc', v: 1, c: [
  { t: 'p', c: [`第 ${n} 段，`, { t: 'text', text: '重要', b: true }, { t: 'tex', tex: 'x^2' }] }, { t: 'list', style: 'decimal', items: [[{ t: 'p', c: ['第一项'] }]] }, { t: 'image', asset: picture },
] })

/**
 * Values to try, by kind; the first that the field's own rules take is used. `place` orders the dates of one record, `ids`
 * are rights that a person who writes the record holds.
 */
const candidates: Record<FieldKind, (field: AnyField, n: number, place: number, ids: readonly number[]) => unknown[]> = {
  text: (_field, n) => [`${NAMES[n % NAMES.length]}${n}`, `sample_${n}`, String(10_000_000 + n), `9132${String(n).padStart(14, '0')}`, `978${String(n).padStart(10, '0')}`, `https://example.com/${n}`, String(100_000_000_000_000 + n), `3C:5A:B4:00:${10 + (n % 90)}:${10 + (Math.floor(n / 90) % 90)}`, `apple ${[...String(n)].map((digit) => 'bcdefghijk'[Number(digit)]).join('')}`, 'kæt', 'GZ'],
  long_text: (_field, n) => [`备注第 ${n} 行\n次行`, `sample ${n}`, `com.example.app${n}\ncom.example.other`],
  number: (field, n) => [numberAt(field, n), numberAt(field, 0), new Date().getFullYear() + 1 + (n % 3)],
  sort_order: (field, n) => [numberAt(field, n)],
  money: (field, n) => [numberAt(field, n * 100)],
  choice: (field, n) => [choiceAt(field, n)],
  multi_choice: (field, n) => [[choiceAt(field, n)]],
  toggle: (_field, n) => [n % 2],
  // Two dates of one record stay within 60 days whatever is mixed: nobody may be away for longer (modules/room/leave.server.ts).
  date: (_field, n, place) => [start + (place * 40 + (n % 20)) * DAY],
  time: (_field, n, place) => [start + (place * 40 + (n % 20)) * DAY + 3600],
  time_range: (_field, n) => [`08:00-${12 + (n % 10)}:30`],
  mobile: (_field, n) => [`150${String(n).padStart(8, '0')}`],
  person_name: (_field, n) => [`甄隐${n}名`],
  region: (_field, n) => [REGIONS[n % REGIONS.length]],
  json: (_field, n, _place, ids) => [[ids[n % ids.length]], [`标签${n}`], [{}], [{ kind: 1 + (n % 3), hour: 100 * n }], [{ channel: 'cash', expected: n, counted: n }], { note: `示例${n}` }, {}, `示例${n}`, n, []],
  tags: (_field, n) => [[`标签${n % 7}`, '常用']],
  reference: noCandidates,
  tree_reference: noCandidates,
  reference_list: noCandidates,
  image: noCandidates,
  images: noCandidates,
  file: noCandidates,
  video: noCandidates,
  computed: noCandidates,
  segment: noCandidates,
  rich_text: noCandidates,
  group: (field, n, place, ids) => ('fields' in field ? [[0, 1].map((line) => Object.fromEntries(Object.entries(field.fields).map(([key, one]) => [key, plainValue(one, n + line, place, ids)])))] : []),
}

/**
 * The n-th valid value of a field that refers to nothing.
 * @throws Error when no candidate passes the field's own rules
 */
function plainValue(field: AnyField, n: number, place: number, ids: readonly number[]): unknown {
  const found = candidates[field.kind](field, n, place, ids).find((value) => 'value' in checkValue(field, value))
  if (found === undefined) throw new Error(`no sample of kind ${field.kind} fits 「${field.label}」: add a candidate to core/testing/sample.server.ts`)
  return found
}

type Given = Readonly<Record<string, unknown>>

/**
 * What a module says of the n-th sample of a resource where the definition cannot: values that depend on each other, or that
 * name something which has to be there. `modules/<module>/samples-testing.server.ts` hands them over by the resource's name,
 * or by its table's for all that share it. What no call writes is filled so too.
 */
export type OwnSamples = Readonly<Record<string, (app: TestApp, n: number) => Promise<Given>>>

async function findOwnSamples(): Promise<OwnSamples> {
  const folder = join(import.meta.dirname, '../..')
  const found: OwnSamples[] = []
  for await (const path of glob('modules/*/samples-testing.server.ts', { cwd: folder })) found.push(((await import(pathToFileURL(join(folder, path)).href)) as { samples: OwnSamples }).samples)
  return Object.assign({}, ...found) as OwnSamples
}

/** Every id that the calls of a resource ask for. */
export function idsOf(resource: Resource): number[] {
  return [...new Set([resource.grant, ...Object.values(resource.actions), ...resource.transitions.map((transition) => transitionGrant(resource, transition))])]
}

/** Fails a test when an answer shows a whole mobile number. */
class Watchful extends Caller {
  override async call<Body = Record<string, unknown>>(...args: Parameters<Caller['call']>): Promise<Answer<Body>> {
    const answer = await super.call<Body>(...args)
    const shown = SAMPLE_MOBILE.exec(JSON.stringify(answer.body))
    if (shown && !args[1].endsWith('/reveal')) throw new Error(`${args[0]} ${args[1]} shows the mobile number ${shown[0]}`)
    const name = SAMPLE_PERSON.exec(JSON.stringify(answer.body))
    // A refusal may say what was sent.
    if (name && !args[1].endsWith('/reveal') && !JSON.stringify(args[2] ?? {}).includes(name[0])) throw new Error(`${args[0]} ${args[1]} shows the name ${name[0]}`)
    return answer
  }
}

/** Makes valid records of any resource from its definition, together with the records that it refers to. */
export class Samples {
  private readonly app: TestApp
  private readonly admin: Caller
  private readonly holder: Caller
  private readonly own: OwnSamples
  private readonly pools = new Map<string, Promise<number[]>>()
  private readonly making = new Set<string>()
  private readonly files = new Map<string, Promise<string>>()
  private count = 0

  constructor(app: TestApp, admin: Caller, holder: Caller, own: OwnSamples) {
    this.app = app
    this.own = own
    this.admin = admin
    this.holder = holder
  }

  /** Somebody who may do everything with a resource. Nobody can be granted a screen that does not exist yet, so a test says it. */
  caller(resource: Resource): Caller {
    return idsOf(resource).every((id) => this.app.allGrants.includes(id)) ? this.admin : this.holder
  }

  /** A number that no sample has used. */
  next(): number {
    return ++this.count
  }

  private resource(name: string): Resource {
    const service = this.app.kernel.registry.get(name)
    if (!service) throw new Error(`no resource ${name}`)
    return service.resource
  }

  /** Ids of two records that fit `given`, made once. */
  pool(target: Resource, given: Given = {}): Promise<number[]> {
    const key = `${target.name} ${JSON.stringify(given)}`
    let pool = this.pools.get(key)
    if (!pool) {
      pool = (async () => {
        // The first of a tree with a hidden root becomes that root, and the others hang below it.
        if (target.tree?.rooted) await this.create(target, given)
        return [(await this.create(target, given)).id, (await this.create(target, given)).id]
      })()
      this.pools.set(key, pool)
    }
    return pool
  }

  /** A stored file of the two that samples use of each type; a field whose values differ gets one of its own each time. */
  private file(owner: number, n: number, { accept, unique = false, label }: { accept: readonly string[]; unique?: boolean | undefined; label: string }): Promise<string> {
    const made = FILES.find(({ type }) => accept.includes(type))
    if (!made) throw new Error(`no sample of a file fits 「${label}」: add one to core/testing/sample.server.ts`)
    const { ending, content } = made
    const which = unique ? n : n % 2
    const key = `${owner} ${which} ${ending} ${unique}`
    let file = this.files.get(key)
    if (!file) {
      const bytes = unique ? Buffer.concat([content, Buffer.from(`\n%${n}`)]) : content
      file = this.app.kernel.files.put(Readable.from([bytes]), { name: `sample${which}.${ending}`, staffId: owner }).then(({ id }) => fileUrl(id))
      this.files.set(key, file)
    }
    return file
  }

  /** @param wanted what the record is to have; what it gets from records that it refers to is wanted of those */
  private async value(resource: Resource, key: string, field: AnyField, n: number, values: Given, wanted: Given = {}): Promise<unknown> {
    const place = Object.keys(resource.fields).indexOf(key)
    if ('accept' in field) {
      const url = await this.file(this.caller(resource).staffId, n, field)
      // A text that may hold pictures holds one.
      if (field.column === 'jsonb') return richSample(n, url)
      return field.column === 'text[]' ? [url] : url
    }
    if (!('target' in field)) return plainValue(field, n, place, idsOf(resource))
    const target = this.resource(field.target().name)
    // A record under construction cannot be waited for by the records that it needs.
    if (target.name === resource.name || this.making.has(target.name)) {
      if (field.required) throw new Error(`${resource.name}.${key} needs ${target.name}, which needs ${resource.name}`)
      return null
    }
    const handedOn = Object.entries(wanted).filter(([own]) => resource.fields[own]?.readonly && target.fields[own])
    const within = Object.fromEntries([...handedOn, ...Object.entries(field.within).map(([own, theirs]) => [theirs, values[own] ?? resource.where[own]])])
    // What only one record may name is named by none of the others.
    if (field.unique) return (await this.create(target, within)).id
    const pool = await this.pool(target, within)
    return field.refers === 'many' ? [pool[n % pool.length]] : pool[n % pool.length]
  }

  /**
   * Valid input for a record that exists nowhere yet, with every field that a person may set.
   * @param given values to use instead
   */
  async input(resource: Resource, given: Given = {}): Promise<Record<string, unknown>> {
    const n = this.next()
    const values: Record<string, unknown> = {}
    const distinct = distinctKeys(resource)
    const own = await (this.own[resource.name] ?? this.own[resource.table])?.(this.app, n) ?? {}
    this.making.add(resource.name)
    try {
      const keys = writableKeys(resource).sort((a, b) => Number(isDependent(resource, a)) - Number(isDependent(resource, b)))
      for (const key of keys) {
        const field = resource.fields[key]
        // Numbers multiply: a hundred times a hundred months end after everything may.
        const nth = field && 'digits' in field && !distinct.has(key) ? n % 12 : n
        if (field) values[key] = key in given ? given[key] : key in own ? own[key] : await this.value(resource, key, field, nth, values, given)
      }
    } finally {
      this.making.delete(resource.name)
    }
    return values
  }

  /** Creates a record by its call; by the table where there is no such call, in a state in which others may name it. */
  async create(resource: Resource, given: Given = {}): Promise<WireRow> {
    const caller = this.caller(resource)
    if (!resource.actions.create) {
      const [row] = await this.insert(resource, 1, { ...resource.pick.offered, ...given })
      if (!row) throw new Error(`no ${resource.name} was inserted`)
      return (await caller.get<WireRow>(`${resource.api.item}/${row.id}`)).body
    }
    const answer = await caller.post<WireRow>(resource.api.item, await this.input(resource, given))
    if (answer.status !== 200) throw new Error(`sample of ${resource.name} was refused: ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  /**
   * Inserts records straight into the table, past the rules of its module: read-only fields have values too, many values
   * are equal and many are absent.
   */
  async insert(resource: Resource, count: number, given: Given = {}): Promise<Row[]> {
    const distinct = distinctKeys(resource)
    const records: Record<string, unknown>[] = []
    let first: number | undefined
    for (let i = 0; i < count; i++) {
      const n = this.next()
      // Records that are made on the way take numbers too; what is chosen in turn is not to depend on how many.
      first ??= n
      const turn = first + i
      const own = await (this.own[resource.name] ?? this.own[resource.table])?.(this.app, n) ?? {}
      const record: Record<string, unknown> = {}
      for (const [place, key] of Object.keys(resource.fields).entries()) {
        const field = resource.fields[key]
        if (!field?.column || key in resource.where) continue
        if (key in given) record[key] = given[key]
        else if ((field.unlisted || !resource.actions.create) && key in own) record[key] = own[key]
        // What others call it by is always there.
        else if (!field.required && !distinct.has(key) && key !== resource.title && (turn + place) % 4 === 0) record[key] = null
        else record[key] = await this.value(resource, key, field, distinct.has(key) ? n : turn % 6, record)
      }
      records.push(record)
    }
    const computed = this.app.kernel.registry.get(resource.name)?.rules.computed ?? NOTHING_COMPUTED
    const table = sql.identifier(resource.table)
    const parents = Object.keys(resource.fields).filter((key) => isOwnTree(resource, key) && !(key in given))
    return this.app.db.transaction({ staff_id: null }, async (tx) => {
      // Records that come with the product may have brought their ids along.
      await tx.query(sql`select setval(pg_get_serial_sequence(${resource.table}, 'id'), (select coalesce(max(id), 0) + 1 from ${table}))`)
      const rows: Row[] = []
      for (const [i, record] of records.entries()) {
        for (const key of parents) record[key] = i % 3 === 0 ? null : rows[Math.floor(i / 3)]?.id
        // Where a record stands follows from its parent; one that another took the place of is none to try things on.
        if (resource.tree) {
          const [parent] = await tx.query<{ id: number; path: string; depth: number }>(sql`select id, path, depth from ${table} where id = ${record['parent_id'] ?? null}`)
          Object.assign(record, parent ? { path: pathBelow(parent), depth: parent.depth + 1 } : { path: '/', depth: 0 }, { ord: 'a0' }, resource.tree.merges && !('merged_into' in given) && { merged_into: null })
        }
        await attachFiles(tx, resource, record, this.caller(resource).staffId)
        rows.push(await insertRow(tx, resource, null, record, computed))
      }
      return rows
    })
  }

  /** All living records of a resource as stored, with what their switches read and what stands behind their references. */
  async living(resource: Resource): Promise<Row[]> {
    const fixed = Object.entries(resource.where).map(([key, value]) => sql` and ${sql.identifier(key)} = ${value}`)
    const rows = await this.app.db.query<Row>(sql`select * from ${sql.identifier(resource.table)} where deleted_at is null${sql.join(fixed)} order by id`)
    const readings = shelves(resource).flatMap(([key, { shelf }]) => (shelf ? [[key, shelf] as const] : []))
    const whole = rows.map((row): Row => ({ ...row, ...Object.fromEntries(readings.map(([key, shelf]) => [key, readShelf(shelf, row[shelf.state])])) }))
    for (const [key, { behind }] of Object.entries(resource.fields)) {
      if (!behind) continue
      // Step by step, and not by the product's own joins.
      let at = resource
      const reached = new Map(whole.map((row) => [row, row as Readonly<Record<string, unknown>> | undefined]))
      for (const step of behind.path) {
        const field = at.fields[step]
        if (!field || !('target' in field)) throw new Error(`${at.name}.${step} is no reference`)
        at = this.resource(field.target().name)
        const records = new Map((await this.app.db.query<Row>(sql`select * from ${sql.identifier(at.table)}`)).map((record) => [record.id, record]))
        for (const [row, from] of reached) reached.set(row, records.get(Number(from?.[step])))
      }
      for (const [row, end] of reached) row[key] = end?.[behind.key] ?? null
    }
    return whole
  }
}

/** Fields in which no two records may be equal, by themselves or with others, or by which a sheet finds them. */
function distinctKeys(resource: Resource): ReadonlySet<string> {
  return new Set([...Object.keys(resource.fields).filter((key) => resource.fields[key]?.unique), ...resource.unique.flat(), ...(resource.import?.key ?? []), ...(resource.tree && !resource.tree.namesakes ? [resource.title] : [])])
}

function isDependent(resource: Resource, key: string): boolean {
  const field = resource.fields[key]
  return field !== undefined && 'within' in field && Object.keys(field.within).length > 0
}

function isOwnTree(resource: Resource, key: string): boolean {
  const field = resource.fields[key]
  return field !== undefined && 'target' in field && field.filter === 'subtree' && field.target().name === resource.name
}

/** Samples of an application's resources, made by its administrator. */
export async function openSamples(app: TestApp): Promise<Samples> {
  const admin = await app.login()
  const holder = await app.staff(app.servedGrants)
  return new Samples(app, await app.enter(new Watchful(app, admin.staffId)), await app.enter(new Watchful(app, holder.staffId)), await findOwnSamples())
}
