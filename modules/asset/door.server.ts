/** What other modules use of the library on the server. */
export { assetFacts, findAssetFacts, openAssets, type AssetFacts } from './facts.server.ts'
export { addAssetUser, type AssetUser } from './uses.server.ts'
