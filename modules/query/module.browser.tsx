import { presentModule, type ScreenLoader } from '../../core/module/present.tsx'
import door from './module.ts'

const load = () => import('./validity.ts').then(({ validityChange }) => validityChange)
const view = () => import('./validity-screen.tsx')

/** Looking people up, with the list of changes beside; the inbox shows a change by its definition. */
const validity: ScreenLoader = Object.assign(async () => ({ default: (await view()).ValidityScreen }), { resource: load, presentation: () => view().then((file) => file.default) })

export default presentModule(door)({
  '/operate/query/sn': () => import('./sn-screen.tsx'),
  '/operate/query/validity': validity,
  '/operate/orderDetail': () => import('./order-screen.tsx'),
})
