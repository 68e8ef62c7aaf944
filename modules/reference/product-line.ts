/** A line of courses for sale, with its place in the console. */
export interface ProductLine {
  /** Also the name of its calls. */
  readonly code: string
  readonly name: string
  /** Education level (spec 9). */
  readonly level: 0 | 1 | 2
  /** First part of its screens' paths (spec 2). */
  readonly path: string
  readonly screens: readonly string[]
}

/** spec 2: groups that differ by product line only, with the screens that each has (domain 1.6). */
export const PRODUCT_LINES: readonly ProductLine[] = [
  { code: 'sync_course', name: '高中同步', level: 0, path: '/syncCourse', screens: ['textbook', 'series', 'detail', 'catalog', 'user', 'order'] },
  { code: 'junior_sync_course', name: '初中同步', level: 1, path: '/juniorSyncCourse', screens: ['textbook', 'series', 'detail', 'catalog', 'user', 'order'] },
  { code: 'junior_training', name: '初中训练营', level: 1, path: '/juniorTraining', screens: ['content', 'courseDirectories', 'user', 'order'] },
  { code: 'junior_refresher_training', name: '初中进修', level: 1, path: '/juniorRefresherTraining', screens: ['textbook', 'detail', 'catalog', 'user', 'order'] },
  { code: 'junior_high_enrichment', name: '初升高拓展', level: 1, path: '/juniorHighEnrichment', screens: ['detail', 'catalog', 'user', 'order'] },
  { code: 'junior_high_review_class', name: '初升高复习班', level: 1, path: '/juniorHighReviewClass', screens: ['detail', 'catalog', 'user', 'order'] },
  { code: 'english_app', name: '小学应用', level: 2, path: '/englishApp', screens: ['textbooks', 'series', 'detail', 'phonogram', 'catalog', 'phonogramcatalog', 'users', 'orders', 'addWord', 'editWord/:id'] },
]
