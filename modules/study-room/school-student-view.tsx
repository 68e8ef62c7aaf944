import { ListButton } from '../../core/list/list-button.tsx'
import { present } from '../../core/resource/present.tsx'
import { schoolCell } from './school-cell.ts'
import { schoolStudent } from './school-student.ts'

export default present(schoolStudent)({ slots: { toolbar: () => <ListButton resource={schoolCell} label="班级管理" /> } })
