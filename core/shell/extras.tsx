import { memo, Suspense } from 'react'
import { Palette } from './palette.tsx'
import { retryLazy } from '../ui/retry-lazy.tsx'
import { SettingsHandle } from './settings-handle.tsx'
import { UndoBar } from '../undo/undo-bar.tsx'
import { useSettings } from './settings-context.tsx'

const Watermark = retryLazy(async () => ({ default: (await import('./watermark.tsx')).Watermark }))
const UploadTray = retryLazy(async () => ({ default: (await import('./upload-tray.tsx')).UploadTray }))
const ScreenLock = retryLazy(async () => ({ default: (await import('./screen-lock.tsx')).ScreenLock }))

/** What stands beside the pages, as far as the person wants it. What is still being fetched holds up nothing that listens to keys. */
export const Extras = memo(function Extras({ mobile }: { mobile: boolean }) {
  const { settings } = useSettings()
  return (
    <>
      <SettingsHandle mobile={mobile} />
      <Palette />
      <UndoBar />
      <Suspense>
        <UploadTray />
        {settings.watermark && <Watermark />}
        {settings.lockAfter > 0 && <ScreenLock after={settings.lockAfter} />}
      </Suspense>
    </>
  )
})
