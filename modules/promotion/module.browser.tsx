import { presentModule, resourceScreen, type ScreenLoader } from '../../core/module/present.tsx'
import { resourceFinder } from '../../core/module/resource-finder.tsx'
import door from './module.ts'

const links = () => import('./link.ts').then(({ activityLink }) => activityLink)
const sales = () => import('./flash.ts').then(({ flashSale }) => flashSale)
const activities = () => import('./activity.ts').then(({ activity }) => activity)
const shares = () => import('./share.ts').then(({ userShare }) => userShare)
const flashView = () => import('./flash-view.tsx')

/** The list with its calendar. */
const flashScreen: ScreenLoader = Object.assign(async () => ({ default: (await flashView()).FlashScreen }), { resource: sales, presentation: () => flashView().then((file) => file.default) })

export default presentModule(door)({
  '/operate/paylink': resourceScreen(links, () => import('./link-view.tsx')),
  '/operate/flash-sale': flashScreen,
  '/operate/activity': resourceScreen(activities, () => import('./activity-view.tsx')),
  '/operate/user/share': resourceScreen(shares, () => import('./share-view.tsx')),
}, {
  finders: [
    resourceFinder('/operate/paylink', '支付链接', links, ['name'], ['suite_words']),
    resourceFinder('/operate/activity', '活动', activities, ['name'], ['phase_now']),
    resourceFinder('/operate/flash-sale', '限时抢购', sales, ['name'], ['good_name']),
  ],
})
