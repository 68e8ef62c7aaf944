export { averageStar, serveComments, shownComments, waitingComments } from './comment.server.ts'
