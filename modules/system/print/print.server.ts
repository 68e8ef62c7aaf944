import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../../core/endpoint/serve.server.ts'
import { badRequest, invalid, notFound, notGranted } from '../../../core/error/error.ts'
import type { Kernel } from '../../../core/kernel/kernel.server.ts'
import { printChoices, printRecords, type Paper, type Printed, type PrintField, type TemplateVersion } from '../../../core/print/calls.ts'
import { pathsOf } from '../../../core/print/fill.ts'
import { lockRow } from '../../../core/resource/write.server.ts'
import { touch } from '../../../core/resource/touch.server.ts'
import { serve } from '../../../core/resource/serve.server.ts'
import type { Resource } from '../../../core/resource/define.ts'
import type { RichDoc } from '../../../core/rich-text/rich-doc.ts'
import { insertMany } from '../../../core/setup/insert-many.server.ts'
import { printTemplate, TEMPLATES } from './template.ts'
import { printedRecords, printFields } from './values.server.ts'

export const printTemplates = serve(printTemplate)()

type Parts = Pick<Kernel, 'db' | 'registry' | 'printed'>

interface Version { doc: RichDoc; paper: Paper }

async function versionOf(db: Queryable, id: number, n: number): Promise<Version> {
  const [row] = await db.query<Version & Record<string, unknown>>(sql`select doc, paper from print_version where template_id = ${id} and n = ${n}`)
  if (!row) throw notFound('模板版本')
  return row
}

/** Keeps a version; what was printed by an older one can be looked at for ever. */
export async function keepVersion(tx: Queryable, id: number, n: number, { doc, paper }: Version, staffId: number | null): Promise<void> {
  await tx.query(sql`insert into print_version (template_id, n, doc, paper, staff_id) values (${id}, ${n}, ${JSON.stringify(doc)}::jsonb, ${paper}, ${staffId})`)
}

/** Calls that print, and those of whoever keeps the templates. */
export function printCalls(parts: Parts): Served[] {
  const resourceOf = (name: string): Resource => {
    const resource = parts.registry.get(name)?.resource
    if (!resource) throw notFound('记录类型')
    return resource
  }
  /** A resource that the person may look at: the fields of others are none of theirs. */
  const heldResource = ({ staff }: Pick<Call, 'staff'>, name: string): Resource => {
    const resource = resourceOf(name)
    if (!staff.modules.has(resource.grant)) throw notGranted(resource.label)
    return resource
  }
  const checkDoc = (resource: Resource, doc: RichDoc | null): RichDoc => {
    if (!doc) throw invalid({ doc: '请填写模板内容' })
    const known = new Set(printFields(parts, resource).map(({ path }: PrintField) => path))
    const [strange] = pathsOf(doc).filter((path) => !known.has(path))
    if (strange !== undefined) throw invalid({ doc: `模板中的字段「${strange}」不存在，请删除后重新插入` })
    return doc
  }
  const answer = (call: Pick<Call, 'staff'>, template: Printed['template'], records: Printed['records']): Printed => ({ template, records, at: Math.floor(Date.now() / 1000), by: call.staff.name })

  return [
    handle(printChoices, async ({ db, staff }) => {
      const rows = await db.query<{ id: number; name: string; resource: string; paper: Paper }>(sql`select id, name, resource, paper from print_template where status = 1 and deleted_at is null order by resource, id`)
      return { items: rows.filter(({ resource }) => { const known = parts.registry.get(resource)?.resource; return known !== undefined && staff.modules.has(known.grant) }) }
    }),
    handle(printRecords, async (call) => {
      const { template_id, ids, log } = call.input
      const [template] = await call.db.query<{ id: number; name: string; resource: string; version: number }>(sql`select id, name, resource, version::int as version from print_template where id = ${template_id} and status = 1 and deleted_at is null`)
      if (!template) throw notFound('打印模板')
      const resource = heldResource(call, template.resource)
      const { doc, paper } = await versionOf(call.db, template.id, template.version)
      const records = await printedRecords(parts, resource, call.staff, ids, doc)
      if (records.length === 0) throw notFound(resource.label)
      if (log) {
        await call.transaction((tx) => tx.query(sql`insert into audit_log (staff_id, ip, request_id, action, entity, entity_id, after)
          select ${call.staff.id}, ${call.ip}, ${call.requestId}, 'print', ${resource.table}, id, ${JSON.stringify({ template: template.name, version: template.version })}::jsonb from unnest(${sql.param(records.map(({ id }) => id))}::bigint[]) as x (id)`))
      }
      return answer(call, { name: template.name, paper, version: template.version, doc }, records)
    }),
    handle(TEMPLATES.resources, ({ staff }) => Promise.resolve({ items: [...parts.registry.values()].flatMap(({ resource: { name, label, grant } }) => (staff.modules.has(grant) ? [{ name, label }] : [])) })),
    handle(TEMPLATES.fields, (call) => Promise.resolve({ items: printFields(parts, heldResource(call, call.input.resource)) })),
    handle(TEMPLATES.read, async (call) => {
      const [row] = await call.db.query<{ id: number; rev: number; name: string; resource: string; version: number; status: number }>(sql`select id, rev, name, resource, version::int as version, status from print_template where id = ${idParam(call)} and deleted_at is null`)
      if (!row) throw notFound('打印模板')
      const versions = await call.db.query<TemplateVersion & Record<string, unknown>>(sql`select v.n, extract(epoch from v.at)::float8 as at, s.name as by, v.paper from print_version v left join staff s on s.id = v.staff_id where v.template_id = ${row.id} order by v.n desc limit 200`)
      return { ...row, ...await versionOf(call.db, row.id, row.version), versions }
    }),
    handle(TEMPLATES.version, (call) => versionOf(call.db, idParam(call), idParam(call, 'n'))),
    handle(TEMPLATES.create, (call) => call.transaction(async (tx) => {
      const { name, resource, paper, doc } = call.input
      const of = heldResource(call, resource)
      const checked = checkDoc(of, doc)
      const [id = 0] = await insertMany(tx, printTemplate, [{ name, resource, resource_name: of.label, paper, version: 1, status: 1, created_by: call.staff.id }])
      await keepVersion(tx, id, 1, { doc: checked, paper }, call.staff.id)
      return { id }
    }, { action: 'save' })),
    handle(TEMPLATES.save, (call) => call.transaction(async (tx) => {
      const { name, paper, doc, status, rev } = call.input
      const row = await lockRow(tx, printTemplate, call.staff, idParam(call))
      if (row.rev !== rev) throw badRequest('模板刚被他人修改，请刷新后再改')
      const checked = checkDoc(heldResource(call, row.resource), doc)
      const before = await versionOf(tx, row.id, row.version)
      const same = before.paper === paper && JSON.stringify(before.doc) === JSON.stringify(checked)
      const version = same ? row.version : row.version + 1
      await touch(tx, printTemplate, { name, paper, status, version }, row.id)
      if (!same) await keepVersion(tx, row.id, version, { doc: checked, paper }, call.staff.id)
      return { id: row.id, version }
    }, { action: 'save' })),
    handle(TEMPLATES.preview, async (call) => {
      const { resource: name, paper, doc, id } = call.input
      const resource = heldResource(call, name)
      const checked = checkDoc(resource, doc)
      const [newest] = id === undefined ? await call.db.query<{ id: number }>(sql`select id from ${sql.identifier(resource.table)} where deleted_at is null ${'line' in resource.where ? sql`and line = ${String((resource.where as Record<string, unknown>)['line'])}` : sql``} order by id desc limit 1`) : []
      const wanted = id ?? newest?.id
      return answer(call, { name: '预览', paper, version: 0, doc: checked }, wanted === undefined ? [] : await printedRecords(parts, resource, call.staff, [wanted], checked))
    }),
  ]
}
