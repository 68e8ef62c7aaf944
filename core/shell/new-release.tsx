import { App, Button } from 'antd'
import { useEffect } from 'react'
import { unsavedWork } from '../form/unsaved.tsx'

/** Under which this window remembers that it was reloaded for a missing part: once for each release, never in a loop. */
const RELOADED = 'daoyuan-reloaded'

const SCRIPT = /\/assets\/[\w-]+\.js/

/**
 * Whether the server has another build of the console than this one.
 * @param page text of the console's page as the server has it now
 * @param own address of the script that this window runs
 */
export function isOtherBuild(page: string, own: string): boolean {
  const [served] = SCRIPT.exec(page) ?? []
  return served !== undefined && !own.endsWith(served)
}

/**
 * What to do about a part that is gone: a window without unsaved work reloads by itself, but only once for a release;
 * otherwise the person decides.
 */
export function remedyFor(remembered: string | null, release: string, hasUnsaved: boolean): 'reload' | 'ask' {
  return remembered === release || hasUnsaved ? 'ask' : 'reload'
}

async function serverMovedOn(): Promise<boolean> {
  const own = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src
  if (!own) return false
  const answer = await fetch(import.meta.env.BASE_URL, { cache: 'no-store' }).catch(() => undefined)
  return answer?.ok === true && isOtherBuild(await answer.text(), own)
}

const KEY = 'release'

/** Says that there is a new version; the reload asks for unsaved work by the browser's own means. */
export function useReleaseNotice(): () => void {
  const { notification } = App.useApp()
  return () => notification.info({
    key: KEY, title: '后台有新版本', description: '刷新页面后使用新版本。', duration: 0, placement: 'bottomRight',
    actions: <Button type="primary" size="small" onClick={() => window.location.reload()}>刷新</Button>,
  })
}

/** After a deployment the parts of the old console are gone: whoever stumbles over that gets the new one. Shows nothing itself. */
export function MissingParts() {
  const announce = useReleaseNotice()
  useEffect(() => {
    const missing = () => void serverMovedOn().then((moved) => {
      if (!moved) return
      if (remedyFor(sessionStorage.getItem(RELOADED), __RELEASE__, unsavedWork().length > 0) === 'ask') return announce()
      sessionStorage.setItem(RELOADED, __RELEASE__)
      window.location.reload()
    })
    window.addEventListener('vite:preloadError', missing)
    return () => window.removeEventListener('vite:preloadError', missing)
  })
  return null
}
