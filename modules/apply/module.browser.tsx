import { presentModule, resourceScreen } from '../../core/module/present.tsx'
import { resourceFinder } from '../../core/module/resource-finder.tsx'
import type { ApplyKind } from './apply.ts'
import door from './module.ts'

const load = (kind: ApplyKind) => () => import('./apply.ts').then(({ APPLIES }) => APPLIES[kind])

/** Papers that are asked for most, by kind. */
const PIECES: Readonly<Record<ApplyKind, readonly string[]>> = {
  bookstore: ['营业执照', '出版物经营许可证', '门头照片', '联系人身份信息'],
  teacher: ['教师资格证', '工作证或学校证明', '本人照片'],
}

const screen = (kind: ApplyKind, path: string) => resourceScreen(load(kind), async () => {
  const [{ presentApplies }, resource] = await Promise.all([import('./apply-view.tsx'), load(kind)()])
  return { default: presentApplies({ resource, path, pieces: PIECES[kind] }) }
})

export default presentModule(door)({
  '/operate/bookStoreApply': screen('bookstore', '/operate/bookStoreApply'),
  '/operate/teacherApply': screen('teacher', '/operate/teacherApply'),
}, {
  finders: [
    resourceFinder('/operate/bookStoreApply', '书店申请', load('bookstore'), ['mobile', 'name'], ['applicant']),
    resourceFinder('/operate/teacherApply', '教师申请', load('teacher'), ['mobile', 'name'], ['org']),
  ],
})
