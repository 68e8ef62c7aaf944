import { defineModule } from '../../core/module/define.ts'
import { assetChecked } from './live.ts'

export { ASSETS, ASSET_KINDS, ASSET_STATE, audioAsset, documentAsset, imageAsset, videoAsset, type AssetKind } from './asset.ts'
export { materialTag } from './tag.ts'

/** The library of what is shown and played: video, pictures, sound and documents, their tags, their player. */
export default defineModule({
  name: 'asset',
  title: '素材库',
  screens: ['/material/tag', '/material/store/video', '/material/store/image'],
  live: [assetChecked],
})
