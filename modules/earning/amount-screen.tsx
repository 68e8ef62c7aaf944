import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Segmented, Statistic } from 'antd'
import { useEffect, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { formatMoney } from '../../core/field/number.ts'
import { Picker } from '../../core/field/reference.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { PageParams } from '../../core/list/use-list.tsx'
import { present, type RowDialogProps } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { companionTeacher } from '../companion/module.ts'
import { payTeacher, teacherCalls, teacherSums, type AmountSums } from './calls.ts'
import { ExplainTab } from './explain-view.tsx'
import { AdjustDialog, PayDialog, SettleButton } from './settle-dialogs.tsx'
import { SETTLEMENT } from './settlement.ts'
import { AMOUNT_RIGHTS, teacherEarning, teacherSettlement } from './teacher-lines.ts'
import './earning.css'

const PATH = '/accompany/operation/teacher/amount'
const LAST = 'amount teacher'
/** What of the address says whose money is shown. */
const OWN = ['teacher_id']

/** domain 1.12: what of a teacher's money is looked at; the last one are the settlements themselves. */
const TYPES: readonly { value: string; label: string; sum?: keyof AmountSums; fixed?: Readonly<Record<string, readonly string[]>> }[] = [
  { value: '1', label: '应结', sum: 'owed', fixed: { settlement_id_is: ['empty'] } },
  { value: '2', label: '已结', sum: 'settled', fixed: { phase: ['settled'] } },
  { value: '3', label: '待审', sum: 'auditing', fixed: { phase: ['settling'] } },
  { value: '4', label: '扣减', sum: 'deducted', fixed: { phase: ['back'] } },
  { value: '5', label: '结算单' },
]

const lessons = (row: { source_kind: string }, value: number | null) => ({ lesson: `${value ?? 0} 节`, month: `${value ?? 0} 天` }[row.source_kind] ?? '')

const earningView = present(teacherEarning)({
  cells: {
    base: ({ value, row }) => lessons(row, value),
    rate: ({ value, row }) => (row.source_kind === 'adjust' ? '' : formatMoney(value ?? 0)),
  },
  slots: { details: [{ key: 'explain', label: '怎么算的', Content: ({ row }) => <ExplainTab of={teacherCalls.explain} id={row.id} /> }] },
})

const Lines = ({ row }: { row: { id: number } }) => <ListPage resource={teacherEarning} presentation={earningView} embedded={{ fixed: { settlement_id: [String(row.id)] } }} />

const Pay = ({ row, reload, onClose }: RowDialogProps<typeof teacherSettlement>) => (
  <PayDialog of={payTeacher} id={row.id} title={`打款 · ${row.no}`} note={`${row.account_name ?? ''}，${row.line_cnt} 条明细，${formatMoney(row.amount)}`} reload={reload} onClose={onClose} />
)

export const teacherSettlementView = present(teacherSettlement)({
  slots: { details: [{ key: 'lines', label: '明细', Content: Lines }] },
  rowActions: [{ key: 'pay', label: '打款', first: true, grant: AMOUNT_RIGHTS.id('pay'), visible: (row) => row.status === SETTLEMENT.paying }],
  dialogs: { pay: Pay },
})

/** 教师金额: what teachers are owed, what was settled, what waits and what was taken off; each line says its sum, and the header is their sum. */
export default function AmountScreen() {
  const { amountType = '1' } = useParams()
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const can = useCan()
  const client = useQueryClient()
  const [adjusting, setAdjusting] = useState(false)
  const asked = Number(search.get('teacher_id')) || undefined
  const id = asked ?? (Number(sessionStorage.getItem(LAST)) || undefined)
  useEffect(() => {
    if (asked !== undefined) sessionStorage.setItem(LAST, String(asked))
  }, [asked])
  const type = TYPES.find(({ value }) => value === amountType) ?? TYPES[0]
  const { data: sums } = useQuery({ queryKey: ['teacher-sums', id], queryFn: ({ signal }) => call(teacherSums, id === undefined ? {} : { account_id: id }, { signal, quiet: true }), staleTime: 0 })
  const reload = () => { void client.invalidateQueries({ queryKey: ['list'] }); void client.invalidateQueries({ queryKey: ['teacher-sums'] }) }
  const go = (next: string, teacher: number | undefined) => {
    if (teacher === undefined) sessionStorage.removeItem(LAST)
    void navigate(`${PATH}/${next}${teacher === undefined ? '' : `?teacher_id=${teacher}`}`)
  }
  const who: Readonly<Record<string, readonly string[]>> = id === undefined ? {} : { account_id: [String(id)] }
  return (
    <section aria-label="教师金额">
      <div className="lists-switch">
        <Picker target={companionTeacher} label="教师" id={undefined} value={id} onChange={(picked) => go(type?.value ?? '1', picked ?? undefined)} placeholder="全部教师" />
        <Segmented aria-label="金额类型" options={TYPES.map(({ value, label }) => ({ value, label }))} value={type?.value ?? '1'} onChange={(next) => go(next, id)} />
        {can(AMOUNT_RIGHTS.id('settle')) && <SettleButton key={id} of={teacherCalls.settle} owner={companionTeacher} accountId={id} reload={reload} />}
        {id !== undefined && can(AMOUNT_RIGHTS.id('adjust')) && <Button onClick={() => setAdjusting(true)}>奖励和扣减</Button>}
      </div>
      <div className="money-sums">{TYPES.map(({ label, sum }) => sum && <Statistic key={sum} title={label} value={formatMoney(sums?.[sum] ?? 0)} />)}</div>
      {type?.fixed ? <ListPage key={`${id} ${type.value}`} resource={teacherEarning} presentation={earningView} embedded={{ fixed: { ...type.fixed, ...who } }} />
        : <PageParams value={OWN}><ListPage key="settlements" resource={teacherSettlement} presentation={teacherSettlementView} /></PageParams>}
      {adjusting && id !== undefined && <AdjustDialog of={teacherCalls.adjust} account={id} name="教师" reload={reload} onClose={() => setAdjusting(false)} />}
    </section>
  )
}
