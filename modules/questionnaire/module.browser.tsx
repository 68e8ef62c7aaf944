import { presentModule, type ScreenLoader } from '../../core/module/present.tsx'
import { resourceFinder } from '../../core/module/resource-finder.tsx'
import door from './module.ts'

const load = () => import('./questionnaire.ts').then(({ questionnaire }) => questionnaire)
const view = () => import('./questionnaire-view.tsx')

/** The list with its designer and its figures; the inbox shows one by its definition. */
const screen: ScreenLoader = Object.assign(async () => ({ default: (await view()).QuestionnaireScreen }), { resource: load, presentation: () => view().then((file) => file.default) })

export default presentModule(door)({ '/operate/questionnaire/index': screen }, { finders: [resourceFinder('/operate/questionnaire/index', '问卷', load, ['name'], ['state'])] })
