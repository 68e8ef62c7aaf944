export { averageStar, serveComments, shownComments, waitingComments } from './comment.server.ts'
export { addSpeechCheck, checkSpeech, type Speech } from './speech.server.ts'
