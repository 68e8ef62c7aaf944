import { presentModule } from '../../core/module/present.tsx'
import door from './module.ts'

export default presentModule(door)({} as never)
