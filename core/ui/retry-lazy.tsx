import { createElement, lazy, type ComponentType, type FunctionComponent, type ReactNode } from 'react'
import { PartMissing } from './part-missing.ts'

/**
 * Like React's `lazy`, which remembers a failure for ever: here whatever renders it again fetches it again.
 * @param load fetches the component
 */
export function retryLazy<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>): (props: Props) => ReactNode {
  const fetching = (): FunctionComponent<Props> => lazy(async () => {
    try {
      return await load()
    } catch (error) {
      part = fetching()
      throw new PartMissing(error)
    }
  })
  let part = fetching()
  return (props) => createElement(part, props)
}
