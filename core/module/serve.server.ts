import type { FindAppClient } from '../app-client/app-clients.server.ts'
import type { Database } from '../database/database.server.ts'
import type { Served } from '../endpoint/serve.server.ts'
import type { FileStore } from '../file/store.server.ts'
import type { JobDefinition } from '../job/define.server.ts'
import type { Sweep } from '../job/sweep.server.ts'
import type { GrantGroup } from '../grant/grant-tree.ts'
import type { Rights } from '../grant/rights.ts'
import type { DailyFigure } from '../kernel/figure.server.ts'
import type { Kernel } from '../kernel/kernel.server.ts'
import type { OverviewSection } from '../kernel/overview.server.ts'
import type { PrintedLines } from '../kernel/printed-lines.server.ts'
import type { SelfCheck } from '../kernel/self-check.server.ts'
import type { PublicPageKind } from '../public-page/public-page.server.ts'
import type { TableUse } from '../resource/uses.server.ts'
import type { Resource } from '../resource/define.ts'
import type { ResourceService } from '../resource/serve.server.ts'
import type { WaitingKind } from '../inbox/waiting.server.ts'
import type { Trend } from './dashboard.server.ts'
import type { ModuleDoor } from './define.ts'

/** Makes demo data, in the one transaction in which it runs. `files` and `db` belong to that transaction. */
type DemoMaker = (db: Database, report: (text: string) => void, files: FileStore) => Promise<void>

/** A piece of a module's demo; parts come one after the other, each in a transaction of its own. */
export interface DemoPart {
  /** What it makes, in words. */
  readonly title: string
  readonly run: DemoMaker
}

/** The server half of a module. */
export interface ServerModule {
  readonly door: ModuleDoor
  readonly services?: readonly ResourceService[]
  /** Kinds of records with calls of their own only; what they refer to is theirs all the same. */
  readonly records?: readonly Resource[]
  /** What the module's tables that are no resource refer to: their rows refuse the removal of what they name. */
  readonly uses?: readonly TableUse[]
  calls?(kernel: Kernel): Served[]
  /** Kinds of pages that it opens to people without an account. */
  publicPages?(kernel: Kernel): PublicPageKind[]
  /** Finds learners' apps by their keys; one module of all does. */
  readonly findAppClient?: FindAppClient
  /** Kinds of background work. */
  jobs?(kernel: Kernel): JobDefinition[]
  /** What is to be tidied up from time to time, in whichever process comes first. */
  sweeps?(kernel: Kernel): Sweep[]
  /** What of it waits for people: in their inbox and on home. */
  readonly waiting?: readonly WaitingKind[]
  /** What of it is offered on home beside its figures. */
  readonly trends?: readonly Trend[]
  /** What of it is counted by days, for the data center and home. */
  readonly figures?: readonly DailyFigure[]
  /** Lines of its records that templates may print. */
  readonly printed?: readonly PrintedLines[]
  /** What holds in it whatever people do. */
  readonly checks?: readonly SelfCheck[]
  /** Rights of its screens that no definition of its resources names. */
  readonly rights?: readonly Rights[]
  readonly overview?: readonly OverviewSection[]
  /** Fills an empty database with what the product needs to work at all; `grants` is everything that can be granted. */
  base?(db: Database, grants: readonly GrantGroup[]): Promise<void>
  /** Runs at each start: brings what the product itself put there, and nobody has changed since, up to this release. */
  renew?(db: Database, grants: readonly GrantGroup[]): Promise<void>
  /**
   * Fills it with demo data that looks real. Modules come in the order of their `after`. What takes longer than some seconds
   * is made in parts, because on the embedded database nobody else is answered meanwhile.
   */
  readonly demo?: DemoMaker | readonly DemoPart[]
  /** Names of modules whose data must be there first. */
  readonly after?: readonly string[]
}

/** The server half of a module. */
export function serveModule(module: ServerModule): ServerModule {
  return module
}
