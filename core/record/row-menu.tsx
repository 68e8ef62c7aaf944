import { EllipsisOutlined } from '@ant-design/icons'
import { Button, Drawer, Dropdown } from 'antd'
import { useRef, useState } from 'react'
import { useWide } from '../ui/use-media.tsx'

/** Something that can be done with a row. */
export interface RowItem {
  key: string
  label: string
  danger: boolean
  /** Why it cannot be done now; it is shown all the same, so that nobody looks for it in vain. */
  refused?: string | undefined
  run: () => void
}

/** What does not find room in a row. A list has many rows and their menus are heavy: each is made when it is asked for. */
export function RowMenu({ label, items }: { label: string; items: readonly RowItem[] }) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  // Pressing beside an open menu closes it before the click comes.
  const pressed = useRef(false)
  return (
    <span className="row-menu">
      <button ref={button} type="button" className="row-action" aria-label={label} aria-haspopup="menu" aria-expanded={open}
        onPointerDown={() => { pressed.current = open }} onClick={() => { setOpen(!pressed.current); pressed.current = false }}><EllipsisOutlined aria-hidden /></button>
      {open && <OpenMenu label={label} items={items} onClose={() => { setOpen(false); button.current?.focus() }} />}
    </span>
  )
}

/** What can be done, below the button; on a phone as a sheet, where a thumb finds it. */
function OpenMenu({ label, items, onClose }: { label: string; items: readonly RowItem[]; onClose: () => void }) {
  const wide = useWide('md')
  if (!wide) {
    return (
      <Drawer open placement="bottom" size="auto" title={label} className="list-sheet" onClose={onClose}>
        {items.map(({ key, label: title, danger, refused, run }) => (
          <span key={key}>
            <Button danger={danger} disabled={refused !== undefined} onClick={() => { onClose(); run() }}>{title}</Button>
            {refused !== undefined && <p className="note">{refused}</p>}
          </span>
        ))}
      </Drawer>
    )
  }
  return (
    // A menu takes the focus when it opens and gives it back.
    // oxlint-disable-next-line jsx-a11y/no-autofocus
    <Dropdown open autoFocus trigger={['click']} onOpenChange={(next) => { if (!next) onClose() }}
      menu={{ items: items.map(({ key, label: title, danger, refused }) => ({ key, label: refused === undefined ? title : <span title={refused}>{title}</span>, danger, disabled: refused !== undefined })), onClick: ({ key }) => items.find((item) => item.key === key)?.run() }}>
      <span className="row-menu-place" />
    </Dropdown>
  )
}
