/** What an approval brings about, for the module whose records it makes. */
export { handEffect, passed, type Effect, type EffectRow } from './effect.server.ts'
