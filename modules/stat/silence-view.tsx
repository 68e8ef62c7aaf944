import { call } from '../../core/endpoint/call.tsx'
import { present } from '../../core/resource/present.tsx'
import { alertSilence } from './alert.ts'
import { endSilence } from './alert-calls.ts'
import { MONITOR_RIGHTS } from './rights.ts'

/** How silences look in their list: what is still on can be ended. */
export default present(alertSilence)({
  rowActions: [
    { key: 'end', first: true, label: '提前结束', grant: MONITOR_RIGHTS.id('silence'), visible: (row) => row.ended_at === null && row.until > Date.now() / 1000, run: async (row, { reload }) => { await call(endSilence, undefined, { params: { id: row.id } }); reload() } },
  ],
})
