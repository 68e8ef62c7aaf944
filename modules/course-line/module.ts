import { defineModule } from '../../core/module/define.ts'
import { PRODUCT_LINES } from '../reference/module.ts'
import { coursePath, linePath, outlinePathOf } from '../offer/module.ts'

/** Lines that are nothing but their row; one with further screens has a module of its own. */
export const PLAIN_LINES = PRODUCT_LINES.filter(({ more }) => more === undefined)

/** The lines of courses: 高中同步, 初中同步 and the others, each a row of data. */
export default defineModule<string>({
  name: 'course-line',
  title: '同步课程',
  screens: PLAIN_LINES.flatMap((line) => [linePath(line, 'content'), linePath(line, 'textbook'), linePath(line, 'series'), coursePath(line), outlinePathOf(line), linePath(line, 'learner'), linePath(line, 'order')].flatMap((path) => path ?? [])),
})
