export { closeAgent, openAgent, type NewAgent } from './open.server.ts'
