/**
 * What the same answers cost without a product around them: Fastify and the driver, the SQL written by hand, no sessions,
 * grants, rules or masking but where it is said. Usage: bare.ts postgres <url> <port> | bare.ts embedded <folder> <port>
 */
import Fastify from 'fastify'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'

type Row = Record<string, unknown>
interface Statements {
  query(text: string, values: unknown[]): Promise<Row[]>
}
interface Bare extends Statements {
  transaction<Result>(work: (tx: Statements) => Promise<Result>): Promise<Result>
}

const COLUMNS = `t.*, s.name as school_name, c.name as cell_name, e.name as teacher_name,
  array(select n.name from unnest(t.unit_ids) with ordinality u(id, place) join unit n on n.id = u.id order by u.place) as unit_names,
  cb.name as created_by_name, ub.name as updated_by_name`
const JOINS = `left join app_school s on s.id = t.school_id left join school_cell c on c.id = t.cell_id
  left join school_teacher e on e.id = t.teacher_id left join staff cb on cb.id = t.created_by left join staff ub on ub.id = t.updated_by`
const page = (where: string) => `select ${COLUMNS} from (select * from school_student where ${where} order by id desc limit 20) t ${JOINS} order by t.id desc`
const count = (where: string) => `select count(*) as n from (select 1 from school_student where ${where} limit 10001) x`

const STATUS = 'deleted_at is null and status = $1'
const WORDS = `(coalesce("name", '') || ' ' || coalesce("student_no", ''))`
// The product's own index and condition.
const FOUND = `deleted_at is null and grams${WORDS} @> grams($1) and ${WORDS} ilike '%' || $1 || '%'`
const SESSION = `select s.id from session e join staff s on s.id = e.staff_id where e.hash = $1 and s.status = 1 and s.deleted_at is null`
const ONE = `select ${COLUMNS} from (select * from school_student where deleted_at is null and id = $1) t ${JOINS}`
const INSERT = `insert into school_student (name, mobile, school_id, grade, status, unit_ids, created_by, updated_by) values ($1, $2, $3, $4, 1, '{}', 1, 1) returning *`
const LOG = 'insert into audit_log (staff_id, action, entity, entity_id, after) values (1, $1, $2, $3, $4)'

/** The driver of a server, with a pool of the product's size. */
function onServer(url: string): Bare {
  const pool = new pg.Pool({ connectionString: url, max: 16 })
  return {
    query: async (text, values) => (await pool.query<Row>(text, values)).rows,
    async transaction(work) {
      const client = await pool.connect()
      try {
        await client.query('begin')
        const result = await work({ query: async (text, values) => (await client.query<Row>(text, values)).rows })
        await client.query('commit')
        return result
      } finally {
        client.release()
      }
    },
  }
}

/** The embedded engine as its documentation uses it. */
async function inProcess(folder: string): Promise<Bare> {
  const engine = await PGlite.create({ dataDir: folder })
  return {
    query: async (text, values) => (await engine.query<Row>(text, values)).rows,
    transaction: (work) => engine.transaction((tx) => work({ query: async (text, values) => (await tx.query<Row>(text, values)).rows })),
  }
}

const [kind, where = '', port = '0'] = process.argv.slice(2)
const db = kind === 'embedded' ? await inProcess(where) : onServer(where)
const app = Fastify()
const given = (request: { query: unknown }, key: string) => String((request.query as Row)[key] ?? '')

async function listed(condition: string, value: string, counting: boolean) {
  const [items, [counted]] = await Promise.all([db.query(page(condition), [value]), counting ? db.query(count(condition), [value]) : []])
  return { items, ...(counted && { total: Number(counted['n']) }) }
}

/** Lists of other tables: the page with the names that it refers to, and the total, both by one status. */
const OTHERS: Readonly<Record<string, { table: string; where: string; columns: string; joins: string }>> = {
  orders: {
    table: 'orders', where: `deleted_at is null and line = 'school' and self_run = 0 and status = $1`,
    columns: 't.*, p.name as partner_name, s.name as school_name, x.name as student_name, u.name as unit_name, cb.name as created_by_name, ub.name as updated_by_name',
    joins: 'left join partner p on p.id = t.partner_id left join app_school s on s.id = t.school_id left join school_student x on x.id = t.student_id left join unit u on u.id = t.unit_id',
  },
  codes: {
    table: 'activation_code', where: 'deleted_at is null and status = $1',
    columns: 't.*, g.name as group_name, p.name as partner_name, u.name as unit_name, s.name as school_name, x.name as student_name, cb.name as created_by_name, ub.name as updated_by_name',
    joins: 'left join activation_code_group g on g.id = t.group_id left join partner p on p.id = t.partner_id left join unit u on u.id = t.unit_id left join app_school s on s.id = t.school_id left join school_student x on x.id = t.student_id',
  },
}
for (const [name, { table, where, columns, joins }] of Object.entries(OTHERS)) {
  app.get(`/${name}`, async (request) => {
    const values = [given(request, 'status')]
    const [items, [counted]] = await Promise.all([
      db.query(`select ${columns} from (select * from ${table} where ${where} order by id desc limit 20) t ${joins}
        left join staff cb on cb.id = t.created_by left join staff ub on ub.id = t.updated_by order by t.id desc`, values),
      db.query(`select count(*) as n from (select 1 from ${table} where ${where} limit 10001) x`, values),
    ])
    return { items, total: Number(counted?.['n']) }
  })
}

// A page of so many bytes, for what costs nothing but its sending.
app.get('/page/:bytes', (request, reply) => reply.type('text/html; charset=utf-8').send('x'.repeat(Number((request.params as { bytes: string }).bytes))))
app.get('/list', (request) => listed(STATUS, given(request, 'status'), false))
app.get('/count', (request) => listed(STATUS, given(request, 'status'), true))
app.get('/search', (request) => listed(FOUND, given(request, 'keyword'), true))
app.get('/one/:id', async (request, reply) => {
  const [session] = await db.query(SESSION, [request.headers['x-session']])
  if (!session) return reply.status(401).send({ detail: 'no session' })
  return (await db.query(ONE, [(request.params as Row)['id']]))[0]
})
app.post('/create', (request) => db.transaction(async (tx) => {
  const body = request.body as Row
  const [row] = await tx.query(INSERT, [body['name'], body['mobile'], body['school_id'], body['grade']])
  await tx.query(LOG, ['create', 'school_student', row?.['id'], JSON.stringify(row)])
  return row
}))
await app.listen({ port: Number(port), host: '127.0.0.1' })
