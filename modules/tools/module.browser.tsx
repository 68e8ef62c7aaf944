import type { RecordFinder } from '../../core/module/find.ts'
import { presentModule } from '../../core/module/present.tsx'
import door from './module.ts'

const SCREEN = '/tools/index'

/** Finds tools by their names, which are known without a call. */
const finder: RecordFinder = {
  label: '工具', screen: SCREEN,
  takes: (words) => words.length >= 2,
  async find(words) {
    const { TOOLS } = await import('./tools.ts')
    return TOOLS.filter(({ title, about }) => title.includes(words) || about.includes(words)).map(({ name, title, group }, at) => ({ id: at + 1, title, note: group, to: `${SCREEN}?tool=${name}` }))
  },
}

export default presentModule(door)({ [SCREEN]: () => import('./tools-screen.tsx') }, { finders: [finder] })
