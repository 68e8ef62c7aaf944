import { companionMoneyPart } from '../companion/door.server.ts'
import { topTraining } from './tptrain.ts'

export default companionMoneyPart(topTraining)
