import { assetFacts, findAssetFacts, openAssets, type AssetFacts } from '../asset/door.server.ts'
import type { AssetKind } from '../asset/module.ts'
import { findLessonFacts, findPaperFacts, lessonFacts, paperFacts } from '../paper/door.server.ts'
import { addBlockKind, type TargetFacts } from './block-kind.server.ts'

/** spec 9: what a paper of a course is for. */
const PAPER_SLOTS = [{ value: 1, label: '随堂练习' }, { value: 2, label: '课后练习' }, { value: 3, label: '阶段测试' }, { value: 4, label: '旧站课后练习' }] as const

/** Assets as outlines name them: what a document is for the library is a file to learn from. */
export const ASSET_BLOCKS: Readonly<Record<string, AssetKind>> = { video: 'video', audio: 'audio', image: 'image', file: 'document', animation: 'video' }

const plain = (found: readonly AssetFacts[]): TargetFacts[] => found.map(({ url: _url, ...facts }) => facts)

function addAssetKind(kind: string, label: string): void {
  const asset = ASSET_BLOCKS[kind] ?? 'document'
  addBlockKind({
    kind, label,
    target: {
      describe: async (db, ids) => plain(await assetFacts(asset)(db, ids)),
      find: async (db, staff, words) => plain(await findAssetFacts(asset)(db, staff, words)),
      bound: openAssets,
    },
  })
}

/** Makes known the kinds of content that stand below this module; others hand over theirs. */
export function addOwnKinds(): void {
  addAssetKind('video', '视频')
  addAssetKind('audio', '音频')
  addAssetKind('image', '图片')
  addAssetKind('file', '资料')
  addAssetKind('animation', '动画')
  addBlockKind({ kind: 'micro', label: '微课', target: { describe: lessonFacts, find: findLessonFacts } })
  addBlockKind({ kind: 'paper', label: '试卷', slots: PAPER_SLOTS, versions: true, target: { describe: paperFacts, find: findPaperFacts } })
  addBlockKind({ kind: 'text', label: '图文' })
}
