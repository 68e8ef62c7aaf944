import { Segmented } from 'antd'
import type { ComponentType, ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import type { Resource } from '../resource/define.ts'
import type { Presentation } from '../resource/present.tsx'
import { ListPage } from './list-page.tsx'
import { PageParams } from './use-list.tsx'

interface OneOfViews {
  /** Value of `show` in the address. */
  readonly key: string
  readonly label: string
}

/** A list of a screen that has several, and how it looks. */
interface OneOfLists extends OneOfViews {
  readonly resource: Resource
  readonly presentation?: Presentation
}

/** What is no list. */
interface OneOfContents extends OneOfViews {
  readonly Content: ComponentType
}

export type ListsPageView = OneOfLists | OneOfContents

const OWN = ['show']

/**
 * Several lists on one screen, of which the address says the one that is shown; the first has no word in it.
 * @param beside stands behind the switch
 */
export function ListsPage({ label, views, beside }: { label: string; views: readonly [ListsPageView, ...ListsPageView[]]; beside?: ReactNode }) {
  const [address, setAddress] = useSearchParams()
  const view = views.find(({ key }) => key === address.get('show')) ?? views[0]
  return (
    <section aria-label={label}>
      <div className="lists-switch">
        <Segmented aria-label={label} value={view.key} options={views.map(({ key, label: words }) => ({ value: key, label: words }))} onChange={(next) => setAddress(next === views[0].key ? {} : { show: next })} />
        {beside}
      </div>
      {'Content' in view ? <view.Content key={view.key} /> : <PageParams value={OWN}><ListPage key={view.key} resource={view.resource} presentation={view.presentation ?? {}} /></PageParams>}
    </section>
  )
}
