import { useEffect, useId, useRef } from 'react'
import { entryText } from './menu-search.ts'
import { useMenuSearch } from './use-menu-search.tsx'
import { usePicked, useTyped } from './use-picked.tsx'

/** The input of the menu search and what it finds. */
export function MenuSearchBox({ onClose }: { onClose: () => void }) {
  const { find, go } = useMenuSearch()
  const typed = useTyped()
  const { text, type, words, input } = typed
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const hits = find(words)
  const take = (place: number) => {
    const hit = hits[place]
    if (!hit) return
    onClose()
    go(hit)
  }
  const { at, pick, keys } = usePicked({ hits: hits.length, typed, take, close: onClose })
  useEffect(() => field.current?.focus(), [])
  // It may give back a promise, which is nothing for React to call.
  useEffect(() => { void list.current?.children[at]?.scrollIntoView({ block: 'nearest' }) }, [at])
  return (
    <>
      <input ref={field} className="menu-search-input" placeholder="搜索菜单" aria-label="搜索菜单" role="combobox" aria-autocomplete="list" aria-expanded={words !== ''} aria-controls={id}
        aria-activedescendant={hits.length > 0 ? `${id}${at}` : undefined} value={text} onChange={(event) => type(event.target.value)} onKeyDown={keys} spellCheck={false} autoComplete="off" {...input} />
      {words !== '' && (
        <div ref={list} id={id} className="menu-search-hits" role="listbox" aria-label="匹配的菜单">
          {hits.map((hit, place) => (
            // The input keeps the focus: keys are heard there.
            <button key={entryText(hit)} id={`${id}${place}`} type="button" role="option" tabIndex={-1} aria-selected={place === at}
              onPointerMove={() => pick(place)} onPointerDown={(event) => event.preventDefault()} onClick={() => take(place)}>{entryText(hit)}</button>
          ))}
          {hits.length === 0 && <p>无数据</p>}
        </div>
      )}
    </>
  )
}
