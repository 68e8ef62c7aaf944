import { Segmented } from 'antd'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { ListPage } from '../../core/list/list-page.tsx'
import type { Resource } from '../../core/resource/define.ts'
import type { Presentation } from '../../core/resource/present.tsx'
import './market.css'

/** A list of a screen that has several. */
export interface OneList {
  /** Stands in the address; the first list has no word. */
  readonly value: string
  readonly label: string
  readonly resource: Resource
  readonly presentation: Presentation
}

/** Lists that belong together. The address asks for one of them (`show`); the list then has the address to itself. */
export function TwoLists({ label, lists }: { label: string; lists: readonly OneList[] }) {
  const [search, setSearch] = useSearchParams()
  const asked = lists.find(({ value }) => value === search.get('show'))?.value
  const [shown, setShown] = useState(asked ?? lists[0]?.value ?? '')
  const [seen, setSeen] = useState(asked)
  if (asked !== seen) {
    setSeen(asked)
    if (asked) setShown(asked)
  }
  // The list reads the rest of the address as its filters, once it is told which list it is.
  useEffect(() => {
    if (asked) setSearch((now) => { const next = new URLSearchParams(now); next.delete('show'); return next }, { replace: true })
  }, [asked, setSearch])
  const one = lists.find(({ value }) => value === shown)
  return (
    <>
      <Segmented className="market-tabs" aria-label={label} value={shown} onChange={(next) => { setShown(next); setSearch({}) }} options={lists.map(({ value, label: words }) => ({ value, label: words }))} />
      {!asked && one && <ListPage key={one.value} resource={one.resource} presentation={one.presentation} />}
    </>
  )
}
