import type { RecordFinder } from '../../core/module/find.ts'
import { resourceScreen, type ScreenLoader } from '../../core/module/present.tsx'
import { resourceFinder } from '../../core/module/resource-finder.tsx'
import type { Resource } from '../../core/resource/define.ts'
import type { Presentation } from '../../core/resource/present.tsx'
import { orderFinder, orderScreen } from '../order/door.tsx'
import type { Companion } from './companion.ts'
import type { CompanionKind } from './kind.ts'

type Load = () => Promise<Companion>
type Part = readonly [resource: unknown, presentation: Presentation]

/** A list of a business: its resource, and how it looks. */
function part(load: Load, of: (companion: Companion) => Promise<Part>): ScreenLoader {
  const both = async () => of(await load())
  return resourceScreen(async () => {
    const [resource] = await both()
    if (!resource) throw new Error('the business has no such part')
    return resource as Resource
  }, async () => ({ default: (await both())[1] }))
}

/** A screen of its own that is given the business. */
const own = (load: Load, view: (companion: Companion) => Promise<() => React.ReactNode>): ScreenLoader => async () => ({ default: await view(await load()) })

/**
 * The lists of a business, by their paths.
 * @param load what follows from its row, fetched with the first of its screens
 */
export function companionScreens({ screens }: CompanionKind, load: Load): Record<string, ScreenLoader> {
  const { templates, reports } = screens
  const found: [string | undefined, ScreenLoader][] = [
    [screens.students, part(load, async (companion) => [companion.students, (await import('./student-view.tsx')).presentStudents(companion)])],
    [screens.orders, orderScreen(() => load().then(({ orderLine, orders }) => ({ line: orderLine, orders })))],
    ...screens.classes.map(({ screen }, index): [string, ScreenLoader] => [screen, part(load, async (companion) => [companion.classes[index], (await import('./class-view.tsx')).presentClasses(companion, index)])]),
    [screens.tasks, part(load, async (companion) => [companion.tasks, (await import('./task-view.tsx')).presentTasks(companion)])],
    [templates, part(load, async (companion) => [companion.templates, companion.templates ? (await import('./plan-view.tsx')).presentTemplates(companion, companion.templates) : {}])],
    [reports, part(load, async (companion) => [companion.reports, companion.reports ? (await import('./report-view.tsx')).presentReports(companion, companion.reports) : {}])],
    [screens.packs, part(load, async (companion) => [companion.packs, (await import('./pack-view.tsx')).presentPacks(companion)])],
    [screens.papers.list, part(load, async ({ papers }) => [papers, (await import('../paper/door.tsx')).presentPapers(papers)])],
    [screens.papers.detail, async () => (await import('../paper/door.tsx')).paperEditor()],
    [screens.papers.add, async () => (await import('../paper/door.tsx')).paperPicker()],
  ]
  return Object.fromEntries(found.flatMap(([path, loader]): [string, ScreenLoader][] => (path === undefined ? [] : [[path, loader]])))
}

/** The screens on which teachers work, and those around packs and teachers that have no list. */
export function tutorScreens({ screens: { tutor, packs, terms } }: CompanionKind, load: Load): Record<string, ScreenLoader> {
  if (!tutor) return {}
  return {
    [tutor.students]: own(load, async (companion) => (await import('./tutor/students-screen.tsx')).studentsScreen(companion)),
    [tutor.tasks]: own(load, async (companion) => (await import('./tutor/tasks-screen.tsx')).tasksScreen(companion)),
    [tutor.thread]: own(load, async (companion) => (await import('./tutor/thread-screen.tsx')).threadScreen(companion)),
    [tutor.report]: own(load, async (companion) => (await import('./tutor/report-screen.tsx')).reportScreen(companion)),
    [tutor.content]: own(load, async (companion) => (await import('./tutor/content-screen.tsx')).contentScreen(companion)),
    '/accompany/operation/teacher/studentCount/:stuType': own(load, async (companion) => (await import('./teacher-students-screen.tsx')).teacherStudentsScreen(companion)),
    [`${packs}/:id`]: own(load, async (companion) => (await import('./pack-screen.tsx')).packScreen(companion)),
    ...(terms && { [terms]: own(load, async (companion) => (await import('./terms/terms-screen.tsx')).termsScreen(companion)) }),
  }
}

/** What the command palette finds of a business. */
export function companionFinders({ screens, label, learner }: CompanionKind, load: Load): RecordFinder[] {
  return [
    resourceFinder(screens.students, learner, () => load().then(({ students }) => students), ['mobile', 'name'], ['school', 'teacher_name']),
    resourceFinder(screens.tasks, `${label}任务`, () => load().then(({ tasks }) => tasks), ['name'], ['teacher_name']),
    orderFinder(screens.orders, `${label}订单`, () => load().then(({ orders }) => orders as Resource)),
  ]
}
