import { serveModule } from '../../core/module/serve.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { paperCalls } from './calls.server.ts'
import { checkBeforeShelf, shelve } from './content.server.ts'
import { insertPaperDemo } from './demo.server.ts'
import { microCalls } from './micro.server.ts'
import door from './module.ts'
import { ALL_PAPERS, PAPER_ACTIONS, type PaperResource } from './paper.ts'
import { smartCalls } from './smart/calls.server.ts'
import { smartPaper } from './smart/smart-paper.ts'

const servePaper = (resource: PaperResource) => serve(resource)({
  effects: {
    async submit({ tx, row }) {
      await checkBeforeShelf(tx, row.id)
    },
    shelve: ({ tx, staff, row }) => shelve(tx, staff.id, row.id),
  },
})

export default serveModule({
  door,
  after: ['reference', 'practice'],
  services: [...ALL_PAPERS.map(servePaper), serve(smartPaper)()],
  calls: () => [...paperCalls(), ...microCalls(), ...smartCalls()],
  grants: ALL_PAPERS.flatMap(({ grant }) => [
    { screen: grant, n: PAPER_ACTIONS.approve, title: '审核和上下架' }, { screen: grant, n: PAPER_ACTIONS.archive, title: '归档' },
  ]),
  demo: insertPaperDemo,
})
