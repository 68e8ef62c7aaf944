import { defineRights, type Rights } from '../../core/grant/rights.ts'
import type { Resource } from '../../core/resource/define.ts'
import { defineOrders, type OrderLine, type OrderResource } from '../order/module.ts'
import type { ProductLine } from '../reference/module.ts'
import type { CompleteRule } from '../outline/module.ts'
import { defineLearners, type LearnerLine, type LearnerMore, type LearnerResource } from '../user/module.ts'
import { offerOrderLine, type OrderMore } from './offer-order.ts'
import { defineOffers, type OfferMore, type OfferResource } from './offer.ts'
import { coursePath, linePath, outlinePathOf } from './line-path.ts'
import { defineSeries, type SeriesResource } from './series.ts'
import { defineTextbooks, type TextbookResource } from './textbook.ts'

/** A line of courses with everything that follows from its row. */
export interface CourseLine {
  readonly line: ProductLine
  /** Path of the screen that shows the courses. */
  readonly offerPath: string
  readonly orderPath: string
  readonly learnerPath: string
  /** Path of the screen that edits outlines, with its rights; undefined where a line has no outlines of its own. */
  readonly outlinePath: string | undefined
  readonly outlineRights: Rights<'edit' | 'publish'> | undefined
  /** When its outlines are complete. */
  readonly complete: CompleteRule
  /** Rights of the screen that chooses the sets of exercises of chapters; undefined where a line's lessons are no sets. */
  readonly contentRights: Rights<'edit'> | undefined
  readonly textbooks: TextbookResource | undefined
  readonly series: SeriesResource | undefined
  readonly offers: OfferResource
  readonly orderLine: OrderLine
  readonly orders: OrderResource
  readonly learnerLine: LearnerLine
  readonly learners: LearnerResource
}

/** What a line that has a module of its own adds to what follows from its row. */
export interface LineMore {
  readonly offer?: OfferMore
  readonly order?: (offers: OfferResource) => OrderMore
  readonly learner?: LearnerMore
  /** When its outlines are complete, where that is not what lessons of school subjects need. */
  readonly complete?: CompleteRule
  /** Screen on which its courses stand beside something else, where the line has none for them; may carry a query. */
  readonly offersAt?: string
}

/** What a lesson of a school subject needs (teaching.md 1.9). */
export const LESSON_COMPLETE: CompleteRule = {
  each: 'lesson',
  needs: [
    { key: 'video', label: '视频', hint: '视频或微课，至少要有一个', blocks: { kinds: ['video', 'micro'] } },
    { key: 'paper', label: '试卷', hint: '随堂或课后试卷，至少要有一份', blocks: { kinds: ['paper'], slots: [1, 2] } },
    { key: 'label', label: '知识点', labels: true },
  ],
}

/**
 * Makes what a line of courses consists of from its row.
 * @param idOf id of the screen of a path
 * @param more what its module adds
 * @throws Error when the row has no screen for learners, orders or courses
 */
export function defineCourseLine(line: ProductLine, idOf: (path: string) => number, more: LineMore = {}): CourseLine {
  const [offerPath, orderPath, learnerPath] = [coursePath(line) ?? more.offersAt, linePath(line, 'order'), linePath(line, 'learner')]
  if (offerPath === undefined || orderPath === undefined || learnerPath === undefined) throw new Error(`${line.code} has no screen for courses, orders or learners`)
  const [textbookPath, seriesPath] = [linePath(line, 'textbook'), linePath(line, 'series')]
  const textbooks = textbookPath === undefined ? undefined : defineTextbooks(line, idOf(textbookPath))
  const series = seriesPath === undefined ? undefined : defineSeries(line, idOf(seriesPath))
  const outlinePath = outlinePathOf(line)
  const outlineRights = outlinePath === undefined ? undefined : defineRights(idOf(outlinePath), { edit: [1, '编辑目录'], publish: [12, '发布'] })
  const contentPath = linePath(line, 'content')
  const contentRights = contentPath === undefined ? undefined : defineRights(idOf(contentPath), { edit: [1, '编辑精选题'] })
  const [offerScreen = offerPath] = offerPath.split('?')
  const offers = defineOffers(line, idOf(offerScreen), { textbooks, series, more: more.offer })
  const orderLine = offerOrderLine(line, idOf(orderPath), offers, more.order?.(offers))
  const learnerLine: LearnerLine = { code: line.code, name: line.name, grant: idOf(learnerPath), product: { label: line.noun?.[0] ?? '课程', target: () => offers }, ...(more.learner && { more: more.learner }) }
  return { line, outlinePath, outlineRights, contentRights, complete: more.complete ?? LESSON_COMPLETE, offerPath, orderPath, learnerPath, textbooks, series, offers, orderLine, orders: defineOrders(orderLine), learnerLine, learners: defineLearners(learnerLine) }
}

/** Every kind of record that a line has. */
export function lineResources({ textbooks, series, offers, orders, learners }: CourseLine): Resource[] {
  return [textbooks, series, offers, orders, learners].flatMap((resource) => (resource ? [resource] : []))
}
