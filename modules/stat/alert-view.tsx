import { Link } from 'react-router'
import { request } from '../../core/endpoint/call.tsx'
import { present } from '../../core/resource/present.tsx'
import { alert, ALERT_STATE } from './alert.ts'
import { AssignDialog, IgnoreDialog, SilenceDialog } from './alert-dialogs.tsx'
import { figureText } from './words.ts'
import { alertPath, MONITOR_RIGHTS } from './rights.ts'

const S = ALERT_STATE
const handle = MONITOR_RIGHTS.id('handle')
const isOver = (state: number | null) => state === S.recovered
const text = (unit: 'number' | 'money' | null, value: number | null | undefined) => (value === null || value === undefined ? '' : figureText(unit ?? 'number', value))

/** How alerts look in their list: the screen of each is a click away. */
export default present(alert)({
  cells: {
    value: ({ value, row }) => <span className="figure">{text(row.unit, value)}</span>,
    expected: ({ value, row }) => <span className="figure">{text(row.unit, value)}</span>,
    worst: ({ value, row }) => <span className="figure">{text(row.unit, value)}</span>,
  },
  slots: { head: ({ row }) => <p className="form-alert"><Link to={alertPath(row.id)}>打开详情：前后 24 小时、处理办法、以前类似的告警</Link></p> },
  rowActions: [
    { key: 'ack', first: true, label: '开始处理', grant: handle, visible: (row) => row.state === S.open, run: async (row, { reload }) => { await request('POST', `${alert.api.item}/${row.id}/ack`, { rev: row.rev }); reload() } },
    { key: 'assign', label: '指派', grant: handle, visible: (row) => !isOver(row.state) },
    { key: 'ignore', label: '忽略', grant: handle, visible: (row) => !isOver(row.state) },
    { key: 'silence', label: '静默', grant: MONITOR_RIGHTS.id('silence'), visible: (row) => !isOver(row.state) },
  ],
  dialogs: {
    assign: ({ row, reload, onClose }) => <AssignDialog id={row.id} title={row.title} onClose={onClose} onDone={reload} />,
    ignore: ({ row, reload, onClose }) => <IgnoreDialog id={row.id} title={row.title} onClose={onClose} onDone={reload} />,
    silence: ({ row, reload, onClose }) => <SilenceDialog id={row.id} title={row.title} grouped={Boolean(row.dim)} onClose={onClose} onDone={reload} />,
  },
})
