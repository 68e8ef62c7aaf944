import { presentModule, resourceScreen } from '../../core/module/present.tsx'
import { resourceFinder } from '../../core/module/resource-finder.tsx'
import type { Resource } from '../../core/resource/define.ts'
import type { ApplyKind } from './apply.ts'
import door from './module.ts'

const load = (kind: ApplyKind) => () => import('./apply.ts').then(({ APPLIES }) => APPLIES[kind] as unknown as Resource)
const screen = (kind: ApplyKind, path: string) => resourceScreen(load(kind), async () => ({ default: (await import('./apply-view.tsx')).presentApplies(kind, path) }))

export default presentModule(door)({
  '/operate/bookStoreApply': screen('bookstore', '/operate/bookStoreApply'),
  '/operate/teacherApply': screen('teacher', '/operate/teacherApply'),
}, {
  finders: [
    resourceFinder('/operate/bookStoreApply', '书店申请', load('bookstore'), ['mobile', 'name'], ['applicant']),
    resourceFinder('/operate/teacherApply', '教师申请', load('teacher'), ['mobile', 'name'], ['org']),
  ],
})
