import { Input } from 'antd'
import { Suspense, type ComponentType, type ReactNode } from 'react'
import { retryLazy } from '../ui/retry-lazy.tsx'

/**
 * An input that is fetched when it is first shown: calendars and the like are heavy, and most lists begin without them.
 * An empty, disabled line holds its place.
 * @param load fetches the component
 */
export function lazyInput<Props extends { id?: string }>(load: () => Promise<{ default: ComponentType<Props> }>): (props: Props) => ReactNode {
  const Part = retryLazy(load)
  return (props) => <Suspense fallback={<Input id={props.id} className="wide" disabled />}><Part {...props} /></Suspense>
}
