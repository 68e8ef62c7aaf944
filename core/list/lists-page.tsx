import { Segmented } from 'antd'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Resource } from '../resource/define.ts'
import type { Presentation } from '../resource/present.tsx'
import { ListPage } from './list-page.tsx'

/** A list of a screen that has several, and how it looks. */
export interface OneOfLists {
  /** Value of `show` in the address. */
  readonly key: string
  readonly label: string
  readonly resource: Resource
  readonly presentation: Presentation
}

/** Several lists on one screen. The address asks for one of them; the list then has the address to itself. */
export function ListsPage({ label, lists }: { label: string; lists: readonly [OneOfLists, ...OneOfLists[]] }) {
  const [search, setSearch] = useSearchParams()
  const asked = search.get('show')
  const [first] = lists
  const [shown, setShown] = useState(asked ?? first.key)
  if (asked !== null && asked !== shown) setShown(asked)
  useEffect(() => {
    if (asked === null) return
    setSearch((current) => {
      const rest = new URLSearchParams(current)
      rest.delete('show')
      return rest
    }, { replace: true })
  }, [asked, setSearch])
  const show = (next: string) => {
    setShown(next)
    setSearch({})
  }
  const one = lists.find(({ key }) => key === (asked ?? shown)) ?? first
  return (
    <>
      <Segmented aria-label={label} value={one.key} onChange={show} options={lists.map(({ key, label: words }) => ({ value: key, label: words }))} />
      {/* What the address asks for would be taken as a filter of the list. */}
      {asked === null && <ListPage key={one.key} resource={one.resource} presentation={one.presentation} />}
    </>
  )
}
