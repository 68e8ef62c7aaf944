import { Alert, Input, Progress, Space, Table, Tag } from 'antd'
import { MOST_LINES, type ListCheck, type ListRow, type ListState, type QuotaStand } from './calls.ts'
import { splitLines } from './list.ts'
import './market.css'

/** What becomes of lines, in the order in which they are counted. */
const STATES: readonly { state: ListState; label: string; tone: string }[] = [
  { state: 'known', label: '已有账号', tone: 'success' }, { state: 'new', label: '新用户', tone: 'processing' }, { state: 'there', label: '已有权益', tone: 'default' },
  { state: 'twice', label: '重复', tone: 'warning' }, { state: 'bad', label: '不能开通', tone: 'error' },
]
const stateOf = (state: ListState) => STATES.find((one) => one.state === state)

/** How many of a list are opened for. */
export const openCount = ({ counts }: Pick<ListCheck, 'counts'>): number => counts.new + counts.known

/** How much of a quota is used, with what a list would take beside. */
export function QuotaLine({ used, quota, more = 0 }: { used: number; quota: number; more?: number }) {
  const short = used + more > quota
  const percent = (count: number) => (quota === 0 ? (count > 0 ? 100 : 0) : Math.min(100, Math.round((count / quota) * 100)))
  return (
    <span className="quota-line" data-tone={short ? 'bad' : 'ok'}>
      <Progress size="small" showInfo={false} aria-label={`已用 ${used} / ${quota}`} percent={percent(used + more)} success={{ percent: percent(used) }} {...(short && { status: 'exception' as const })} />
      <span>{used} / {quota}</span>
    </span>
  )
}

/** The quota that a list is taken from, in words. */
export function QuotaBar({ quota, more }: { quota: QuotaStand | null; more: number }) {
  if (!quota) return <Alert className="quota-bar" type="warning" showIcon title="本月没有分配名额，提交后须先分配名额才能通过" />
  const after = quota.quota - quota.used - more
  return (
    <div className="quota-bar">
      <span>{quota.staff_name}{quota.month && ` · ${quota.month}`}：在用 {quota.used} 个，本次 {more} 个，{after < 0 ? `还差 ${-after} 个` : `之后剩余 ${after} 个`}</span>
      <QuotaLine used={quota.used} quota={quota.quota} more={more} />
    </div>
  )
}

/** 名单核对: each line told apart, and how many of each kind there are. */
export function ListChecked({ rows, counts }: Pick<ListCheck, 'rows' | 'counts'>) {
  return (
    <>
      <Space wrap aria-live="polite">{STATES.filter(({ state }) => counts[state] > 0).map(({ state, label, tone }) => <Tag key={state} color={tone}>{label} {counts[state]}</Tag>)}</Space>
      <Table<ListRow> className="list-rows" size="small" rowKey="row" pagination={false} scroll={{ y: 260, x: 480 }} dataSource={rows} onRow={({ state }) => ({ 'data-state': state }) as object} columns={[
        { title: '行', dataIndex: 'row', width: 48 }, { title: '手机号', dataIndex: 'mobile', width: 128 }, { title: '姓名', dataIndex: 'name', width: 88, ellipsis: true },
        { title: '结果', width: 96, render: (_value, { state }) => <Tag color={stateOf(state)?.tone ?? 'default'}>{stateOf(state)?.label}</Tag> },
        { title: '说明', dataIndex: 'why' },
      ]} />
    </>
  )
}

/** A list as it is pasted: one person a line. */
export function PasteBox({ id, value = '', onChange }: { id?: string; value?: string; onChange?: (value: string) => void }) {
  const count = splitLines(value).length
  return (
    <>
      <Input.TextArea id={id} className="list-box" aria-label="名单" rows={6} autoComplete="off" spellCheck={false} placeholder={'13900000001 林小满\n13900000002 陈一诺'} value={value} onChange={(event) => onChange?.(event.target.value)} />
      <span className="note">每行一人：手机号，姓名可不填；可从表格粘贴，最多 {MOST_LINES} 行，已填 {count} 行</span>
    </>
  )
}

/** Whether a pasted list can be sent. */
export const pasteProblem = (value: string | undefined): string | undefined => {
  const count = splitLines(value ?? '').length
  return count === 0 ? '请填写名单' : count > MOST_LINES ? `名单一次最多 ${MOST_LINES} 行` : undefined
}
