import type { Config } from '../config.server.ts'
import type { Database } from '../database/database.server.ts'
import type { Endpoint } from '../endpoint/define.ts'
import type { FileStore } from '../file/store.server.ts'
import type { GrantGroup } from '../grant/grant-tree.ts'
import type { WaitingKind } from '../inbox/waiting.server.ts'
import type { Jobs } from '../job/jobs.server.ts'
import type { Live } from '../live/live.server.ts'
import type { MailDoor, Outgoing } from '../outgoing/outgoing.server.ts'
import type { Metrics } from '../report/metrics.server.ts'
import type { ActionWords } from '../resource/action-words.server.ts'
import type { Resource } from '../resource/define.ts'
import type { Registry } from '../resource/uses.server.ts'
import type { Secrets } from '../session/secret.server.ts'
import type { Sessions } from '../session/session.server.ts'
import type { DailyFigure } from './figure.server.ts'
import type { OverviewSection } from './overview.server.ts'
import type { PrintedLines } from './printed-lines.server.ts'
import type { SelfCheck } from './self-check.server.ts'

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
  /** The way of mail, under the same rules. */
  readonly mailDoor: MailDoor
  /** What this process measures of itself. */
  readonly metrics: Metrics
  readonly jobs: Jobs
  /** Every call of the product; known once all modules have given theirs, so ask while answering. */
  endpoints(): readonly Endpoint[]
  /** Groups, screens and actions that can be granted. */
  readonly grantTree: readonly GrantGroup[]
  /** What all modules together know of a person, in the order of the modules. */
  readonly overview: readonly OverviewSection[]
  /** What all modules together count by days. */
  readonly figures: readonly DailyFigure[]
  /** What of all modules waits for people. */
  readonly waiting: readonly WaitingKind[]
  /** Lines of records, for templates that are printed. */
  readonly printed: readonly PrintedLines[]
  /** What holds in all modules whatever people do. */
  readonly checks: readonly SelfCheck[]
}
