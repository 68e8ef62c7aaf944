import { useEffect } from 'react'
import { afterPaint } from '../ui/after-paint.tsx'
import { useShell } from './shell-context.tsx'

/**
 * Fetches the code of the screen that the calling page leads to next, so that it opens at once.
 * @param path the screen's route; nothing while the person may not open it
 */
export function useNextScreen(path: string | undefined): void {
  const { screens } = useShell()
  useEffect(() => (path === undefined ? undefined : afterPaint(() => screens.fetch(path))), [screens, path])
}
