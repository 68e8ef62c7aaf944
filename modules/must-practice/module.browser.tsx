import { presentModule } from '../../core/module/present.tsx'
import { courseLineFinders, courseLineScreens, offerLook } from '../offer/door.tsx'
import door from './module.ts'
import { MUST_LINE, PACKS } from './row.ts'

const line = () => import('./line.ts').then(({ mustLine }) => mustLine)
const papers = () => import('./must-paper.ts').then(({ mustPaper }) => mustPaper)
const paperLook = () => Promise.all([papers(), import('../paper/door.tsx')]).then(([resource, { presentPapers }]) => presentPapers(resource))
const packLook = async () => offerLook(await line(), { offer: () => import('./pack-view.tsx').then((file) => file.default) })

const screens = courseLineScreens(MUST_LINE, line)

export default presentModule(door)({
  '/mustPractice/paper': Object.assign(async () => {
    const [mustPaper, { offers }, lookOfPapers, lookOfPacks, { ListsPage }] = await Promise.all([papers(), line(), paperLook(), packLook(), import('../../core/list/lists-page.tsx')])
    return { default: () => <ListsPage label="试卷或题包" views={[{ key: 'paper', label: '试卷', resource: mustPaper, presentation: lookOfPapers }, { key: PACKS, label: '题包', resource: offers, presentation: lookOfPacks }]} /> }
  }, { resource: papers, presentation: paperLook }),
  '/mustPractice/account': screens['/mustPractice/account']!,
  '/mustPractice/order': screens['/mustPractice/order']!,
}, {
  finders: courseLineFinders(MUST_LINE, line),
  records: { must_practice_offer: { resource: () => line().then(({ offers }) => offers), presentation: packLook } },
})
