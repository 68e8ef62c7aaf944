import { ListButton } from '../../core/list/list-button.tsx'
import { batchPresentation } from '../code/door.tsx'
import { authorizationCodes } from './authorization-code.ts'
import { unit } from './unit.ts'

/** What codes open, kept where they are made. */
export default batchPresentation(authorizationCodes, () => <ListButton resource={unit} label="套餐" />)
