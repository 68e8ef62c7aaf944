import { SearchOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { retryLazy } from '../ui/retry-lazy.tsx'
import './menu-search.css'

const load = async () => ({ default: (await import('./menu-search-box.tsx')).MenuSearchBox })
const MenuSearchBox = retryLazy(load)

/** The magnifying glass of the navbar; it opens an input of 210 px, and a click elsewhere closes it (shell.md 73). */
export function MenuSearchButton() {
  const [open, setOpen] = useState(false)
  const place = useRef<HTMLSpanElement>(null)
  const elsewhere = useEffectEvent((event: Event) => {
    if (event.target instanceof Node && !place.current?.contains(event.target)) setOpen(false)
  })
  useEffect(() => {
    if (!open) return undefined
    const press = (event: Event) => elsewhere(event)
    document.addEventListener('pointerdown', press)
    return () => document.removeEventListener('pointerdown', press)
  }, [open])
  return (
    <search className="menu-search" ref={place} data-open={open}>
      <Button type="text" icon={<SearchOutlined />} aria-label="搜索菜单" title="搜索菜单（Ctrl+K 搜索一切）" aria-expanded={open} onPointerEnter={() => void load()} onClick={() => setOpen(!open)} />
      <span className="menu-search-slot">{open && <Suspense><MenuSearchBox onClose={() => setOpen(false)} /></Suspense>}</span>
    </search>
  )
}
