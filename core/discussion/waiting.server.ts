import type { WaitingContext, WaitingKind } from '../inbox/waiting.server.ts'
import { urgency } from '../inbox/words.ts'
import { recordPath } from '../resource/record-path.ts'
import { readFollowUps, readMentions } from './calls.server.ts'
import { followUpDone, type Concern } from './calls.ts'

/** What people say to each other about records, as things that wait. */
function concernKind(kind: Pick<WaitingKind, 'name' | 'title' | 'group' | 'verb'>, read: (context: WaitingContext) => Promise<Concern[]>): WaitingKind {
  const due = ({ follow_up }: Concern) => follow_up?.at ?? null
  return {
    ...kind,
    to: () => `/inbox?kind=${kind.name}`,
    async count(context) {
      const found = await read(context)
      const near = (name: string) => found.filter((one) => urgency({ due: due(one) }, context.now) === name).length
      return { count: found.length, late: near('late'), today: near('today') }
    },
    async items(context, limit) {
      return (await read(context)).slice(0, limit).map((one) => ({
        id: one.id, title: one.body, note: [one.staff_name, one.record].filter(Boolean).join(' · '), amount: null, since: one.at, due: due(one),
        to: recordPath({ grant: one.screen, name: one.resource }, one.record_id), resource: one.resource, record: one.record_id, pass: null, refuse: null,
        done: one.follow_up ? followUpDone.path.replace('{id}', String(one.id)) : null,
      }))
    },
  }
}

/** Mentions wait until the person has said something about the record; follow-ups until they are done. */
export const discussionWaiting: readonly WaitingKind[] = [
  concernKind({ name: 'mention', title: '同事提到我', group: 'mention', verb: '回复' }, async (context) => (await readMentions(context, true)).map((one) => ({ ...one, follow_up: null })).reverse()),
  concernKind({ name: 'follow_up', title: '我的跟进', group: 'follow_up', verb: '去办' }, readFollowUps),
]
