import { presentModule, type ScreenLoader } from '../../core/module/present.tsx'
import { resourceFinder } from '../../core/module/resource-finder.tsx'
import door from './module.ts'

const load = () => import('./clue.ts').then(({ clue }) => clue)
const view = () => import('./clue-view.tsx')

/** The list with its board; the inbox shows a clue by its definition. */
const screen: ScreenLoader = Object.assign(async () => ({ default: (await view()).ClueScreen }), { resource: load, presentation: () => view().then((file) => file.default) })

export default presentModule(door)({ '/excellent-training/clue': screen }, { finders: [resourceFinder('/excellent-training/clue', '线索', load, ['mobile', 'name'], ['school', 'owner_name'])] })
