import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { flushSecurityLog, keepSecurityLog } from '../audit/security.server.ts'
import { auditSweeps } from './audit-sweeps.server.ts'
import type { Config } from '../config.server.ts'
import type { Database } from '../database/database.server.ts'
import type { Served } from '../endpoint/serve.server.ts'
import { fileCalls } from '../file/calls.server.ts'
import { resumableUploads } from '../file/resumable.server.ts'
import { clamdScanner } from '../file/scan.server.ts'
import { openFileStore } from '../file/store.server.ts'
import { grantWords } from '../resource/action-titles.server.ts'
import { actionId, screenOf, STANDARD_ACTIONS } from '../grant/grant.ts'
import { checkRights } from '../grant/rights.ts'
import { buildServer } from '../http/server.server.ts'
import { jobCalls } from '../job/calls.server.ts'
import { Jobs } from '../job/jobs.server.ts'
import { jobWaiting } from './job-waiting.server.ts'
import { ownSweeps } from '../job/sweep.server.ts'
import { liveCalls } from '../live/calls.server.ts'
import { liveEvents } from '../live/calls.ts'
import { Live } from '../live/live.server.ts'
import { openApiCall } from '../openapi/openapi.server.ts'
import { openOutgoing } from '../outgoing/outgoing.server.ts'
import { preferenceCalls } from '../preference/calls.server.ts'
import { reportCalls } from '../report/calls.server.ts'
import { publicPageCalls } from '../public-page/public-page.server.ts'
import { sweepClientErrors } from '../report/client-error.server.ts'
import { Metrics } from '../report/metrics.server.ts'
import { SlowStatements } from '../report/slow.server.ts'
import { actionWords } from '../resource/action-words.server.ts'
import { resourceCalls } from '../resource/calls.server.ts'
import { checkDefinition, checkRules } from '../resource/check.server.ts'
import type { Resource } from '../resource/define.ts'
import { checkSharing } from '../resource/table.server.ts'
import { namingOf, usesOf, type Registry } from '../resource/uses.server.ts'
import { sweepLoginLog } from '../login/attempt.server.ts'
import { signInCalls } from '../login/calls.server.ts'
import { sweepDevices } from '../login/known-device.server.ts'
import { waitingCalls } from '../inbox/waiting.server.ts'
import { openSecrets } from '../session/secret.server.ts'
import { Sessions } from '../session/session.server.ts'
import { transferCalls } from '../transfer/calls.server.ts'
import { treeCalls } from '../tree/calls.server.ts'
import { discussionWaiting } from '../discussion/waiting.server.ts'
import { concernCalls, discussionCalls } from '../discussion/calls.server.ts'
import { recordFileCalls } from '../record-file/calls.server.ts'
import { recordFileSweep } from '../record-file/record-file.server.ts'
import { presenceCalls, sweepPresence } from '../presence/calls.server.ts'
import { undoCalls } from '../take-back/calls.server.ts'
import { undoJobs, undoSweep } from '../take-back/job.server.ts'
import { transferJobs, transferSweep } from '../transfer/jobs.server.ts'
import { allTrends, dashboardCall, trendCalls } from './dashboard.server.ts'
import { DemoFilling, demoProgressCall } from './demo.server.ts'
import type { GrantGroup, GrantNode } from '../grant/grant-tree.ts'
import type { Kernel } from '../kernel/kernel.server.ts'
import type { ServerModule } from './serve.server.ts'

const root = join(import.meta.dirname, '../..')

/** Groups of screens with their ids, as the product's own table has them. */
export interface ScreenTable {
  readonly groups: readonly { title: string; screens: readonly { id: number; path: string; title: string }[] }[]
}

/** Every module's server half, those that others build on first. */
export async function findModules(): Promise<ServerModule[]> {
  const found: ServerModule[] = []
  for await (const path of glob('modules/*/module.server.ts', { cwd: root })) {
    found.push(((await import(join(root, path))) as { default: ServerModule }).default)
  }
  found.sort((a, b) => a.door.name.localeCompare(b.door.name))
  const ordered: ServerModule[] = []
  const visit = (module: ServerModule) => {
    if (ordered.includes(module)) return
    for (const name of module.after ?? []) {
      const before = found.find((other) => other.door.name === name)
      if (!before) throw new Error(`module ${module.door.name} comes after ${name}, which does not exist`)
      visit(before)
    }
    ordered.push(module)
  }
  found.forEach(visit)
  return ordered
}

/**
 * All resources by name, each with everything that refers to it.
 * @throws Error with one sentence, when definitions contradict each other
 */
export function registryOf(modules: readonly ServerModule[]): Registry {
  const services = modules.flatMap((module) => module.services ?? [])
  const known = new Set(services.map(({ resource }) => resource.name))
  const resources = [...services.map(({ resource }) => resource), ...modules.flatMap((module) => module.records ?? [])]
  for (const resource of resources) {
    for (const field of Object.values(resource.fields)) {
      if ('target' in field && !known.has(field.target().name)) throw new Error(`${resource.name} refers to ${field.target().name}, which no module serves`)
    }
  }
  resources.forEach(checkDefinition)
  services.forEach(checkRules)
  for (const [table, sharing] of Map.groupBy(resources, (resource) => resource.table)) checkSharing(table, sharing)
  const tables = modules.flatMap((module) => module.uses ?? [])
  return new Map(services.map((service) => [service.resource.name, { ...service, usedBy: usesOf(resources, tables, service.resource), namedBy: namingOf(resources, service.resource) }]))
}

/** @throws Error when two modules give one name to their events */
export function checkLiveKinds(modules: readonly { door: Pick<ServerModule['door'], 'name' | 'live'> }[]): void {
  const owners = new Map<string, string>()
  for (const { door } of modules) {
    for (const { name } of door.live ?? []) {
      const other = owners.get(name)
      if (other !== undefined) throw new Error(`${door.name} and ${other} both call events ${name}`)
      owners.set(name, door.name)
    }
  }
}

/** Every kind of record of the modules: those of the registry, and those from whose definitions no calls are made. */
export function kindsOf(modules: readonly ServerModule[]): Resource[] {
  return modules.flatMap(({ services = [], records = [] }) => [...services.map(({ resource }) => resource), ...records])
}

/** What can be granted: screens that exist, each with its actions. */
export function grantTreeOf(table: ScreenTable, modules: readonly ServerModule[], registry: Registry): GrantGroup[] {
  const shown = new Set(modules.flatMap((module) => module.door.screens))
  const actions = new Map<number, Map<number, string>>()
  const offer = (screen: number, id: number, title: string) => actions.set(screen, (actions.get(screen) ?? new Map<number, string>()).set(id, title))
  const rights = [...[...registry.values()].map(({ resource }) => resource.rights), ...modules.flatMap((module) => module.rights ?? [])]
  checkRights(rights)
  for (const { resource } of registry.values()) {
    for (const action of Object.keys(STANDARD_ACTIONS) as (keyof typeof STANDARD_ACTIONS)[]) {
      if (resource.actions[action] !== undefined) offer(resource.grant, resource.rights.id(action), resource.rights.title(action))
    }
  }
  for (const { screen, table: own } of rights) for (const [n, title] of Object.values(own)) offer(screen, actionId(screen, n), title)
  return table.groups.flatMap((group) => {
    const screens: GrantNode[] = group.screens.filter((screen) => shown.has(screen.path)).map(({ id, title }) => {
      const children = [...(actions.get(id) ?? [])].sort(([a], [b]) => a - b).map(([child, name]) => ({ id: child, title: name }))
      return { id, title, ...(children.length > 0 && { children }) }
    })
    return screens.length > 0 ? [{ title: group.title, screens }] : []
  })
}

/** Everything that answers calls, put together. */
export interface App {
  http: FastifyInstance
  kernel: Kernel
  modules: readonly ServerModule[]
  served: readonly Served[]
  /** Makes the demo behind the running product. */
  demo: DemoFilling
}

/** Puts the product together on a migrated database. */
export async function assemble(config: Config, database: Database, table: ScreenTable, options: { log?: boolean } = {}): Promise<App> {
  const slow = new SlowStatements()
  const db = slow.watch(database)
  keepSecurityLog(db, { json: config.logFormat === 'json' })
  const modules = await findModules()
  checkLiveKinds(modules)
  const registry = registryOf(modules)
  const grantTree = grantTreeOf(table, modules, registry)
  const nodes = grantTree.flatMap((group) => group.screens.flatMap((screen) => [screen, ...(screen.children ?? [])]))
  const sessions = new Sessions(db, nodes.map((node) => node.id), config)
  await sessions.start()
  const scanner = config.clamd && clamdScanner(config.clamd)
  const files = await openFileStore(config, db, scanner)
  const secrets = await openSecrets(config, db)
  const live = new Live(db)
  await live.start()
  const metrics = new Metrics(db, live, slow)
  // Screens that are still to come have calls already; a refusal names them too.
  const titles = new Map([...table.groups.flatMap((group) => group.screens), ...nodes].map((node) => [node.id, node.title]))
  const grantTitle = (id: number) => titles.get(id) ?? titles.get(screenOf(id)) ?? String(id)
  const kinds = kindsOf(modules)
  const words = actionWords(kinds)
  const jobs = new Jobs({ db, live, sessions, grantTitle })
  const outgoing = openOutgoing(config, db)
  const demo = new DemoFilling()
  const waiting = [...modules.flatMap((module) => module.waiting ?? []), jobWaiting, ...discussionWaiting]
  let served: readonly Served[] = []
  const kernel: Kernel = { endpoints: () => served.map(({ endpoint }) => endpoint), config, db, outgoing, mailDoor: outgoing, sessions, secrets, registry, kinds, words, grantTree, files, live, metrics, jobs, overview: modules.flatMap((module) => module.overview ?? []), figures: modules.flatMap((module) => module.figures ?? []), waiting, printed: modules.flatMap((module) => module.printed ?? []), checks: modules.flatMap((module) => module.checks ?? []) }
  const offered = allTrends(modules)
  served = [
    ...signInCalls(kernel),
    ...liveCalls(live),
    ...fileCalls(files),
    ...jobCalls(jobs),
    ...undoCalls(kernel),
    ...concernCalls(kernel),
    ...presenceCalls(kernel),
    ...preferenceCalls(),
    ...reportCalls(config, metrics, { scanner, filling: () => demo.progress !== undefined }),
    demoProgressCall(demo),
    ...grantWords(grantTree),
    dashboardCall(waiting, offered, kernel),
    ...waitingCalls(waiting, kernel),
    ...trendCalls(offered),
    openApiCall(kernel.endpoints, () => kinds, grantTitle),
    ...publicPageCalls(modules.flatMap((module) => module.publicPages?.(kernel) ?? [])),
    ...modules.flatMap((module) => module.calls?.(kernel) ?? []),
    ...[...registry.values()].flatMap((service) => [...resourceCalls(service, registry, words), ...transferCalls(kernel, service), ...treeCalls(service, kernel), ...discussionCalls(service, kernel), ...recordFileCalls(service, kernel)]),
  ]
  jobs.define([...transferJobs(kernel), ...undoJobs(kernel), ...modules.flatMap((module) => module.jobs?.(kernel) ?? [])], [
    { name: 'session', run: () => sessions.sweep() },
    { name: 'login_log', run: () => sweepLoginLog(db) },
    { name: 'known_device', run: () => sweepDevices(db) },
    { name: 'file', run: () => files.sweep() },
    { name: 'local file', everywhere: true, run: () => files.sweepLocal() },
    recordFileSweep(db, registry),
    sweepPresence(db),
    { name: 'client_error', run: () => sweepClientErrors(db) },
    ...ownSweeps(db),
    ...auditSweeps(db, config),
    transferSweep(kernel),
    undoSweep(kernel),
    ...modules.flatMap((module) => module.sweeps?.(kernel) ?? []),
  ])
  const http = await buildServer({ filling: () => demo.progress !== undefined, fingerprintKey: secrets.key('idempotency'), config, db, sessions, served, findAppClient: modules.find((module) => module.findAppClient)?.findAppClient, grantTitle, protocols: [resumableUploads(config, files)], log: options.log ?? false })
  metrics.attach(http, [liveEvents.path])
  demo.attach(http, [liveEvents.path])
  // Open streams would keep the server from closing.
  http.addHook('preClose', async () => live.close())
  http.addHook('onReady', () => jobs.start())
  http.addHook('onClose', async () => {
    await jobs.stop()
    await outgoing.close()
    await flushSecurityLog(db)
  })
  return { http, kernel, modules, served, demo }
}
