import type { RecordFinder } from '../../core/module/find.ts'
import { resourceScreen, type ScreenLoader } from '../../core/module/present.tsx'
import { resourceFinder } from '../../core/module/resource-finder.tsx'
import type { Resource } from '../../core/resource/define.ts'
import { extendPresentation, type Presentation } from '../../core/resource/present.tsx'
import { orderFinder, orderScreen } from '../order/door.tsx'
import type { ProductLine } from '../reference/module.ts'
import type { CourseLine } from './course-line.ts'
import { coursePath, linePath, outlinePathOf } from './line-path.ts'

/** What a module that shows courses of its own uses of how they look. */
export { CheckDialog, ShelfChecks } from './check-dialog.tsx'
export { validity } from './offer-view.tsx'

/** A part of a line, and how it looks. */
type Part = readonly [resource: Resource | undefined, presentation: Presentation]

/** What the module of a line adds to how its records look. */
export interface LineLooks {
  readonly offer?: () => Promise<Presentation>
  readonly order?: () => Promise<Presentation>
  readonly learner?: () => Promise<Presentation>
}

/** How the courses of a line look, for a screen that shows them beside something else. */
export const offerLook = async (parts: CourseLine, own: Pick<LineLooks, 'offer'> = {}): Promise<Presentation> => extendPresentation((await import('./offer-view.tsx')).presentOffers(parts), await own.offer?.())

/** The screen of a part that the line's row promises. */
function partScreen(load: () => Promise<CourseLine>, part: (line: CourseLine) => Promise<Part>): ScreenLoader {
  const both = async () => part(await load())
  return resourceScreen(async () => {
    const [resource] = await both()
    if (!resource) throw new Error('the line has no such part')
    return resource
  }, async () => ({ default: (await both())[1] }))
}

/**
 * The screens of a line of courses, by their paths.
 * @param load what follows from its row, fetched with the first of its screens
 * @param own what its module adds to how they look
 */
export function courseLineScreens(line: ProductLine, load: () => Promise<CourseLine>, own: LineLooks = {}): Record<string, ScreenLoader> {
  const found: [string | undefined, ScreenLoader][] = [
    [linePath(line, 'textbook'), partScreen(load, async (parts) => [parts.textbooks, parts.textbooks ? (await import('./textbook-view.tsx')).presentTextbooks(parts.textbooks, parts) : {}])],
    [linePath(line, 'series'), partScreen(load, async ({ series, offerPath }) => [series, series ? (await import('./series-view.tsx')).presentSeries(series, offerPath) : {}])],
    [coursePath(line), partScreen(load, async (parts) => [parts.offers, await offerLook(parts, own)])],
    [outlinePathOf(line), async () => {
      const [parts, { CatalogScreen }] = await Promise.all([load(), import('./catalog-screen.tsx')])
      return { default: () => <CatalogScreen parts={parts} /> }
    }],
    [linePath(line, 'content'), async () => {
      const { ContentScreen } = await import('../practice/door.tsx')
      return { default: () => <ContentScreen line={line} /> }
    }],
    [linePath(line, 'learner'), partScreen(load, async ({ learners, learnerLine }) => [learners, extendPresentation((await import('../user/door.tsx')).presentLearners(learnerLine, learners), await own.learner?.())])],
    [linePath(line, 'order'), orderScreen(async () => {
      const [{ orderLine, orders }, look] = await Promise.all([load(), own.order?.()])
      return { line: orderLine, orders, ...(look && { own: look }) }
    })],
  ]
  return Object.fromEntries(found.flatMap(([path, loader]): [string, ScreenLoader][] => (path === undefined ? [] : [[path, loader]])))
}

/** What the command palette finds of a line of courses: courses by their names, orders by their numbers. */
export function courseLineFinders(line: ProductLine, load: () => Promise<CourseLine>): RecordFinder[] {
  const [offerPath, orderPath] = [coursePath(line), linePath(line, 'order')]
  return [
    ...(offerPath === undefined ? [] : [resourceFinder(offerPath, `${line.name}课程`, () => load().then(({ offers }) => offers), ['name'], ['subject_name', 'subtitle'])]),
    ...(orderPath === undefined ? [] : [orderFinder(orderPath, `${line.name}订单`, () => load().then(({ orders }) => orders))]),
  ]
}
