import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Caller, type TestApp } from '../../../core/testing/app.server.ts'
import { MOST_PRINTED, type Printed, type PrintField, type TemplateChoice, type TemplateDetail } from '../../../core/print/calls.ts'
import { pathsOf } from '../../../core/print/fill.ts'
import { plainText } from '../../../core/rich-text/rich-doc.ts'
import { HEALTH_RIGHTS } from '../health.ts'
import { BUILT_IN } from './built-in.ts'
import { seedTemplates } from './seed.server.ts'
import { printFields } from './values.server.ts'

const PRINT = '/daoyuan/api/end/print'
let app: TestApp
let admin: Caller
let partner: number
let order: number
const grantOf = (name: string) => app.kernel.registry.get(name)?.resource.grant ?? 0
const chip = (path: string) => ({ t: 'field', path, label: path })
const docOf = (...paths: string[]) => ({ t: 'doc', v: 1, c: [{ t: 'p', c: paths.map(chip) }] })

beforeAll(async () => {
  app = await openTestApp()
  admin = await app.login()
  const [type] = await app.db.query<{ id: number }>(sql`select id from room_type limit 1`)
  const [made] = await app.db.query<{ id: number }>(sql`insert into partner (name, contact, mobile, region_code, level, type_id, sign_at, expire_at, status, deposit) values ('东城教育', '王建国', '13812345678', '110101', 4, ${type?.id ?? 1}, now(), now() + interval '1 year', 1, 5000000) returning id`)
  partner = made?.id ?? 0
  const [placed] = await app.db.query<{ id: number }>(sql`insert into orders (order_no, line, self_run, buyer_kind, buyer_ref_id, goods, total, discount, amount, paid, refunded, status, virtual, ship_status) values ('P20261126001', 'partner', 0, 'partner', ${partner}, '授权码×10', 100000, 0, 100000, 100000, 0, 1, 0, 0) returning id`)
  order = placed?.id ?? 0
  await app.db.query(sql`insert into order_item (order_id, kind, name, price, qty, net) values (${order}, 'code', '授权码 12 个月', 9000, 10, 90000), (${order}, 'material', '物料', 10000, 1, 10000)`)
})
afterAll(() => app.close())

const choices = async (caller: Caller) => (await caller.get<{ items: TemplateChoice[] }>(`${PRINT}/choices`)).body.items
const templateOf = async (resource: string, name: string) => (await choices(admin)).find((one) => one.resource === resource && one.name === name)?.id ?? 0
const print = (caller: Caller, body: Record<string, unknown>) => caller.post<Printed>(`${PRINT}/records`, body)

test('every template that the product brings names fields that there are, and is there once', async () => {
  for (const { resource, doc } of BUILT_IN) {
    const service = app.kernel.registry.get(resource)
    expect(service, resource).toBeDefined()
    const known = service ? printFields(app.kernel, service.resource).map(({ path }) => path) : []
    expect(pathsOf(doc).filter((path) => !known.includes(path)), resource).toEqual([])
  }
  await seedTemplates(app.db)
  expect(await choices(admin)).toHaveLength(BUILT_IN.length)
})

test('an order with its lines and its buyer, money by the one formatter, and the version that was printed', async () => {
  const { status, body } = await print(admin, { template_id: await templateOf('partner_order', '送货单'), ids: [order], log: true })
  expect(status).toBe(200)
  const [record] = body.records
  expect(record?.values).toMatchObject({ order_no: 'P20261126001', buyer_ref_id: '东城教育', 'buyer_ref_id.contact': '王建国', 'buyer_ref_id.mobile': '138****5678', remark: '' })
  // Codes go into no parcel.
  expect(record?.lines).toEqual({ parcels: [{ name: '物料', price: '¥100.00', qty: '1', net: '¥100.00' }] })
  expect(JSON.stringify(body.records)).not.toMatch(/undefined|null|13812345678/)
  expect(await app.db.query(sql`select entity, entity_id, after from audit_log where action = 'print'`)).toEqual([{ entity: 'orders', entity_id: order, after: { template: '送货单', version: 1 } }])
  const receipt = await print(admin, { template_id: await templateOf('partner_order', '收据'), ids: [order] })
  expect(receipt.body.records[0]?.lines['items']).toEqual([{ name: '授权码 12 个月', price: '¥90.00', qty: '10', net: '¥900.00' }, { name: '物料', price: '¥100.00', qty: '1', net: '¥100.00' }])
  expect(await app.db.query(sql`select 1 from audit_log where action = 'print'`)).toHaveLength(1)
})

test('who may not look at the list prints nothing, nor what is behind it, nor what is out of reach', async () => {
  const id = await templateOf('partner_order', '送货单')
  const nobody = await app.staff([HEALTH_RIGHTS.screen])
  expect(await choices(nobody)).toEqual([])
  expect((await print(nobody, { template_id: id, ids: [order] })).status).toBe(403)
  const orders = await app.staff([grantOf('partner_order')])
  const printed = (await print(orders, { template_id: id, ids: [order] })).body
  expect(printed.records[0]?.values['order_no']).toBe('P20261126001')
  expect(printed.records[0]?.values['buyer_ref_id.contact']).toBeUndefined()
  const elsewhere = await app.staff([grantOf('partner_order')], { scopes: { partner: [partner + 1000] } })
  expect((await print(elsewhere, { template_id: id, ids: [order] })).status).toBe(404)
  expect((await print(admin, { template_id: id, ids: Array.from({ length: MOST_PRINTED + 1 }, (_, n) => n + 1) })).status).toBe(400)
})

test('templates are kept by whoever has the right, of records that they may see, version by version', async () => {
  const keeper = await app.staff([HEALTH_RIGHTS.screen, HEALTH_RIGHTS.id('templates'), grantOf('partner')])
  const other = await app.staff([HEALTH_RIGHTS.screen, HEALTH_RIGHTS.id('edit'), grantOf('partner')])
  const body = { name: '确认单', resource: 'partner', paper: 'a4', doc: docOf('name', 'deposit') }
  expect((await other.post(`${PRINT}/templates`, body)).status).toBe(403)
  expect((await keeper.post(`${PRINT}/templates`, { ...body, resource: 'partner_order' })).status).toBe(403)
  expect(await keeper.post(`${PRINT}/templates`, { ...body, doc: docOf('name', 'password') })).toMatchObject({ status: 400, body: { fields: { doc: expect.stringContaining('password') } } })
  expect((await keeper.post(`${PRINT}/templates`, { ...body, doc: null })).status).toBe(400)
  const { id } = (await keeper.post<{ id: number }>(`${PRINT}/templates`, body)).body
  const read = async () => (await keeper.get<TemplateDetail>(`${PRINT}/templates/${id}`)).body
  const first = await read()
  expect(first).toMatchObject({ version: 1, versions: [{ n: 1 }] })
  const second = { name: '确认单', paper: 'a5', doc: docOf('contact'), rev: first.rev }
  expect(await keeper.put(`${PRINT}/templates/${id}`, second)).toMatchObject({ status: 200, body: { version: 2 } })
  expect((await keeper.put(`${PRINT}/templates/${id}`, second)).status).toBe(400)
  // The old one is still there, and comes back as a new one.
  const old = (await keeper.get<{ doc: Printed['template']['doc']; paper: string }>(`${PRINT}/templates/${id}/versions/1`)).body
  expect(plainText(old.doc)).toContain('deposit')
  expect(await keeper.put(`${PRINT}/templates/${id}`, { name: '确认单', paper: old.paper, doc: old.doc, rev: (await read()).rev })).toMatchObject({ body: { version: 3 } })
  expect((await print(keeper, { template_id: id, ids: [partner] })).body).toMatchObject({ template: { version: 3, paper: 'a4' }, records: [{ values: { name: '东城教育', deposit: '¥50,000.00' } }] })
  expect((await read()).versions.map(({ n }) => n)).toEqual([3, 2, 1])
  await keeper.put(`${PRINT}/templates/${id}`, { name: '确认单', paper: 'a4', doc: old.doc, status: 0, rev: (await read()).rev })
  expect((await print(keeper, { template_id: id, ids: [partner] })).status).toBe(404)
})

test('a template is looked at with a real record before it is kept', async () => {
  const { body } = await admin.post<Printed>(`${PRINT}/preview`, { resource: 'partner', paper: 'a4', doc: docOf('name', 'mobile') })
  expect(body.records[0]?.values).toMatchObject({ name: '东城教育', mobile: '138****5678' })
  const fields = (await admin.get<{ items: PrintField[] }>(`${PRINT}/fields`, { resource: 'partner_order' })).body.items
  expect(fields.find(({ path }) => path === 'items:qty')).toMatchObject({ repeats: true })
})
