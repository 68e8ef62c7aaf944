/** What other modules use of outlines on the server. */
export { addBlockKind, blocksShowing, usedByBlocks } from './block-kind.server.ts'
export { progressOf } from './learn.server.ts'
export { addOutlineOwner, addOutlineUser } from './owner.server.ts'
export { createOutline, outlineHealth, outlinesOf, publishedOf } from './owned.server.ts'
