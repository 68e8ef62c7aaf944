export { sameBranch } from './region.server.ts'
export { closeAgent, openAgent } from './open.server.ts'
