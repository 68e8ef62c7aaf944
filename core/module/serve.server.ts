import type { FindAppClient } from '../app-client/app-clients.server.ts'
import type { Config } from '../config.server.ts'
import type { Database } from '../database/database.server.ts'
import type { Endpoint } from '../endpoint/define.ts'
import type { Served } from '../endpoint/serve.server.ts'
import type { FileStore } from '../file/store.server.ts'
import type { JobDefinition } from '../job/define.server.ts'
import type { Jobs } from '../job/jobs.server.ts'
import type { Sweep } from '../job/sweep.server.ts'
import type { Live } from '../live/live.server.ts'
import type { Rights } from '../grant/rights.ts'
import type { Staff } from '../grant/staff.server.ts'
import type { Outgoing } from '../outgoing/outgoing.server.ts'
import type { PublicPageKind } from '../public-page/public-page.server.ts'
import type { Metrics } from '../report/metrics.server.ts'
import type { ActionWords } from '../resource/action-words.server.ts'
import type { Registry, TableUse } from '../resource/uses.server.ts'
import type { Resource } from '../resource/define.ts'
import type { ResourceService } from '../resource/serve.server.ts'
import type { Secrets } from '../session/secret.server.ts'
import type { Sessions } from '../session/session.server.ts'
import type { TileTone, TrendLine } from './dashboard.ts'
import type { ModuleDoor } from './define.ts'

/** What a module's calls may use beside the call itself. */
export interface Kernel {
  readonly db: Database
  readonly sessions: Sessions
  readonly secrets: Secrets
  readonly registry: Registry
  /** Every kind of record, those that have no calls of their own too. */
  readonly kinds: readonly Resource[]
  /** What the actions of the log are called. */
  readonly words: ActionWords
  readonly config: Config
  readonly files: FileStore
  readonly live: Live
  /** Requests that leave the house. */
  readonly outgoing: Outgoing
  /** What this process measures of itself. */
  readonly metrics: Metrics
  readonly jobs: Jobs
  /** Every call of the product; known once all modules have given theirs, so ask while answering. */
  endpoints(): readonly Endpoint[]
  /** Groups, screens and actions that can be granted. */
  readonly grantTree: readonly GrantGroup[]
  /** What all modules together know of a person, in the order of the modules. */
  readonly overview: readonly OverviewSection[]
}

export interface GrantNode {
  id: number
  title: string
  /** Actions below a screen. */
  children?: GrantNode[]
}

export interface GrantGroup {
  title: string
  screens: GrantNode[]
}

/** One number on the home page that waits for somebody. */
export interface Tile {
  readonly name: string
  readonly title: string
  /** Id without which the tile is absent and never asked for; none where it is everybody's. */
  readonly grant?: number
  /** Whether a number that is not zero asks for attention; `plain` unless told. */
  readonly tone?: TileTone
  /** Screen that it leads to, with query; `now` is the moment of the call, in unix seconds. */
  to(now: number): string
  count(db: Database, staff: Staff, now: number): Promise<number>
}

/** How something went day by day, on the home page. */
export interface Trend {
  readonly name: string
  readonly title: string
  /** Id without which it is absent and never read. */
  readonly grant: number
  readonly as: TrendLine['as']
  /** Screen with the records behind it. */
  readonly path: string
  /**
   * Reads what happened within the person's scope.
   * @param from start of a day, in unix seconds; `to` is the end
   * @returns values by the number of the day after `from`; days on which nothing happened may be missing
   */
  read(db: Database, staff: Staff, from: number, to: number): Promise<ReadonlyMap<number, number>>
}

/** How a value of an overview is shown. */
export type OverviewKind = 'text' | 'number' | 'money' | 'date' | 'time'

/** A part of an overview: single facts, or a table of records. */
export type OverviewContent =
  | { readonly stats: readonly { label: string; value: string | number | null; as: OverviewKind }[] }
  | {
    readonly columns: readonly { key: string; title: string; as: OverviewKind }[]
    readonly rows: readonly Readonly<Record<string, unknown>>[]
    /** Path of the list that opens one of them by its id. */
    readonly screen?: string
  }

/** What a module knows of one person outside, for the view that gathers everything about them. */
export interface OverviewSection {
  readonly name: string
  readonly title: string
  /** Id without which the section is absent and never loaded. */
  readonly grant: number
  /**
   * @param staff who looks; the section keeps to their data scopes
   * @param person the app user; the number is whole, so that records that carry no user id are found by it
   */
  load(db: Database, staff: Staff, person: { id: number; mobile: string }): Promise<OverviewContent>
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
  readonly tiles?: readonly Tile[]
  readonly trends?: readonly Trend[]
  /** Rights of its screens that no definition of its resources names. */
  readonly rights?: readonly Rights[]
  readonly overview?: readonly OverviewSection[]
  /** Fills an empty database with what the product needs to work at all; `grants` is everything that can be granted. */
  base?(db: Database, grants: readonly GrantGroup[]): Promise<void>
  /** Runs at each start: brings what the product itself put there, and nobody has changed since, up to this release. */
  renew?(db: Database, grants: readonly GrantGroup[]): Promise<void>
  /** Fills it with demo data that looks real. Modules come in the order of their `after`. */
  demo?(db: Database, report: (text: string) => void, files: FileStore): Promise<void>
  /** Names of modules whose data must be there first. */
  readonly after?: readonly string[]
}

/** The server half of a module. */
export function serveModule(module: ServerModule): ServerModule {
  return module
}
