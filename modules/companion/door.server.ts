export { insertCompanionDemo } from './demo.server.ts'
export { addLessonWatcher, rateAt, type LessonEntry } from './lessons.server.ts'
export { serveCompanion } from './serve.server.ts'
export { companionMoneyPart } from './money-part.server.ts'
