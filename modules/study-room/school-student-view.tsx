import { actionId } from '../../core/grant/grant.ts'
import { ListButton } from '../../core/list/list-button.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { present } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { ActivateDialog } from './activate-dialog.tsx'
import { ACTIVATE, activationCode } from './authorization-code.ts'
import { schoolCell } from './school-cell.ts'
import { schoolStudent, STUDENT_STATUS } from './school-student.ts'

export default present(schoolStudent)({
  slots: {
    toolbar: () => <ListButton resource={schoolCell} label="班级管理" />,
    MoreDetails: function StudentTabs({ row, children }) {
      const can = useCan()
      return children(can(activationCode.grant) ? [{ key: 'codes', label: '授权码', children: <ListPage resource={activationCode} embedded={{ fixed: { student_id: [String(row.id)] } }} /> }] : [])
    },
  },
  rowActions: [{ key: 'activate', label: '激活授权码', grant: actionId(ACTIVATE.screen, ACTIVATE.n), visible: (row) => row['deleted_at'] === null && row['status'] !== STUDENT_STATUS.stopped }],
  dialogs: { activate: ActivateDialog },
})
