import { Button } from 'antd'
import { useState } from 'react'
import { ListPage } from '../../core/list/list-page.tsx'
import { present, type Presentation, type RowDialogProps } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { classAccount, GRANT_RIGHTS, GRANT_STATE, roomCourse, roomPlan } from './grant.ts'
import { AccountsDialog, bulkExtend, ExtendDialog, GrantDialog, RunDrawer } from './grant-dialogs.tsx'

/** The button that grants, in the place of 新增. */
const main = (kind: 'course' | 'plan') => function Main({ reload }: { reload: () => void }) {
  const can = useCan()
  const [open, setOpen] = useState(false)
  if (!can(GRANT_RIGHTS.id('open'))) return null
  return (
    <>
      <Button type="primary" onClick={() => setOpen(true)}>授权</Button>
      {open && <GrantDialog kind={kind} onClose={() => setOpen(false)} onDone={reload} />}
    </>
  )
}

/** People who use the places of what a room may use. */
const Accounts = ({ row }: { row: { id: number } }) => <ListPage resource={classAccount} embedded={{ fixed: { grant_id: [String(row.id)] } }} />

const OPEN = GRANT_RIGHTS.id('open')
const extendOf = (kind: 'course' | 'plan') => ({ row, reload, onClose }: Pick<RowDialogProps, 'reload' | 'onClose'> & { readonly row: { readonly id: number; readonly name: string } }) => <ExtendDialog kind={kind} ids={[row.id]} many={row.name} onClose={onClose} onDone={reload} />

/** Which room may use which course. */
export const courseGrants: Presentation = present(roomCourse)({
  cells: { used: ({ row, value }) => <span className="figure">{Number(value ?? 0)} / {row.quota}</span> },
  slots: { main: main('course'), bulk: bulkExtend('course'), details: [{ key: 'accounts', label: '使用学员', Content: Accounts }] },
  rowActions: [
    { key: 'accounts', label: '开通学员', first: true, grant: OPEN, visible: (row) => row.deleted_at === null && row.state === GRANT_STATE.active },
    { key: 'extend', label: '续期', grant: OPEN, visible: (row) => row.deleted_at === null && row.state !== GRANT_STATE.recalled },
  ],
  dialogs: { accounts: AccountsDialog, extend: extendOf('course') },
})

/** Which room works through which plan. */
export const planGrants: Presentation = present(roomPlan)({
  cells: { used: ({ row, value }) => <span className="figure">{Number(value ?? 0)} / {row.quota}</span> },
  slots: { main: main('plan'), bulk: bulkExtend('plan'), details: [{ key: 'accounts', label: '使用学员', Content: Accounts }] },
  rowActions: [
    { key: 'run', label: '执行进度', first: true, visible: (row) => row.deleted_at === null },
    { key: 'accounts', label: '开通学员', grant: OPEN, visible: (row) => row.deleted_at === null && row.state === GRANT_STATE.active },
    { key: 'extend', label: '续期', grant: OPEN, visible: (row) => row.deleted_at === null && row.state !== GRANT_STATE.recalled },
  ],
  dialogs: { run: RunDrawer, accounts: AccountsDialog, extend: extendOf('plan') },
})
