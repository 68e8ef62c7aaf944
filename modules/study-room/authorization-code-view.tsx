import { Button, Drawer } from 'antd'
import { useState } from 'react'
import { ListPage } from '../../core/list/list-page.tsx'
import { batchPresentation } from '../code/door.tsx'
import { authorizationCodes } from './authorization-code.ts'
import { unit } from './unit.ts'

/** What codes open, kept where they are made. */
function Units() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>套餐</Button>
      <Drawer open={open} onClose={() => setOpen(false)} title="套餐" size={980} destroyOnHidden>
        <ListPage resource={unit} embedded={{ fixed: {} }} />
      </Drawer>
    </>
  )
}

export default batchPresentation(authorizationCodes, Units)
