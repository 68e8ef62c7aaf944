import { sql } from 'drizzle-orm'
import { serveModule } from '../../core/module/serve.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { insertPracticeBase } from './base.server.ts'
import { bankCalls } from './bank/calls.server.ts'
import { practiceCategory } from './bank/category.ts'
import { practice } from './bank/practice.ts'
import { compareCalls } from './compare/calls.server.ts'
import { replaceCalls } from './compare/replace.server.ts'
import { scanJob } from './compare/scan.server.ts'
import { addPracticeUser, ownUses } from './compare/uses.server.ts'
import { editCalls } from './edit/calls.server.ts'
import { importCalls } from './import/calls.server.ts'
import { importJobs } from './import/jobs.server.ts'
import { insertPracticeDemo } from './demo/demo.server.ts'
import { exportCalls } from './export/calls.server.ts'
import { exportJobs } from './export/jobs.server.ts'
import { rights } from './rights.ts'
import { labelCalls } from './label/calls.server.ts'
import { knowledgeLabel, microLabel, practiceLabel } from './label/label.ts'
import { labelServices } from './label/rules.server.ts'
import door from './module.ts'
import { selectedCalls, selectedUses } from './selected/calls.server.ts'
import { chosenFor } from './selected/places.server.ts'
import { reportCalls, reportService, reportWaiting } from './report/report.server.ts'
import { reportedPractice } from './report/settle.server.ts'
import { similarCalls } from './similar/calls.server.ts'
import { suggestCalls } from './suggest/suggest.server.ts'
import { statCalls } from './stat/calls.server.ts'
import { figuresJob } from './stat/compute.server.ts'
import { batchCalls } from './verify/batch.server.ts'
import { verifyCalls } from './verify/calls.server.ts'
import { mappingCalls } from './textbook/mapping.server.ts'
import { verifyWaiting } from './verify/waiting.server.ts'
import { chapter } from './textbook/textbook.ts'
import { textbookCalls, textbookServices } from './textbook/textbook.server.ts'

addPracticeUser(ownUses)
addPracticeUser(selectedUses)
addPracticeUser(reportedPractice)

export default serveModule({
  door,
  after: ['reference', 'staff'],
  services: [...labelServices, ...textbookServices, serve(practiceCategory)(), reportService],
  records: [practice],
  uses: [
    ...[knowledgeLabel, practiceLabel, microLabel].map((target) => ({
      target, table: 'practice_label', label: '试题', measure: '道', when: sql`r.label_id = u.id and not exists (select 1 from practice p where p.id = r.practice_id and p.deleted_at is not null)`,
    })),
    { target: chapter, table: 'practice_chapter', label: '试题', measure: '道', when: sql`r.chapter_id = u.id and not exists (select 1 from practice p where p.id = r.practice_id and p.deleted_at is not null)` },
    { target: knowledgeLabel, ...chosenFor('label') },
    { target: chapter, ...chosenFor('chapter') },
  ],
  calls: (kernel) => [...labelCalls(), ...textbookCalls(), ...mappingCalls(), ...bankCalls(), ...editCalls(kernel), ...importCalls(kernel), ...exportCalls(kernel), ...verifyCalls(), ...batchCalls(), ...similarCalls(), ...compareCalls(kernel), ...replaceCalls(), ...statCalls(kernel), ...selectedCalls(), ...reportCalls(), ...suggestCalls()],
  jobs: (kernel) => [...importJobs(kernel), ...exportJobs(kernel), scanJob(kernel), figuresJob],
  rights,
  base: insertPracticeBase,
  waiting: [...verifyWaiting, reportWaiting],
  demo: insertPracticeDemo,
})
