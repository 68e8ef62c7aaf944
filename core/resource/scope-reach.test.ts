import { describe, expect, test } from 'vitest'
import { findResources } from '../module/schema.server.ts'
import { SCOPE_KINDS, type ScopeKind } from '../grant/grant.ts'
import type { Resource } from './define.ts'

const resources = await findResources()
const kinds = Object.keys(SCOPE_KINDS) as ScopeKind[]

/** Names of the resources that a record names others of. */
const targetsOf = (resource: Resource) => Object.values(resource.fields).flatMap((field) => ('target' in field ? [field.target().name] : []))

/**
 * The kinds of data scope that lead to each resource: those that narrow it, and through its references all that narrow what
 * it names. A kind that a resource waives goes no further through it.
 */
function reach(all: readonly Resource[]): ReadonlyMap<string, ReadonlySet<ScopeKind>> {
  const found = new Map(all.map((resource) => [resource.name, new Set(Object.keys(resource.scope) as ScopeKind[])]))
  const waives = new Map(all.map((resource) => [resource.name, resource.unscoped]))
  for (let grew = true; grew;) {
    grew = false
    for (const resource of all) {
      const own = found.get(resource.name)
      for (const target of targetsOf(resource)) {
        for (const kind of found.get(target) ?? []) {
          if (own === undefined || own.has(kind) || waives.get(target)?.[kind] !== undefined) continue
          own.add(kind)
          grew = true
        }
      }
    }
  }
  return found
}

const reached = reach(resources)
const rows = resources.flatMap((resource) => kinds.filter((kind) => reached.get(resource.name)?.has(kind)).map((kind) => [resource.name, kind, resource] as const))

test('there are references by which a scope reaches what lies behind others', () => {
  expect(rows.length).toBeGreaterThan(60)
})

describe.each(rows)('%s, which %s reaches', (_name, kind, resource) => {
  test('is narrowed by it, or says why not', () => {
    const waived = resource.unscoped[kind]
    // One or the other: a waiver beside a scope would be a lie.
    expect([resource.scope[kind] !== undefined, waived !== undefined], `${resource.name}: ${resource.scope[kind] ?? waived ?? 'neither'}`).toContain(true)
    expect(resource.scope[kind] !== undefined && waived !== undefined).toBe(false)
    if (waived !== undefined) expect(waived.length, 'a sentence').toBeGreaterThan(20)
  })
})

test.each(resources.map((resource) => [resource.name, resource] as const))('%s waives nothing that does not reach it', (_name, resource) => {
  const idle = (Object.keys(resource.unscoped) as ScopeKind[]).filter((kind) => !reached.get(resource.name)?.has(kind))
  expect(idle).toEqual([])
})

test.each(resources.map((resource) => [resource.name, resource] as const))('the scopes of %s lead through references to a column', (_name, resource) => {
  for (const path of Object.values(resource.scope)) {
    const parts = path.split('.')
    let at: Resource | undefined = resource
    for (const [place, key] of parts.entries()) {
      if (key === 'id') expect(place).toBe(parts.length - 1)
      else {
        const field: Resource['fields'][string] | undefined = at?.fields[key]
        expect(field?.column, `${resource.name}: ${path}`).toBeTruthy()
        const next: string | undefined = field && 'target' in field ? field.target().name : undefined
        if (place < parts.length - 1) expect(field?.kind, `${resource.name}: ${path}`).toBe('reference')
        at = resources.find(({ name }) => name === next)
      }
    }
  }
})
