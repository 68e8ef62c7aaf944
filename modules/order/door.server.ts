export type { EffectChange, OrderEffects } from './engine.server.ts'
export { BALANCE_AFTER, post } from './ledger.server.ts'
export type { RecordedRow } from './rules.server.ts'
export { serveOrders } from './serve.server.ts'
