import type { Kernel } from '../../core/kernel/kernel.server.ts'
import type { ServerModule } from '../../core/module/serve.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { codeBacks } from './back.server.ts'
import { codeCalls } from './calls.server.ts'
import { expireSweep } from './expire.server.ts'
import { type CodeFamily } from './family.ts'
import type { CodeHooks, ServedFamily } from './hooks.server.ts'
import { codeJobs } from './jobs.server.ts'
import { codeOverview } from './overview.server.ts'

/** What a module hands on of a kind of code to its own server half. */
export interface CodeParts extends Required<Pick<ServerModule, 'services' | 'calls' | 'jobs' | 'sweeps' | 'overview'>> {
  /**
   * The kind of code on the running product, for rules of other records, which are written down before there is one.
   * One process runs one product: its secrets are those of its installation.
   */
  served(): ServedFamily
}

/**
 * Puts a kind of code to work.
 * @example const codes = serveCodes(partnerCodes, { settle: settleStudents })
 */
export function serveCodes(family: CodeFamily, hooks: CodeHooks): CodeParts {
  let running: ServedFamily | undefined
  const start = ({ secrets }: Pick<Kernel, 'secrets'>): ServedFamily => (running = { family, secrets, hooks })
  const served = () => {
    if (!running) throw new Error(`${family.code.name} is not served yet`)
    return running
  }
  return {
    services: [serve(family.batch)(), serve(family.code)({ backs: codeBacks(family, served) })],
    calls: (kernel) => codeCalls(kernel, start(kernel)),
    jobs: (kernel) => codeJobs(start(kernel), kernel.files),
    overview: [codeOverview(family)],
    sweeps: ({ db }) => [expireSweep(db, family)],
    served,
  }
}
