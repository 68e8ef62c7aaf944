import { findLessonFacts, findPaperFacts, lessonFacts, paperFacts } from '../paper/door.server.ts'
import { addBlockKind } from './block-kind.server.ts'

/** spec 9: what a paper of a course is for. */
const PAPER_SLOTS = [{ value: 1, label: '随堂练习' }, { value: 2, label: '课后练习' }, { value: 3, label: '阶段测试' }, { value: 4, label: '旧站课后练习' }] as const

/** Makes known the kinds of content that stand below this module; others hand over theirs. */
export function addOwnKinds(): void {
  addBlockKind({ kind: 'micro', label: '微课', target: { describe: lessonFacts, find: findLessonFacts } })
  addBlockKind({ kind: 'paper', label: '试卷', slots: PAPER_SLOTS, versions: true, target: { describe: paperFacts, find: findPaperFacts } })
  addBlockKind({ kind: 'text', label: '图文' })
}
