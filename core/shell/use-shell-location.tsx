import { useState } from 'react'
import type { Location } from 'react-router'
import { redirectTarget, outsideError } from './place.ts'
import { useWindowLocation } from './window-location.tsx'

interface ShellLocation {
  /** Where the person is inside the shell; stays where it was during a refresh and beside the error pages. Undefined before the first page. */
  readonly inside: Location | undefined
  /** Page that is to be mounted again, while the address is an internal refresh. */
  readonly hop: Location | undefined
  /** Error page at an address of its own. */
  readonly outside: 404 | 401 | undefined
}

/** Which of the shell's pages the window's address means (shell.md 29-31, 131, 132). */
export function useShellLocation(): ShellLocation {
  const { location } = useWindowLocation()
  const hop = redirectTarget(location)
  const outside = outsideError(location.pathname)
  const [inside, setInside] = useState(outside ? undefined : (hop ?? location))
  const [target, setTarget] = useState<{ of: Location; hop: Location | undefined }>({ of: location, hop })
  // The same object as long as the address is the same, so that its readers do their work once.
  if (target.of !== location) setTarget({ of: location, hop })
  if (!hop && !outside && inside !== location) setInside(location)
  return { inside: hop || outside ? inside : location, hop: target.of === location ? target.hop : hop, outside }
}
