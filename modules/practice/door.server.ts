/** What other modules use of the question bank on the server. */
export { readCards } from './bank/card.server.ts'
