export { closeAgent, openAgent } from './open.server.ts'
