import { App, Button } from 'antd'
import { useEffect, useEffectEvent, useRef } from 'react'
import { unsavedWork } from '../form/unsaved.tsx'

/** Under which this window remembers for what it was reloaded last: once for each reason, never in a loop. */
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
 * Whether an error is that of a part that could not be fetched. The build also hands over what goes wrong in what follows a
 * fetched part, such as a call that was taken back, and that is nobody's missing part.
 * @param message as Chromium, Firefox and Safari word it, and Vite for style sheets
 */
export const isMissingPart = (message: string): boolean => /dynamically imported module|importing a module script|preload CSS/i.test(message)

/** What is known of a part that could not be fetched. */
interface Missing {
  /** Whether the server answers, and with which build. */
  readonly server: 'away' | 'same' | 'other'
  /** It could not be fetched before either. Browsers keep the first failure for as long as the window lives. */
  readonly again: boolean
  readonly hasUnsaved: boolean
  /** What this window was reloaded for last, and what it would be for now. */
  readonly remembered: string | null
  readonly reason: string
}

/**
 * What to do about a part that is missing. After a deployment, or when trying again did not help, only a reload brings
 * it: by itself, but once for each reason and never over unsaved work; else the person decides.
 */
export function remedyFor({ server, again, hasUnsaved, remembered, reason }: Missing): 'none' | 'reload' | 'ask' {
  if (server === 'away' || (server === 'same' && !again)) return 'none'
  return hasUnsaved || remembered === reason ? 'ask' : 'reload'
}

async function serverState(): Promise<Missing['server']> {
  const answer = await fetch(import.meta.env.BASE_URL, { cache: 'no-store' }).catch(() => undefined)
  if (!answer?.ok) return 'away'
  const own = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src
  return own !== undefined && isOtherBuild(await answer.text(), own) ? 'other' : 'same'
}

const KEY = 'release'

/** Asks for a reload, by default because there is a new version; unsaved work the browser itself asks about. */
export function useReloadNotice(): (words?: { title: string; text: string }) => void {
  const { notification } = App.useApp()
  return ({ title, text } = { title: '后台有新版本', text: '刷新页面后使用新版本。' }) => notification.info({
    key: KEY, title, description: text, duration: 0, placement: 'bottomRight', actions: <Button type="primary" size="small" onClick={() => window.location.reload()}>刷新</Button>,
  })
}

/** Brings parts of the console that could not be fetched, after a deployment or a broken connection. Shows nothing itself. */
export function MissingParts() {
  const announce = useReloadNotice()
  const seen = useRef(new Set<string>())
  const missing = useEffectEvent(async (part: string) => {
    const again = seen.current.has(part)
    seen.current.add(part)
    const server = await serverState()
    const reason = `${__RELEASE__} ${server === 'other' ? '' : part}`
    const remedy = remedyFor({ server, again, hasUnsaved: unsavedWork().length > 0, remembered: sessionStorage.getItem(RELOADED), reason })
    if (remedy === 'ask') announce(server === 'other' ? undefined : { title: '页面需要刷新', text: '部分内容没有加载成功，刷新页面后可以继续使用。' })
    if (remedy !== 'reload') return
    sessionStorage.setItem(RELOADED, reason)
    window.location.reload()
  })
  useEffect(() => {
    const heard = ({ payload }: Event & { payload?: Error }) => { if (payload && isMissingPart(payload.message)) void missing(payload.message) }
    window.addEventListener('vite:preloadError', heard)
    return () => window.removeEventListener('vite:preloadError', heard)
  }, [])
  return null
}
