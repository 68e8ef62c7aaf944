import { sql } from 'drizzle-orm'
import { listWaiting, type WaitingKind } from '../../core/inbox/waiting.server.ts'
import { serve, type ResourceService } from '../../core/resource/serve.server.ts'
import { checkBeforeShelf, shelve } from './content.server.ts'
import type { PaperKind } from './kind.ts'
import { PAPER_STATE, resourceOf, type PaperResource } from './paper.ts'

/** What modules that show papers and micro lessons say of them. */
export { findLessonFacts, findPaperFacts, lessonFacts, paperFacts } from './facts.server.ts'

/** Papers that other modules make of questions that are there: of another paper, or of a smart one. */
export { addPaperQuestions, makePaper, paperBody } from './make.server.ts'
export { composePapers } from './smart/compose.server.ts'
export { feasibility } from './smart/candidates.server.ts'
export { smartBody } from './smart/calls.server.ts'

/** Questions with the text of the versions that something holds. */
export { pinCards } from './content.server.ts'

/** Papers of the demo, for modules that have kinds of their own. */
export { insertPapers } from './demo-papers.server.ts'

/** Checks and completes the values of a paper of one kind; throws to refuse. */
type CheckPaper = (values: Readonly<Record<string, unknown>>) => void

/**
 * Papers of any kind with what their states do. Where a list holds all stages, a paper is of that of its subject.
 * @param check what their kind asks of a paper that is saved
 */
export const servePaper = (resource: PaperResource, check?: CheckPaper): ResourceService => serve(resource)({
  async before({ tx, values }) {
    check?.(values)
    if ('level' in resource.where || !values.subject_id) return
    const [subject] = await tx.query<{ level: 0 | 1 | 2 }>(sql`select level from subject where id = ${values.subject_id}`)
    Object.assign(values, { level: subject?.level })
  },
  beforeOnlyReads: true,
  effects: {
    async submit({ tx, row }) {
      await checkBeforeShelf(tx, row.id)
    },
    shelve: ({ tx, staff, row }) => shelve(tx, staff.id, row.id),
  },
})

/** Days within which a paper that was submitted is read. */
const REVIEW_DAYS = 2

/** Papers of a kind that wait for somebody who may put them on the shelf. */
export function waitingPapers(kind: PaperKind): WaitingKind[] {
  return kind.screens.map(({ stage, screen }) => {
    const resource = resourceOf({ kind: kind.value, level: stage?.level ?? 0 })
    return listWaiting(resource, {
      name: `${resource.name}_waiting`, title: `待审的${stage?.title ?? ''}${stage ? resource.label : kind.label}`, group: 'decide', verb: '审核', path: screen, query: () => ({ state: String(PAPER_STATE.waiting) }),
      grant: resource.rights.id('approve'), due: { days: REVIEW_DAYS }, since: sql`updated_at`, notes: ['subject_id', 'paper_type'], pass: 'shelve', refuse: 'reject',
    })
  })
}
