import { present } from '../../core/resource/present.tsx'
import { schoolStudent } from './school-student.ts'
import { CellsButton } from './school-view.tsx'

export default present(schoolStudent)({ slots: { toolbar: CellsButton } })
