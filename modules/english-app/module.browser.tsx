import type { RecordFinder } from '../../core/module/find.ts'
import { presentModule, resourceScreen } from '../../core/module/present.tsx'
import { resourceFinder } from '../../core/module/resource-finder.tsx'
import type { Resource } from '../../core/resource/define.ts'
import { courseLineFinders, courseLineScreens, offerLook } from '../offer/door.tsx'
import door from './module.ts'
import { ENGLISH_LINE, OFFERS, OFFERS_AT } from './row.ts'

const line = () => import('./line.ts').then(({ englishLine }) => englishLine)
const seriesOf = () => line().then(({ series }) => {
  if (!series) throw new Error('小学应用 has no series')
  return series
})
const offersOf = () => line().then(({ offers }) => offers as Resource)
const offersLook = async () => offerLook(await line())
const words = () => import('./word.ts').then(({ englishWord }) => englishWord)
const wordLook = () => import('./word-view.tsx').then((file) => file.default)
const unitsOf = () => import('./unit.ts').then(({ englishUnit }) => englishUnit)
const unitLook = () => import('./unit-view.tsx').then((file) => file.default)
const pagesOf = () => import('./page.ts').then(({ englishPage }) => englishPage)
const pageLook = () => import('./page-view.tsx').then((file) => file.default)
const phonograms = () => import('./phonogram.ts').then(({ phonogram }) => phonogram)

const screens = courseLineScreens(ENGLISH_LINE, line)
const seriesLook = async () => screens['/englishApp/series']?.presentation?.() ?? {}

/** Finds what stands on a screen of several lists. @param at address of its list */
const finderAt = (at: string, found: RecordFinder): RecordFinder => ({ ...found, find: async (text, signal) => (await found.find(text, signal)).map((one) => ({ ...one, to: `${at}&open=${one.id}` })) })

export default presentModule(door)({
  '/englishApp/textbooks': screens['/englishApp/textbooks']!,
  '/englishApp/series': Object.assign(async () => {
    const [series, offers, lookOfSeries, lookOfOffers, { ListsPage }] = await Promise.all([seriesOf(), offersOf(), seriesLook(), offersLook(), import('../../core/list/lists-page.tsx')])
    return { default: () => <ListsPage label="系列或课程" views={[{ key: 'series', label: '系列', resource: series, presentation: lookOfSeries }, { key: OFFERS, label: '课程', resource: offers, presentation: lookOfOffers }]} /> }
  }, { resource: seriesOf, presentation: seriesLook }),
  '/englishApp/detail': Object.assign(async () => {
    const [word, unit, page, lookOfWords, lookOfUnits, lookOfPages, { ListsPage }] = await Promise.all([words(), unitsOf(), pagesOf(), wordLook(), unitLook(), pageLook(), import('../../core/list/lists-page.tsx')])
    return { default: () => <ListsPage label="单词、单元或点读页" views={[{ key: 'word', label: '单词', resource: word, presentation: lookOfWords }, { key: 'unit', label: '单元词表', resource: unit, presentation: lookOfUnits }, { key: 'page', label: '点读页', resource: page, presentation: lookOfPages }]} /> }
  }, { resource: words, presentation: wordLook }),
  '/englishApp/phonogram': resourceScreen(phonograms, () => import('./phonogram-view.tsx')),
  '/englishApp/catalog': screens['/englishApp/catalog']!,
  '/englishApp/phonogramcatalog': () => import('./phonics-screen.tsx'),
  '/englishApp/users': screens['/englishApp/users']!,
  '/englishApp/orders': screens['/englishApp/orders']!,
  '/englishApp/addWord': () => import('./add-word-screen.tsx'),
  '/englishApp/editWord/:id': () => import('./edit-word-screen.tsx'),
}, {
  finders: [
    ...courseLineFinders(ENGLISH_LINE, line),
    finderAt(OFFERS_AT, resourceFinder('/englishApp/series', '小学应用课程', offersOf, ['name'], ['subtitle'])),
    finderAt('/englishApp/detail?show=word', resourceFinder('/englishApp/detail', '单词', words, ['name'], ['unit_name', 'uk'])),
  ],
  records: { english_app_offer: { resource: offersOf, presentation: offersLook }, english_page: { resource: pagesOf, presentation: pageLook }, english_unit: { resource: unitsOf, presentation: unitLook } },
})
