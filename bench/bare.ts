/** What a list costs without a product around it: a bare Fastify and pg, no session, no grants, no presentation. */
import Fastify from 'fastify'
import pg from 'pg'

const COLUMNS = `t.*, s.name as school_name, c.name as cell_name, e.name as teacher_name,
  array(select n.name from unnest(t.unit_ids) with ordinality u(id, place) join unit n on n.id = u.id order by u.place) as unit_names,
  cb.name as created_by_name, ub.name as updated_by_name`
const JOINS = `left join app_school s on s.id = t.school_id left join school_cell c on c.id = t.cell_id
  left join school_teacher e on e.id = t.teacher_id left join staff cb on cb.id = t.created_by left join staff ub on ub.id = t.updated_by`
const WHERE = 'deleted_at is null and status = $1'
const LIST = `select ${COLUMNS} from (select * from school_student where ${WHERE} order by id desc limit 20) t ${JOINS} order by t.id desc`
const COUNT = `select count(*) as n from (select 1 from school_student where ${WHERE} limit 10001) x`
const SEARCH = `select ${COLUMNS} from (select * from school_student where deleted_at is null and (coalesce("name", '') || ' ' || coalesce("student_no", '')) ilike $1 order by id desc limit 20) t ${JOINS} order by t.id desc`
const ONE = `select ${COLUMNS} from (select * from school_student where deleted_at is null and id = $1) t ${JOINS}`

/** Starts it on a port; the pool has the size of the product's. */
export async function startBare(url: string, port: number): Promise<() => Promise<void>> {
  const pool = new pg.Pool({ connectionString: url, max: 16 })
  const app = Fastify()
  app.get('/count', async (request) => {
    const { status } = request.query as { status: string }
    const [page, count] = await Promise.all([pool.query(LIST, [status]), pool.query<{ n: string }>(COUNT, [status])])
    return { items: page.rows, total: Number(count.rows[0]?.n) }
  })
  app.get('/list', async (request) => {
    const { status } = request.query as { status: string }
    return { items: (await pool.query(LIST, [status])).rows }
  })
  app.get('/search', async (request) => {
    const { keyword } = request.query as { keyword: string }
    const pattern = `%${keyword}%`
    const [page, count] = await Promise.all([
      pool.query(SEARCH, [pattern]),
      pool.query<{ n: string }>(`select count(*) as n from (select 1 from school_student where deleted_at is null and (coalesce("name", '') || ' ' || coalesce("student_no", '')) ilike $1 limit 10001) x`, [pattern]),
    ])
    return { items: page.rows, total: Number(count.rows[0]?.n) }
  })
  app.get('/one/:id', async (request) => {
    const { id } = request.params as { id: string }
    return (await pool.query(ONE, [id])).rows[0]
  })
  app.post('/create', async (request) => {
    const body = request.body as Record<string, unknown>
    const client = await pool.connect()
    try {
      await client.query('begin')
      const { rows } = await client.query<{ id: number }>(
        `insert into school_student_bare (name, mobile, school_id, grade, status, unit_ids, created_by, updated_by) values ($1, $2, $3, $4, 1, '{}', 1, 1) returning *`,
        [body['name'], body['mobile'], body['school_id'], body['grade']],
      )
      await client.query('insert into audit_log (staff_id, action, entity, entity_id, after) values (1, $1, $2, $3, $4)', ['create', 'school_student_bare', rows[0]?.id, JSON.stringify(rows[0])])
      await client.query('commit')
      return rows[0]
    } finally {
      client.release()
    }
  })
  await app.listen({ port, host: '127.0.0.1' })
  return async () => {
    await app.close()
    await pool.end()
  }
}

if (import.meta.main) {
  const [url = '', port = '0'] = process.argv.slice(2)
  await startBare(url, Number(port))
  process.send?.('ready')
}
