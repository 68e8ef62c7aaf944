import { presentModule, treeScreen, type ScreenLoader } from '../../core/module/present.tsx'
import type { AssetKind } from './asset.ts'
import door from './module.ts'

/** A screen of the library: two kinds that people look for in one place. */
const store = (...kinds: AssetKind[]): ScreenLoader => async () => {
  const { StoreScreen } = await import('./store/store-screen.tsx')
  return { default: () => <StoreScreen kinds={kinds} /> }
}

export default presentModule(door)({
  '/material/tag': treeScreen(() => import('./tag.ts').then((file) => file.materialTag)),
  '/material/store/video': store('video', 'audio'),
  '/material/store/image': store('image', 'document'),
}, {
  uploads: [{
    name: 'asset',
    known: (sha256) => import('./store/finish-upload.tsx').then((file) => file.findKnown(sha256)),
    finish: (...arrived) => import('./store/finish-upload.tsx').then((file) => file.finishUpload(...arrived)),
  }],
})
