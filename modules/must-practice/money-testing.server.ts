import { courseMoney } from '../offer/door.server.ts'
import { mustLine } from './line.ts'

export default courseMoney({ name: 'must-practice', lines: [mustLine] })
