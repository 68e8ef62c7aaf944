import { companionMoneyPart } from '../companion/door.server.ts'
import { accompany } from './accompany.ts'

export default companionMoneyPart(accompany)
