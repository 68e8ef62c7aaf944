import { ListButton } from '../../core/list/list-button.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { present } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { ActivateDialog } from './activate-dialog.tsx'
import { activationCode } from './authorization-code.ts'
import { schoolCell } from './school-cell.ts'
import { schoolStudent, STUDENT_STATUS, STUDENT_RIGHTS } from './school-student.ts'
import { ChangeCellDialog, ChangeSchoolDialog, RenewDialog } from './student-move-dialogs.tsx'
import { CHANGE_CELL_GRANT, CHANGE_SCHOOL_GRANT, RENEW_GRANT } from './student-move.ts'

const living = (row: WireRow<typeof schoolStudent>) => row.deleted_at === null
const studies = (row: WireRow<typeof schoolStudent>) => living(row) && row.status !== STUDENT_STATUS.stopped

export default present(schoolStudent)({
  slots: {
    toolbar: () => <ListButton resource={schoolCell} label="班级管理" />,
    MoreDetails: function StudentTabs({ row, children }) {
      const can = useCan()
      return children(can(activationCode.grant) ? [{ key: 'codes', label: '授权码', children: <ListPage resource={activationCode} embedded={{ fixed: { student_id: [String(row.id)] } }} /> }] : [])
    },
  },
  rowActions: [
    { key: 'activate', label: '激活授权码', grant: STUDENT_RIGHTS.id('activate'), visible: studies },
    { key: 'renew', label: '续期', grant: RENEW_GRANT, visible: studies },
    { key: 'change_cell', label: '转班', grant: CHANGE_CELL_GRANT, visible: living },
    { key: 'change_school', label: '转校', grant: CHANGE_SCHOOL_GRANT, visible: living },
  ],
  dialogs: { activate: ActivateDialog, renew: RenewDialog, change_cell: ChangeCellDialog, change_school: ChangeSchoolDialog },
})
