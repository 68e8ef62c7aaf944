import { defineModule } from '../../core/module/define.ts'

export { coursePath, linePath, outlinePathOf } from './line-path.ts'
export { defineCourseLine, LESSON_COMPLETE, lineResources, type CourseLine, type LineMore } from './course-line.ts'
export { defineOffers, OFFER_STATE, OFFER_STATES, VALID_MODE, type OfferRow } from './offer.ts'
export { offerEndpoints } from './calls.ts'

/** What is sold to learners: textbooks, series, courses with their prices and states. A line of courses is a row of data. It has no screens of its own. */
export default defineModule({ name: 'offer', title: '课程商品', screens: [] })
