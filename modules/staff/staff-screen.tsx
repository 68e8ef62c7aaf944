import type { WireRow } from '../../core/resource/endpoints.ts'
import { present } from '../../core/resource/present.tsx'
import { CopyRightsDialog } from './copy-rights-dialog.tsx'
import { FactorRuleButton } from './factor-rule-button.tsx'
import { FirstPasswordsButton } from './first-passwords.tsx'
import { GrantDrawer } from './grant-drawer.tsx'
import { GrantNewDialog } from './grant-new-dialog.tsx'
import { HandOverDialog } from './hand-over-dialog.tsx'
import { LoginLogDrawer } from './login-log-drawer.tsx'
import { RightsTab } from './rights-tab.tsx'
import { FirstPasswordDialog, ForceLogoutDialog, ResetFactorsDialog, ResetPasswordDialog } from './password-dialogs.tsx'
import { STAFF_RIGHTS, STAFF_STATUS, SUPER, staff } from './staff.ts'
import './staff.css'

const stays = (row: WireRow<typeof staff>) => row.status !== STAFF_STATUS.left

/** Staff: the standard list, and what is done with a person beside editing them. */
export default present(staff)({
  slots: { toolbar: FactorRuleButton, bulk: FirstPasswordsButton, details: [{ key: 'rights', label: '权限', Content: RightsTab }] },
  rowActions: [
    { key: 'grant', label: '授权', grant: STAFF_RIGHTS.id('grant'), visible: stays },
    { key: 'copy_rights', label: '权限复制', grant: STAFF_RIGHTS.id('grant'), visible: (row) => stays(row) && row.role !== SUPER },
    { key: 'reset_password', label: '重置密码', grant: STAFF_RIGHTS.id('resetPassword'), visible: stays },
    { key: 'reset_factors', label: '清除两步验证', grant: STAFF_RIGHTS.id('resetFactors'), visible: stays },
    { key: 'force_logout', label: '强制下线', grant: STAFF_RIGHTS.id('resetPassword'), visible: stays },
    { key: 'hand_over', label: '离职交接', grant: STAFF_RIGHTS.id('handOver') },
    { key: 'login_log', label: '登录日志' },
  ],
  dialogs: {
    grant: GrantDrawer,
    copy_rights: CopyRightsDialog,
    reset_password: ResetPasswordDialog,
    reset_factors: ResetFactorsDialog,
    force_logout: ForceLogoutDialog,
    hand_over: HandOverDialog,
    login_log: LoginLogDrawer,
    first_password: FirstPasswordDialog,
    grant_new: GrantNewDialog,
  },
  afterCreate: (row, { open }) => open('first_password', row),
})
