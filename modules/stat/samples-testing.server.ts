import type { OwnSamples } from '../../core/testing/sample.server.ts'
import { COMPARE } from './firing.ts'

/** A figure that is counted, and bounds that fit each other. */
export const samples: OwnSamples = {
  // It is over: an open one is kept by its rule.
  alert: () => Promise.resolve({ fingerprint: null }),
  alert_rule: (_app, n) => Promise.resolve({ figure: 'orders', line: null, group_by: null, compare: COMPARE.dropped, limit_value: 50 + (n % 40), recover_value: 1 + (n % 40), quiet_from: null, quiet_to: null }),
}
