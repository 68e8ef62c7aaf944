import { present } from '../../core/resource/present.tsx'
import { PrivacyButton } from './privacy-dialog.tsx'
import { securityLog } from './security.ts'

export default present(securityLog)({ slots: { toolbar: PrivacyButton } })
