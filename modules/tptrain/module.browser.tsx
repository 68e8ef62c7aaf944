import { presentModule } from '../../core/module/present.tsx'
import { companionFinders, companionScreens } from '../companion/door.tsx'
import door from './module.ts'
import { TOP_TRAINING } from './row.ts'

const load = () => import('./tptrain.ts').then((file) => file.topTraining)

export default presentModule<string>(door)(companionScreens(TOP_TRAINING, load), { finders: companionFinders(TOP_TRAINING, load) })
