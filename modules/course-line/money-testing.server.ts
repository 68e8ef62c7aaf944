import { courseMoney } from '../offer/door.server.ts'
import { courseLines } from './lines.ts'

export default courseMoney({ name: 'course-line', lines: courseLines })
