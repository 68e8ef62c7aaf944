export { serveApply, type ApplyRow, type Effect } from './serve.server.ts'
/** What an approved teacher becomes is brought about by the module that keeps teachers. */
export { handTeacher, passed } from './effect.server.ts'
