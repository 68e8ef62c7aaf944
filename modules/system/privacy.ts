import { privacySchema, type PrivacySetting } from '../../core/audit/privacy.ts'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { actionId } from '../../core/grant/grant.ts'
import { securityLog } from './security.ts'

/** Deciding what is hidden, and how often one may look behind it, is a right of its own. */
export const PRIVACY = { screen: securityLog.grant, n: 11, title: '隐私设置' } as const
export const PRIVACY_GRANT = actionId(PRIVACY.screen, PRIVACY.n)

const PATH = '/daoyuan/api/end/privacy_setting'

export const getPrivacy = defineEndpoint<PrivacySetting>()({ method: 'GET', path: PATH, summary: '隐私设置', grant: [PRIVACY_GRANT] })
export const putPrivacy = defineEndpoint<PrivacySetting>()({ method: 'PUT', path: PATH, summary: '修改隐私设置', grant: [PRIVACY_GRANT], input: privacySchema })
