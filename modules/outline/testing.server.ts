import { standardId, actionId } from '../../core/grant/grant.ts'
import { screenId } from '../screens.ts'
import { addOutlineOwner } from './door.server.ts'

const SCREEN = screenId('/englishApp/catalog')
export const TEST_GRANTS = { view: SCREEN, edit: standardId(SCREEN, 'edit'), publish: actionId(SCREEN, 12) }

let added = false

/** Books that only tests have: whatever id is asked for, there is one. Said before the product is put together; test files that share a process say it once. */
export function addTestOwner(): void {
  if (added) return
  added = true
  addOutlineOwner({
    kind: 'test_book', label: '测试教材', grants: TEST_GRANTS, blocks: ['micro', 'paper', 'text', 'song', 'video'],
    complete: { each: 'lesson', needs: [{ key: 'video', label: '视频', blocks: { kinds: ['micro'] } }, { key: 'paper', label: '试卷', blocks: { kinds: ['paper'], slots: [1, 2] } }] },
    find: (_db, _staff, ids) => Promise.resolve(new Map(ids.map((id) => [id, { title: `第 ${id} 册`, note: '测试', subject_id: null }]))),
    path: (id) => `/englishApp/catalog?textbook_id=${id}`,
  })
}
