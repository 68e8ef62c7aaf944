import { defineEndpoint } from '../../core/endpoint/define.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { screenId } from '../screens.ts'
import { ENGLISH_API } from './row.ts'

const SCREEN = screenId('/englishApp/phonogramcatalog')

export const PHONICS_RIGHTS = defineRights(SCREEN, { edit: [1, '编辑目录'], publish: [12, '发布'] })

/** The one course of phonograms; it is made when its screen is opened for the first time. */
export const openPhonics = defineEndpoint<{ outline_id: number }>()({ method: 'POST', path: `${ENGLISH_API}/phonogram_catalog`, summary: '打开音标目录', grant: [SCREEN] })
