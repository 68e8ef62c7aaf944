export { serveApply, type ApplyRow, type Effect, type Undoing } from './serve.server.ts'
