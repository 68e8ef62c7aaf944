import { codePresentation } from '../code/door.tsx'
import { authorizationCodes } from './authorization-code.ts'

export default codePresentation(authorizationCodes)
