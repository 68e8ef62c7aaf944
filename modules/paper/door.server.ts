import { listTile } from '../../core/module/dashboard.server.ts'
import type { Tile } from '../../core/module/serve.server.ts'
import { serve, type ResourceService } from '../../core/resource/serve.server.ts'
import { checkBeforeShelf, shelve } from './content.server.ts'
import type { PaperKind } from './kind.ts'
import { PAPER_STATE, resourceOf, type PaperResource } from './paper.ts'

/** What modules that show papers and micro lessons say of them. */
export { findLessonFacts, findPaperFacts, lessonFacts, paperFacts } from './facts.server.ts'

/** Papers of any kind with what their states do. */
export const servePaper = (resource: PaperResource): ResourceService => serve(resource)({
  effects: {
    async submit({ tx, row }) {
      await checkBeforeShelf(tx, row.id)
    },
    shelve: ({ tx, staff, row }) => shelve(tx, staff.id, row.id),
  },
})

/** Papers of a kind that wait for somebody who may put them on the shelf. */
export function waitingTiles(kind: PaperKind): Tile[] {
  return kind.screens.map(({ stage, screen }) => {
    const resource = resourceOf({ kind: kind.value, level: stage?.level ?? 0 })
    return {
      ...listTile(resource, { name: `${resource.name}_waiting`, title: `待审的${stage?.title ?? ''}${stage ? resource.label : kind.label}`, tone: 'warning', path: screen, query: () => ({ state: String(PAPER_STATE.waiting) }) }),
      grant: resource.rights.id('approve'),
    }
  })
}
