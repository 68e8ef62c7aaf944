import { Button, Drawer } from 'antd'
import { useState } from 'react'
import type { Resource } from '../resource/define.ts'
import { useCan } from '../session/staff-context.tsx'
import { ListPage } from './list-page.tsx'

/** Opens the list of a further resource beside a screen, for a person who may see it. */
export function ListButton({ resource, label }: { resource: Resource; label: string }) {
  const [open, setOpen] = useState(false)
  const can = useCan()
  if (!can(resource.grant)) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>{label}</Button>
      <Drawer open={open} onClose={() => setOpen(false)} title={label} size={980} destroyOnHidden>
        <ListPage resource={resource} embedded={{ fixed: {} }} />
      </Drawer>
    </>
  )
}
