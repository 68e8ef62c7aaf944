import { Segmented } from 'antd'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { ListPage } from '../../core/list/list-page.tsx'
import { PageParams } from '../../core/list/use-list.tsx'
import type { Resource } from '../../core/resource/define.ts'
import type { Presentation } from '../../core/resource/present.tsx'
import './earning.css'

/** One of the lists of a screen. */
export interface ListTab {
  readonly key: string
  readonly label: string
  readonly resource: unknown
  readonly presentation?: Presentation
  /** In the place of the plain list. */
  readonly content?: () => ReactNode
}

const OWN = ['show']

/** Several lists on one screen, of which the address says the one that is shown. */
export function TabbedLists({ label, tabs, beside }: { label: string; tabs: readonly [ListTab, ...ListTab[]]; beside?: ReactNode }) {
  const [address, setAddress] = useSearchParams()
  const tab = tabs.find(({ key }) => key === address.get('show')) ?? tabs[0]
  return (
    <section aria-label={label}>
      <div className="money-bar">
        <Segmented aria-label={label} value={tab.key} options={tabs.map(({ key, label: words }) => ({ value: key, label: words }))} onChange={(next) => setAddress(next === tabs[0].key ? {} : { show: next })} />
        {beside}
      </div>
      {tab.content ? <tab.content key={tab.key} /> : <PageParams value={OWN}><ListPage key={tab.key} resource={tab.resource as Resource} presentation={tab.presentation ?? {}} /></PageParams>}
    </section>
  )
}
