import { serveModule } from '../../core/module/serve.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { paperCalls } from './calls.server.ts'
import { cardCalls } from './card/calls.server.ts'
import { cardJobs } from './card/jobs.server.ts'
import { importPaperCalls, keepImports } from './from-import/calls.server.ts'
import { insertPaperDemo } from './demo.server.ts'
import { bindDemoLessons, insertLessonDemo } from './lesson/demo.server.ts'
import { lessonCalls, lessonComputed } from './lesson/lesson.server.ts'
import { LESSONS } from './lesson/lesson.ts'
import { microCalls } from './micro.server.ts'
import door from './module.ts'
import { ALL_PAPERS, PAPER_KINDS } from './paper.ts'
import { servePaper, waitingPapers } from './door.server.ts'
import { addPracticeUser } from '../practice/door.server.ts'
import { paperUses } from './uses.server.ts'
import { versionCalls } from './version/calls.server.ts'
import { sourceCalls } from './source/calls.server.ts'
import { skeletonCalls } from './skeleton/calls.server.ts'
import { insertSkeletonDemo } from './skeleton/demo.server.ts'
import { skeletonService } from './skeleton/skeleton.server.ts'
import { specCalls } from './spec/calls.server.ts'
import { materialOf, smartCalls } from './smart/calls.server.ts'
import { insertSmartDemo } from './smart/demo.server.ts'
import { smartPaper } from './smart/smart-paper.ts'

addPracticeUser(paperUses)
keepImports()

export default serveModule({
  door,
  after: ['reference', 'practice'],
  services: [...ALL_PAPERS.map((papers) => servePaper(papers)), serve(smartPaper)(), skeletonService, ...LESSONS.map((lesson) => serve(lesson)({ computed: lessonComputed }))],
  uses: [
    ...ALL_PAPERS.map((target) => ({ target, ...materialOf('paper') })),
    ...LESSONS.map((target) => ({ target, ...materialOf('lesson') })),
  ],
  calls: (kernel) => [...paperCalls(kernel), ...microCalls(kernel), ...lessonCalls(kernel), ...smartCalls(), ...specCalls(kernel.files), ...versionCalls(), ...sourceCalls(), ...importPaperCalls(), ...skeletonCalls(), ...cardCalls(kernel)],
  jobs: cardJobs,
  waiting: Object.values(PAPER_KINDS).flatMap(waitingPapers),
  demo: [
    { title: '试卷', run: insertPaperDemo },
    { title: '微课', run: async (db, _report, files) => {
      await insertLessonDemo(db, files)
      await bindDemoLessons(db)
    } },
    { title: '智能试卷', run: insertSmartDemo },
    { title: '试卷模板', run: insertSkeletonDemo },
  ],
})
