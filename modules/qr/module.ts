import { defineModule } from '../../core/module/define.ts'

export { qrEndpoints } from './calls.ts'
export { defineQrCodes, QR_STATE, QR_KINDS, type QrFamily, type QrOwner, type QrResource } from './qr-code.ts'

/** Engine of printed codes: what is printed answers for ever, whatever it leads to. Whose the codes are is a row. It has no screens of its own. */
export default defineModule({ name: 'qr', title: '二维码', screens: [] })
