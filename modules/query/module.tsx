import { presentModule } from '../../core/module/present.tsx'
import door from './module.ts'

export default presentModule(door)({ '/operate/query/sn': () => import('./sn-screen.tsx'), '/operate/orderDetail': () => import('./order-screen.tsx') })
