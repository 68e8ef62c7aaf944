/** What other modules use of outlines on the server. */
export { addBlockKind, blockKind, blocksShowing, describeBlocks, offeredKinds, openBlocks, usedByBlocks } from './block-kind.server.ts'
export { usesByBlocks } from './asset-uses.server.ts'
export { ASSET_BLOCKS } from './kinds.server.ts'
export { brokenBlocks } from './publish.server.ts'
export { progressOf } from './learn.server.ts'
export { addOutlineOwner, addOutlineUser } from './owner.server.ts'
export { createOutline, outlineHealth, outlinesOf, publishedOf } from './owned.server.ts'
export { replaceContents, writeOutline, type Written } from './replace.server.ts'
