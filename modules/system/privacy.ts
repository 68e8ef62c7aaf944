import { privacySchema, type PrivacySetting } from '../../core/audit/privacy.ts'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { securityLog } from './security.ts'
import { defineRights } from '../../core/grant/rights.ts'

/** Deciding what is hidden, and how often one may look behind it, is a right of its own. */
export const PRIVACY_RIGHTS = defineRights(securityLog.grant, { privacy: [11, '隐私设置'] })
export const PRIVACY_GRANT = PRIVACY_RIGHTS.id('privacy')

const PATH = '/daoyuan/api/end/privacy_setting'

export const getPrivacy = defineEndpoint<PrivacySetting>()({ method: 'GET', path: PATH, summary: '隐私设置', grant: [PRIVACY_GRANT] })
export const putPrivacy = defineEndpoint<PrivacySetting>()({ method: 'PUT', path: PATH, summary: '修改隐私设置', grant: [PRIVACY_GRANT], input: privacySchema })
