import { courseMoney } from '../offer/door.server.ts'
import { excellentLine } from './line.ts'

export default courseMoney({ name: 'excellent-training', lines: [excellentLine] })
