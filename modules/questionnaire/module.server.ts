import { serveModule } from '../../core/module/serve.server.ts'
import { questionnairePages } from './answer.server.ts'
import { insertQuestionnaireDemo } from './demo.server.ts'
import door from './module.ts'
import { publishedTrend, endSweep, questionnaireCalls, questionnaireOverview, questionnaires, questionnaireWaiting } from './questionnaire.server.ts'

export default serveModule({
  door,
  after: ['staff', 'user'],
  services: [questionnaires],
  calls: questionnaireCalls,
  publicPages: () => [questionnairePages],
  waiting: [questionnaireWaiting],
  trends: [publishedTrend],
  overview: [questionnaireOverview],
  sweeps: ({ db }) => [endSweep(db)],
  demo: insertQuestionnaireDemo,
})
