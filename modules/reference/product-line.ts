/** What a screen of a line is for. */
export type LineScreen = 'textbook' | 'series' | 'offer' | 'outline' | 'content' | 'learner' | 'order'

/** Kinds of content that a line's outlines hold, by the names under which the modules that own them hand them over. */
export type LineBlock = 'video' | 'micro' | 'paper' | 'set' | 'file' | 'audio' | 'combination' | 'text' | 'word_list' | 'sentence' | 'page' | 'animation'

/** A line of courses for sale: everything in which it differs from the others is in this row. */
export interface ProductLine {
  /** Also the name of its calls, and what its entitlements and orders say. */
  readonly code: string
  readonly name: string
  /** Education level (spec 9); absent where its courses are of all of them. */
  readonly level?: 0 | 1 | 2
  /** First part of its screens' paths (spec 2). */
  readonly path: string
  /** Last part of the path of each screen that it has. One that sells without a screen of offers keeps them beside their outlines. */
  readonly screens: Readonly<Partial<Record<LineScreen, string>>>
  /** Further screens, which its own module fills. */
  readonly more?: readonly string[]
  /** What a course follows: a book of a version, whose outline all its courses share; without one each course has its own outline. */
  readonly textbook: 'partwork' | 'none'
  /** What a node of its outline holds: blocks, or sets of exercises chosen for the chapter. */
  readonly content: 'outline' | 'sets'
  /** Courses are of a difficulty band: 冲刺, 提高, 基础 (spec 9). */
  readonly difficulty?: true
  /** Courses are for the exam of one province, which they must name. */
  readonly region?: true
  /** What is sold, and how it is counted: 课程 and 门 by default. */
  readonly noun?: readonly [name: string, measure: string]
  readonly blocks: readonly LineBlock[]
}

const SYNC_SCREENS = { textbook: 'textbook', series: 'series', offer: 'detail', outline: 'catalog', learner: 'user', order: 'order' } as const
const OWN_SCREENS = { offer: 'detail', outline: 'catalog', learner: 'user', order: 'order' } as const
const LESSON_BLOCKS = ['video', 'micro', 'paper', 'set', 'file', 'audio', 'combination', 'text'] as const

/** spec 2: groups that differ by product line only, with the screens that each has (domain 1.6). */
export const PRODUCT_LINES: readonly ProductLine[] = [
  { code: 'sync_course', name: '高中同步', level: 0, path: '/syncCourse', screens: SYNC_SCREENS, textbook: 'partwork', content: 'outline', difficulty: true, blocks: LESSON_BLOCKS },
  { code: 'junior_sync_course', name: '初中同步', level: 1, path: '/juniorSyncCourse', screens: SYNC_SCREENS, textbook: 'partwork', content: 'outline', difficulty: true, blocks: LESSON_BLOCKS },
  {
    code: 'junior_training', name: '初中训练营', level: 1, path: '/juniorTraining', screens: { content: 'content', outline: 'courseDirectories', learner: 'user', order: 'order' },
    textbook: 'none', content: 'sets', blocks: ['set', 'video', 'file', 'text'],
  },
  {
    code: 'junior_refresher_training', name: '初中进修', level: 1, path: '/juniorRefresherTraining',
    screens: { textbook: 'textbook', offer: 'detail', outline: 'catalog', learner: 'user', order: 'order' }, textbook: 'partwork', content: 'outline', blocks: LESSON_BLOCKS,
  },
  { code: 'junior_high_enrichment', name: '初升高拓展', level: 1, path: '/juniorHighEnrichment', screens: OWN_SCREENS, textbook: 'none', content: 'outline', blocks: LESSON_BLOCKS },
  { code: 'junior_high_review_class', name: '初升高复习班', level: 1, path: '/juniorHighReviewClass', screens: OWN_SCREENS, textbook: 'none', content: 'outline', region: true, blocks: LESSON_BLOCKS },
  {
    code: 'english_app', name: '小学应用', level: 2, path: '/englishApp', screens: { textbook: 'textbooks', series: 'series', outline: 'catalog', learner: 'users', order: 'orders' },
    // spec 2: `detail` shows words here; its courses are kept with the series.
    more: ['detail', 'phonogram', 'phonogramcatalog', 'addWord', 'editWord/:id'], textbook: 'partwork', content: 'outline', blocks: ['word_list', 'audio', 'page', 'sentence', 'animation', 'paper', 'text'],
  },
]

/** Paths of all screens of a line. */
export const linePaths = ({ path, screens, more = [] }: Pick<ProductLine, 'path' | 'screens' | 'more'>): string[] => [...Object.values(screens), ...more].map((screen) => `${path}/${screen}`)
