import { presentModule } from '../../core/module/present.tsx'
import { companionFinders, companionScreens, tutorScreens } from '../companion/door.tsx'
import door from './module.ts'
import { ACCOMPANY } from './row.ts'

const load = () => import('./accompany.ts').then((file) => file.accompany)

export default presentModule<string>(door)({ ...companionScreens(ACCOMPANY, load), ...tutorScreens(ACCOMPANY, load) }, { finders: companionFinders(ACCOMPANY, load) })
