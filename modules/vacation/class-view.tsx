import { Alert, Image } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { ListPage } from '../../core/list/list-page.tsx'
import { present, type Presentation } from '../../core/resource/present.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import { vacationMember } from './member.ts'
import { RollDialog } from './roll-dialog.tsx'
import { ScheduleDialog } from './schedule-dialog.tsx'
import { CLASS_STATE as C, MEMBER_STATE as M, QR_DAYS } from './state.ts'
import { vacationClass } from './line.ts'
import './vacation.css'

const DAY = 86_400
const LIVE: readonly number[] = [C.open, C.paused, C.running]

/** Members of a class: where they came from, whether they come, another class for them. */
const memberView: Presentation = present(vacationMember)({
  rowActions: [{ key: 'change', label: '换班', grant: vacationClass.rights.id('change'), visible: (row) => row.deleted_at === null && (row.state === M.in || row.state === M.waiting) }],
  dialogs: { change: ChangeDialog },
})

/** The code of a class's group, with a warning when it cannot be scanned any more or soon. */
function GroupCode({ url, at }: { url: string; at: number | null }) {
  const [now] = useState(() => Date.now() / 1000)
  const left = at === null ? undefined : Math.ceil((at + QR_DAYS * DAY - now) / DAY)
  return (
    <>
      {left !== undefined && left <= 2 && <Alert className="form-alert" type="warning" showIcon title={left <= 0 ? `群二维码上传已超过 ${QR_DAYS} 天，可能已失效，请重新上传` : `群二维码还有 ${left} 天失效，请及时更新`} />}
      <Image width={160} src={url} alt="微信群二维码" />
    </>
  )
}

export default present(vacationClass)({
  cells: {
    enrolled: ({ row, value }) => <Link to={`/vacation/user?offer_id=${row.offer_id}`}>{Number(value ?? 0)}/{row.capacity}</Link>,
  },
  slots: {
    head: ({ row }) => (
      <>
        {row.state === C.open && <p><Link to={`/vacation/order?write=new&class_id=${row.id}`}>为学员报名</Link></p>}
        {row.group_qr && <GroupCode url={row.group_qr} at={row.qr_at} />}
      </>
    ),
    details: [{ key: 'members', label: '学员', Content: ({ row }) => <ListPage resource={vacationMember} presentation={memberView} embedded={{ fixed: { class_id: [String(row.id)] } }} /> }],
  },
  rowActions: [
    { key: 'roll', first: true, label: '点名', visible: (row) => row.deleted_at === null && LIVE.includes(row.state) },
    { key: 'schedule', first: true, label: '课表', visible: (row) => row.deleted_at === null },
  ],
  dialogs: { roll: RollDialog, schedule: ScheduleDialog },
})
