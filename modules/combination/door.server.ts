/** What modules that use combinations hand over. */
export { addCombinationUser, type CombinationUser } from './uses.server.ts'
