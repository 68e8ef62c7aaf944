/** What modules that use combinations hand over. */
export { addCombinationUser } from './uses.server.ts'
