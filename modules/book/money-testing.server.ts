import { courseMoney } from '../offer/door.server.ts'
import { bookLine } from './line.ts'

export default courseMoney({ name: 'book', lines: [bookLine] })
