import { present } from '../../core/resource/present.tsx'
import type { Presentation } from '../../core/resource/present.tsx'
import { excellentLine } from './line.ts'

/** Learners are put into classes and given mentors, many at once. */
const look: Presentation = { ...present(excellentLine.learners)({}), bulkFields: ['class_name', 'mentor_id', 'remark'] }
export default look
