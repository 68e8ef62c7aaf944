import { listTile } from '../../core/module/dashboard.server.ts'
import { serveModule, type Tile } from '../../core/module/serve.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { paperCalls } from './calls.server.ts'
import { checkBeforeShelf, shelve } from './content.server.ts'
import { insertPaperDemo } from './demo.server.ts'
import { bindDemoLessons, insertLessonDemo } from './lesson/demo.server.ts'
import { lessonCalls, lessonComputed } from './lesson/lesson.server.ts'
import { LESSONS } from './lesson/lesson.ts'
import { microCalls } from './micro.server.ts'
import door from './module.ts'
import { ALL_PAPERS, PAPER_STATE, PAPERS, type PaperResource } from './paper.ts'
import { addPracticeUser } from '../practice/door.server.ts'
import { paperUses } from './uses.server.ts'
import { versionCalls } from './version/calls.server.ts'
import { sourceCalls } from './source/calls.server.ts'
import { specCalls } from './spec/calls.server.ts'
import { materialOf, smartCalls } from './smart/calls.server.ts'
import { insertSmartDemo } from './smart/demo.server.ts'
import { smartPaper } from './smart/smart-paper.ts'
import { STAGES } from './stage.ts'

const servePaper = (resource: PaperResource) => serve(resource)({
  effects: {
    async submit({ tx, row }) {
      await checkBeforeShelf(tx, row.id)
    },
    shelve: ({ tx, staff, row }) => shelve(tx, staff.id, row.id),
  },
})

/** Papers that wait for somebody who may put them on the shelf. */
function waitingTiles(): Tile[] {
  return STAGES.flatMap((stage) => (['base', 'micro'] as const).flatMap((kind) => {
    const resource = PAPERS[kind][stage.level]
    if (!resource) return []
    return [{
      ...listTile(resource, { name: `${resource.name}_waiting`, title: `待审的${stage.title}${resource.label}`, tone: 'warning', path: stage[kind], query: () => ({ state: String(PAPER_STATE.waiting) }) }),
      grant: resource.rights.id('approve'),
    }]
  }))
}

addPracticeUser(paperUses)

export default serveModule({
  door,
  after: ['reference', 'practice'],
  services: [...ALL_PAPERS.map(servePaper), serve(smartPaper)(), ...LESSONS.map((lesson) => serve(lesson)({ computed: lessonComputed }))],
  uses: [
    ...ALL_PAPERS.map((target) => ({ target, ...materialOf('paper') })),
    ...LESSONS.map((target) => ({ target, ...materialOf('lesson') })),
  ],
  calls: (kernel) => [...paperCalls(kernel), ...microCalls(kernel), ...lessonCalls(kernel), ...smartCalls(), ...specCalls(kernel.files), ...versionCalls(), ...sourceCalls()],
  tiles: waitingTiles(),
  async demo(db, _report, files) {
    await insertPaperDemo(db)
    await insertLessonDemo(db, files)
    await bindDemoLessons(db)
    await insertSmartDemo(db)
  },
})
