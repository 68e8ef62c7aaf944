import { courseMoney } from '../offer/door.server.ts'
import { englishLine } from './line.ts'

export default courseMoney({ name: 'english-app', lines: [englishLine] })
