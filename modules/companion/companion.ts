import type { Resource } from '../../core/resource/define.ts'
import { defineOrders, type OrderLine, type OrderResource } from '../order/module.ts'
import { definePapers } from '../paper/module.ts'
import { defineClasses, type ClassResource } from './class.ts'
import type { CompanionKind } from './kind.ts'
import { companionOrderLine } from './order.ts'
import { definePacks, type PackResource } from './pack.ts'
import { defineReports, type ReportResource } from './report.ts'
import { defineStudents, type StudentResource } from './student.ts'
import { defineTasks, type TaskResource } from './task.ts'
import { defineTemplates, type TemplateResource } from './template.ts'

type PaperResource = ReturnType<typeof definePapers>[number]

/** A business with everything that follows from its row. */
export interface Companion {
  readonly kind: CompanionKind
  readonly classes: readonly ClassResource[]
  readonly students: StudentResource
  readonly packs: PackResource
  readonly papers: PaperResource
  readonly tasks: TaskResource
  readonly templates: TemplateResource | undefined
  readonly reports: ReportResource | undefined
  readonly orderLine: OrderLine
  readonly orders: OrderResource
}

/** The papers of a business: one list for all levels. */
export function companionPapers({ value, label, base, screens: { papers } }: CompanionKind) {
  return { value, label: `${label}试卷`, noun: `${label}试卷`, screens: [{ screen: papers.list, detail: papers.detail, add: papers.add, api: { list: `${base}/research/papers`, item: `${base}/research/paper` } }] } as const
}

/** Makes what a business of companions consists of from its row. */
export function defineCompanion(kind: CompanionKind): Companion {
  const classes = kind.screens.classes.map((one) => defineClasses(kind, one))
  const students = defineStudents(kind, classes)
  const packs = definePacks(kind)
  const [papers] = definePapers(companionPapers(kind))
  if (!papers) throw new Error(`${kind.value} has no papers`)
  const tasks = defineTasks(kind, { classes, students, packs, papers })
  const templates = kind.screens.templates && defineTemplates(kind, kind.screens.templates, { packs, papers })
  const reports = kind.screens.reports && defineReports(kind, kind.screens.reports, students)
  const orderLine = companionOrderLine(kind)
  return { kind, classes, students, packs, papers, tasks, templates, reports, orderLine, orders: defineOrders(orderLine) }
}

/** Every kind of record that a business has. */
export function companionResources({ classes, students, packs, papers, tasks, templates, reports, orders }: Companion): Resource[] {
  return [...classes, students, packs, papers, tasks, templates, reports, orders].flatMap((resource) => (resource ? [resource] : []))
}
