import { Link } from 'react-router'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { present } from '../../core/resource/present.tsx'
import { ForceUserLogoutDialog, RebindMobileDialog, ResetUserPasswordDialog } from './access-dialogs.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import { OverviewTabs } from './overview-tabs.tsx'
import { TagDialog } from './tag-dialog.tsx'
import { appUser, USER_RIGHTS, USER_STATUS } from './user.ts'

/** An account whose owner leaves is neither merged nor tagged any more. */
const stays = (row: WireRow<typeof appUser>) => row.deleted_at === null && row.status !== USER_STATUS.closing && row.status !== USER_STATUS.closed

/** The user centre: the standard list, everything the modules know of a person, and accounts of one person made one. */
export default present(appUser)({
  cells: {
    // A merged account leads to the one that stayed.
    merged_into_id: ({ row }) => (typeof row.merged_into_id === 'number'
      ? <Link to={`/userManagement/total?open=${row.merged_into_id}`}>{row.merged_into_name ?? row.merged_into_id}</Link> : <span className="none">—</span>),
  },
  slots: { MoreDetails: OverviewTabs },
  rowActions: [
    { key: 'tag', label: '打标签', visible: (row) => stays(row) && row.can.includes('edit') },
    { key: 'rebind_mobile', label: '换绑手机', grant: USER_RIGHTS.id('rebindMobile'), visible: stays },
    { key: 'reset_password', label: '重置密码', grant: USER_RIGHTS.id('password'), visible: stays },
    { key: 'force_logout', label: '强制下线', grant: USER_RIGHTS.id('password'), visible: (row) => row.deleted_at === null },
    { key: 'merge', label: '合并账号', grant: USER_RIGHTS.id('merge'), visible: stays, danger: true },
  ],
  dialogs: { tag: TagDialog, merge: MergeDialog, rebind_mobile: RebindMobileDialog, reset_password: ResetUserPasswordDialog, force_logout: ForceUserLogoutDialog },
})
