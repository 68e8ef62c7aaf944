import { Button, Drawer } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { ListPage } from '../../core/list/list-page.tsx'
import { present } from '../../core/resource/present.tsx'
import { partner } from './partner.ts'
import { roomType } from './room-type.ts'

/** The study room types with their fees, which partners' contracts start from. */
function RoomTypes() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>自习室类型</Button>
      <Drawer open={open} onClose={() => setOpen(false)} title="自习室类型" size={980} destroyOnHidden>
        <ListPage resource={roomType} embedded={{ fixed: {} }} />
      </Drawer>
    </>
  )
}

export default present(partner)({
  cells: {
    school_cnt: ({ value, row }) => (Number(value) > 0 ? <Link to={`/new-study-room/school/school-list?partner_id=${row.id}`}>{String(value)}</Link> : <span>0</span>),
  },
  slots: { toolbar: RoomTypes },
})
