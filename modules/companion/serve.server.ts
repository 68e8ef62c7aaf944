import { sql } from 'drizzle-orm'
import type { ServerModule } from '../../core/module/serve.server.ts'
import { listWaiting } from '../../core/inbox/waiting.server.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { addAssetUser } from '../asset/door.server.ts'
import { orderParts } from '../order/door.server.ts'
import { servePaper, waitingPapers } from '../paper/door.server.ts'
import { screenId } from '../screens.ts'
import { serveClasses } from './class.server.ts'
import { companionChecks } from './checks.server.ts'
import { companionPapers, type Companion } from './companion.ts'
import { serveCompanionOrders } from './order.server.ts'
import { packCalls, servePacks } from './pack.server.ts'
import { packsAsUsers } from './pack-uses.server.ts'
import { PACK_STATE } from './pack.ts'
import { planCalls, serveTemplates } from './plan.server.ts'
import { rankCalls } from './rank.server.ts'
import { reportCalls, reportPages, serveReports } from './report.server.ts'
import { REPORT_STATE } from './report.ts'
import { serveStudents, studentCalls } from './student.server.ts'
import { serveTasks } from './task.server.ts'
import { riskSweep, todayCalls } from './today.server.ts'
import { workCalls } from './work.server.ts'

type Parts = Pick<ServerModule, 'services' | 'uses' | 'calls' | 'sweeps' | 'overview' | 'waiting' | 'rights' | 'publicPages' | 'checks'>

/** Days within which a report and a pack are looked at. */
const DAYS = { report: 1, pack: 3 } as const

/** Rights of the screens on which teachers work: no resource stands on them. */
function tutorRights({ kind: { screens: { tutor } } }: Companion) {
  if (!tutor) return []
  const edit = (path: keyof typeof tutor, title: string) => defineRights(screenId(tutor[path]), { edit: [1, title] })
  return [edit('students', '记录跟进'), edit('tasks', '布置和撤回任务'), edit('thread', '批改、发消息和催交'), edit('report', '写报告和发送')]
}

/** Serves a business of companions: the same calls and rules for each, by its row. */
export function serveCompanion(companion: Companion): Parts {
  const { kind, classes, packs, papers, reports, templates, tasks } = companion
  const orders = orderParts([serveCompanionOrders(companion)])
  addAssetUser(packsAsUsers(companion))
  return {
    services: [
      ...classes.map(serveClasses), serveStudents(companion), servePacks(companion), servePaper(papers), serveTasks(companion),
      ...(templates ? [serveTemplates(templates)] : []), ...(reports ? [serveReports(companion, reports)] : []), ...orders.services,
    ],
    uses: [
      { target: papers, table: 'lesson_pack', when: sql`r.kind = ${sql.raw(`'${kind.value}'`)} and r.items @> jsonb_build_array(jsonb_build_object('paper_id', u.id))`, label: '资料包', measure: '个' },
    ],
    calls: (kernel) => [
      ...studentCalls(kernel, companion), ...workCalls(kernel, companion), ...packCalls(companion), ...(kind.screens.tutor ? todayCalls(companion) : []),
      ...(reports ? reportCalls(kernel, companion, reports) : []), ...(templates ? planCalls(kernel, companion, templates) : []), ...(kind.ranked ? rankCalls(kernel, companion) : []), ...orders.calls(kernel),
    ],
    publicPages: () => (reports ? [reportPages(companion, reports)] : []),
    sweeps: ({ db }) => [{ ...riskSweep(db, [companion]), name: `${kind.value}_risk` }, ...orders.sweeps(db)],
    overview: orders.overview,
    waiting: [
      ...waitingPapers(companionPapers(kind)),
      listWaiting(packs, { name: `${packs.name}_waiting`, title: `待审的${kind.label}资料包`, group: 'decide', verb: '审核', path: kind.screens.packs, query: () => ({ state: String(PACK_STATE.waiting) }), grant: packs.rights.id('approve'), due: { days: DAYS.pack }, since: sql`updated_at`, notes: ['subject_id'], pass: 'approve', refuse: 'reject' }),
      ...(reports && kind.screens.reports ? [listWaiting(reports, { name: `${reports.name}_waiting`, title: `待审的${reports.label}`, group: 'decide', verb: '审核', path: kind.screens.reports, query: () => ({ state: String(REPORT_STATE.waiting) }), grant: reports.rights.id('review'), due: { days: DAYS.report }, since: sql`updated_at`, notes: ['period'], pass: 'send', refuse: 'reject' })] : []),
      ...orders.waiting,
    ],
    checks: companionChecks(companion),
    rights: [...tutorRights(companion), tasks.rights],
  }
}
