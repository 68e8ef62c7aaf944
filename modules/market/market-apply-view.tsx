import { PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Skeleton } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { extendPresentation, present, type Presentation } from '../../core/resource/present.tsx'
import { useCan, useStaff } from '../../core/session/staff-context.tsx'
import { presentApplies } from '../apply/door.tsx'
import { APPLY_STATUS, OPEN } from '../apply/module.ts'
import { readList } from './calls.ts'
import { ListChecked, openCount, QuotaBar } from './list-check.tsx'
import { MARKET_PATH, marketApply } from './market-apply.ts'
import { marketUser } from './opening.ts'
import { ReplaceDialog, RequestDialog } from './request-dialog.tsx'

/** 申请开通, in the place of 新增: a request without a list asks for nothing. */
function Main({ reload }: { reload: () => void }) {
  const can = useCan()
  const [open, setOpen] = useState(false)
  if (!can(marketApply.actions.edit)) return null
  return (
    <>
      <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen(true)}>申请开通</Button>
      {open && <RequestDialog onClose={() => setOpen(false)} onDone={reload} />}
    </>
  )
}

/** Who stands on a request that waits, as they stand now, and whether the quota reaches. */
function Waiting({ id, rev }: { id: number; rev: number }) {
  const { data, error, refetch } = useQuery({ queryKey: ['market-list', id, rev], queryFn: ({ signal }) => call(readList, undefined, { params: { id }, signal, quiet: true }), staleTime: 0 })
  if (error) return <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  if (!data) return <Skeleton active />
  return (
    <>
      {data.problems.map((problem) => <Alert key={problem} className="form-alert" type="warning" showIcon title={problem} />)}
      <QuotaBar quota={data.quota} more={openCount(data)} />
      {data.rows.length === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="名单是空的，请先填写名单" /> : <ListChecked {...data} />}
    </>
  )
}

/** The list of a request: judged while it waits, afterwards with what came of each. */
function People({ row }: { row: { id: number; rev: number; status: number | null } }) {
  const can = useCan()
  if (OPEN.includes(row.status ?? 0)) return <Waiting id={row.id} rev={row.rev} />
  if (!can(marketUser.grant)) return <p className="note">没有「市场用户」权限，看不到开通的名单。</p>
  return <ListPage resource={marketUser} embedded={{ fixed: { apply_id: [String(row.id)] } }} />
}

/** Requests of the market: what is asked for, who is on the list, and whether the quota reaches. */
export function presentRequests(): Presentation {
  return extendPresentation(present(marketApply)({
    cells: {
      people_cnt: ({ value }) => <span className="figure">{Number(value ?? 0)} 人</span>,
      in_force: ({ value, row }) => (row.status === APPLY_STATUS.passed ? <Link className="figure" to={`/practiceBook/marketUser?apply_id=${row.id}&state=2`}>{Number(value ?? 0)} 人</Link> : null),
    },
    slots: { main: Main, above: Views, details: [{ key: 'people', label: '名单核对', Content: People }] },
    rowActions: [{ key: 'list', label: '修改名单', grant: marketApply.actions.edit ?? 0, visible: (row) => OPEN.includes(row.status ?? 0) && row.can.includes('edit') }],
    dialogs: { list: ReplaceDialog },
  }), presentApplies({ resource: marketApply, path: MARKET_PATH, pieces: [] }))
}

/** 全部, 待我审核, 我的申请: ways to look at the requests. */
function Views({ query }: { query: Readonly<Record<string, readonly string[]>> }) {
  const staff = useStaff()
  const mine = query['staff_id']?.[0] === String(staff.id)
  const views = [['all', '全部', MARKET_PATH], ['mine', '我的申请', `${MARKET_PATH}?staff_id=${staff.id}`]] as const
  return <nav className="market-views" aria-label="视图">{views.map(([key, label, to]) => <Link key={key} to={to} aria-current={(key === 'mine') === mine ? 'true' : undefined}>{label}</Link>)}</nav>
}

export default presentRequests()
