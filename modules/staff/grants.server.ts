import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, defineError, notFound, staleWrite } from '../../core/error/error.ts'
import type { ScopeKind, Scopes } from '../../core/grant/grant.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import { touch } from '../../core/resource/touch.server.ts'
import type { Registry } from '../../core/resource/uses.server.ts'
import { first, likeText, listCondition, type Query } from '../../core/resource/where.server.ts'
import { forgetFailures } from '../../core/login/attempt.server.ts'
import { forgetDevices } from '../../core/login/known-device.server.ts'
import { hashPassword, randomPassword } from '../../core/login/password.server.ts'
import { SUPER_ROLE } from '../../core/session/session.server.ts'
import {
  forceLogout, grantTree, handOver, handOverPreview, loginLog, readGrants, resetFactors, resetPassword, scopeOptions, writeGrants, type LoginEntry, type StaffGrants,
} from './grants.ts'
import { staff, STAFF_STATUS } from './staff.ts'
import { grantTitles, learnTitles, lockPerson, notHeld, personBelow, type Person } from './standing.server.ts'

/** How long a password that somebody else has made logs in, once. */
const PASSWORD_HOURS = 24

const ceiling = defineError('ceiling', 403, (titles: string) => `您自己没有「${titles}」权限，不能授予`)
const lastSuper = defineError('last_super', 409, () => '这是最后一位不受限的超级管理员，不能停用、更改角色或限制数据范围')

/** Refuses when nobody else would be left who can do everything, to everybody. */
export async function keepOneSuper(tx: Queryable, id: number): Promise<void> {
  // One after the other: two administrators, each holding the other's record, must neither remove each other nor wait for ever.
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('last super', 0))`)
  const [other] = await tx.query(
    sql`select 1 from staff where role = ${SUPER_ROLE} and status = ${STAFF_STATUS.working} and deleted_at is null and id <> ${id}
      and not exists (select 1 from staff_scope where staff_id = staff.id) limit 1`,
  )
  if (!other) throw lastSuper()
}

/** A limit may only be passed on or narrowed: nobody shows others more data than they see. */
function checkScopeCeiling(call: Pick<Call, 'staff'>, scopes: Scopes): void {
  for (const [kind, own] of Object.entries(call.staff.scopes) as [ScopeKind, readonly number[]][]) {
    const given = scopes[kind]
    if (!given?.length || given.some((id) => !own.includes(id))) throw badRequest('数据范围不能超出您自己的范围')
  }
}

const toGrants = ({ modules, scopes, rev }: Person): StaffGrants => ({ modules: [...modules], scopes, rev })

/** Calls around a staff member's rights, password, sessions and succession. */
export function grantCalls({ sessions, grantTree: tree, registry }: Kernel): Served[] {
  learnTitles(tree)
  const known = new Set(tree.flatMap((group) => group.screens.flatMap((screen) => [screen.id, ...(screen.children ?? []).map((child) => child.id)])))
  return [
    handle(grantTree, async () => ({ groups: [...tree] })),
    handle(readGrants, async (call) => toGrants(await personBelow(call.db, call.staff, idParam(call)))),
    handle(writeGrants, async (call) => {
      const id = idParam(call)
      const modules = [...new Set(call.input.modules)]
      const scopes: Scopes = call.input.scopes
      if (modules.some((module) => !known.has(module))) throw badRequest('包含未知的权限编号')
      if (id === call.staff.id) throw badRequest('不能修改自己的权限')
      checkScopeCeiling(call, scopes)
      await call.transaction(async (tx) => {
        const before = await lockPerson(tx, call.staff, id)
        if (call.input.rev !== undefined && call.input.rev !== before.rev) throw staleWrite(undefined, toGrants(before))
        const missing = notHeld(call.staff, modules)
        if (missing.length > 0) throw ceiling(grantTitles(missing))
        if (before.role === SUPER_ROLE && Object.values(scopes).some((ids) => ids.length > 0)) await keepOneSuper(tx, id)
        await tx.query(sql`delete from staff_module where staff_id = ${id}`)
        await tx.query(sql`insert into staff_module (staff_id, module_id) select ${id}, unnest(${sql.param(modules)}::int[])`)
        await tx.query(sql`delete from staff_scope where staff_id = ${id}`)
        for (const [kind, ids] of Object.entries(scopes)) {
          await tx.query(sql`insert into staff_scope (staff_id, kind, ref_id) select ${id}, ${kind}, unnest(${sql.param([...new Set(ids)])}::bigint[])`)
        }
        await touch(tx, staff, {}, id)
        await tx.query(sql`insert into audit_log (staff_id, ip, request_id, action, entity, entity_id, before, after)
          values (${call.staff.id}, ${call.ip}, ${call.requestId}, 'grant', 'staff', ${id},
            ${JSON.stringify({ modules: before.modules, scopes: before.scopes })}::jsonb, ${JSON.stringify({ modules, scopes })}::jsonb)`)
        return {}
      })
      await sessions.changed(id)
      return toGrants(await personBelow(call.db, call.staff, id))
    }),
    handle(scopeOptions, async (call) => {
      const kind = call.params['kind'] as ScopeKind
      const resource = [...registry.values()].find((service) => service.resource.scope[kind] === 'id')?.resource
      if (!resource) throw notFound('数据范围')
      const query = call.input as Query
      const keyword = first(query, 'keyword')?.trim()
      const title = sql.identifier(resource.title)
      const ids = query['ids']
      const condition = listCondition(resource, call.staff, ids === undefined ? {} : { ids })
      const match = keyword ? sql` and ${title} ilike ${`%${likeText(keyword)}%`}` : sql``
      const items = await call.db.query<{ id: number; name: string }>(
        sql`select id, ${title} as name from ${sql.identifier(resource.table)} where ${condition}${match} order by id desc limit ${ids ? 500 : 50}`,
      )
      return { items }
    }),
    handle(resetPassword, async (call) => {
      const id = idParam(call)
      // A stolen session must not get around the question for the current password.
      if (id === call.staff.id) throw badRequest('请在个人设置中修改自己的密码')
      const password = randomPassword()
      const hash = await hashPassword(password)
      // The answer holds a password, so it is not kept for a repetition: each call makes a new one.
      await call.db.transaction({ staff_id: call.staff.id, ip: call.ip, request_id: call.requestId }, async (tx) => {
        const { account } = await lockPerson(tx, call.staff, id)
        await forgetFailures(tx, account)
        await forgetDevices(tx, id)
        await tx.query(sql`insert into credential (staff_id, password_hash, must_change, good_until) values (${id}, ${hash}, true, now() + make_interval(hours => ${PASSWORD_HOURS}))
          on conflict (staff_id) do update set password_hash = excluded.password_hash, must_change = true, good_until = excluded.good_until, changed_at = now()`)
        await sessions.endAll(tx, id)
        await tx.query(sql`insert into audit_log (staff_id, ip, request_id, action, entity, entity_id)
          values (${call.staff.id}, ${call.ip}, ${call.requestId}, 'reset_password', 'staff', ${id})`)
      })
      await sessions.changed(id)
      return { password }
    }),
    handle(resetFactors, async (call) => {
      const id = idParam(call)
      if (id === call.staff.id) throw badRequest('请在个人设置中关闭自己的两步验证')
      const result = await call.transaction(async (tx) => {
        const { account } = await lockPerson(tx, call.staff, id)
        await forgetFailures(tx, account)
        await forgetDevices(tx, id)
        const [before] = await tx.query<{ totp_confirmed: boolean }>(sql`select totp_confirmed from credential where staff_id = ${id}`)
        await tx.query(sql`update credential set totp_secret = null, totp_confirmed = false, recovery_hashes = '{}' where staff_id = ${id}`)
        const passkeys = await tx.query(sql`delete from passkey where staff_id = ${id} returning 1`)
        const cleared = { totp: before?.totp_confirmed ?? false, passkeys: passkeys.length }
        // A person who logged in by what is gone now has to show what is left.
        await sessions.endAll(tx, id)
        await tx.query(sql`insert into audit_log (staff_id, ip, request_id, action, entity, entity_id, before)
          values (${call.staff.id}, ${call.ip}, ${call.requestId}, 'reset_factors', 'staff', ${id}, ${JSON.stringify(cleared)}::jsonb)`)
        return cleared
      })
      await sessions.changed(id)
      return result
    }),
    handle(forceLogout, async (call) => {
      const id = idParam(call)
      const result = await call.transaction(async (tx) => {
        await lockPerson(tx, call.staff, id)
        const ended = await tx.query(sql`delete from session where staff_id = ${id} returning 1`)
        await tx.query(sql`insert into audit_log (staff_id, ip, request_id, action, entity, entity_id)
          values (${call.staff.id}, ${call.ip}, ${call.requestId}, 'force_logout', 'staff', ${id})`)
        return { ended: ended.length }
      })
      await sessions.changed(id)
      return result
    }),
    handle(loginLog, async (call) => {
      const { id } = await personBelow(call.db, call.staff, idParam(call))
      const items = await call.db.query<LoginEntry>(
        sql`select id, at, method, result, ip, user_agent from login_log where staff_id = ${id} order by id desc limit 100`,
      )
      return { items, total: items.length }
    }),
    handle(handOverPreview, async (call) => {
      const { id } = await personBelow(call.db, call.staff, idParam(call))
      const items = await Promise.all(ownedColumns(registry).map(async ({ resource: { table }, column, label }) => {
        const [row] = await call.db.query<{ n: number }>(sql`select count(*) as n from ${sql.identifier(table)} where ${sql.identifier(column)} = ${id} and deleted_at is null`)
        return { resource: table, label, count: row?.n ?? 0 }
      }))
      return { items }
    }),
    handle(handOver, async (call) => {
      const id = idParam(call)
      const to = call.input.to_id
      if (to === id) throw badRequest('接手人不能是本人')
      return call.transaction(async (tx) => {
        await lockPerson(tx, call.staff, id)
        const [heir] = await tx.query(sql`select id from staff where id = ${to} and status = ${STAFF_STATUS.working} and deleted_at is null`)
        if (!heir) throw badRequest('接手人不存在或已停用')
        let moved = 0
        for (const { resource, column } of ownedColumns(registry)) moved += (await touch(tx, resource, { [column]: to }, sql`t.${sql.identifier(column)} = ${id} and t.deleted_at is null`)).length
        return { moved }
      }, { action: 'hand_over' })
    }),
  ]
}

/** Columns of all resources that say who answers for a record. */
function ownedColumns(registry: Registry): { resource: Resource; column: string; label: string }[] {
  return [...registry.values()].flatMap(({ resource }) => Object.entries(resource.fields).flatMap(([column, field]) =>
    field.kind === 'reference' && field.target().name === 'staff' ? [{ resource, column, label: `${resource.label}的${field.label}` }] : []))
}
