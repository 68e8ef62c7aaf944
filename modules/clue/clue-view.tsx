import { useQuery } from '@tanstack/react-query'
import { Button, Empty, Skeleton, Timeline } from 'antd'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { choiceLabel } from '../../core/field/choice.ts'
import { briefTime, formatTime } from '../../core/field/time.ts'
import { useAttempt } from '../../core/form/use-attempt.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { present, type BulkProps } from '../../core/resource/present.tsx'
import { useCan, useStaff } from '../../core/session/staff-context.tsx'
import { useSaid } from '../../core/undo/use-said.tsx'
import { ClueBoard } from './board.tsx'
import { claimClue, clueStory, WAYS } from './calls.ts'
import { clue, CLUE_PATH, CLUE_RIGHTS } from './clue.ts'
import { AssignDialog, FollowDialog, ReleaseDialog } from './dialogs.tsx'
import { LIVING } from './stage.ts'
import './clue.css'

const CAUSES: Readonly<Record<string, string>> = { own: '录入', claim: '领取', assign: '分配' }

/** 列表, 看板, 今日待跟进, 公海: ways to look at the clues. */
function Views({ on }: { on: string }) {
  const staff = useStaff()
  const living = LIVING.map((stage) => `stage=${stage}`).join('&')
  const views = [['', '列表', CLUE_PATH], ['board', '看板', `${CLUE_PATH}?show=board`], ['today', '今日待跟进', `${CLUE_PATH}?view=today&owner_id=${staff.id}`], ['mine', '我的线索', `${CLUE_PATH}?owner_id=${staff.id}&${living}`], ['falling', '即将掉公海', `${CLUE_PATH}?view=falling&owner_id=${staff.id}`], ['pool', '公海', `${CLUE_PATH}?view=pool`]] as const
  return <nav className="view-links" aria-label="视图">{views.map(([key, label, to]) => <Link key={key} to={to} data-on={key === on}>{label}</Link>)}</nav>
}

/** What was said with somebody, and who had them. */
function Story({ id, rev }: { id: number; rev: number }) {
  const { data } = useQuery({ queryKey: ['clue-story', id, rev], queryFn: ({ signal }) => call(clueStory, undefined, { params: { id }, signal, quiet: true }) })
  if (!data) return <Skeleton active />
  return (
    <>
      <h4>跟进</h4>
      {data.follows.length === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有跟进" /> : <Timeline items={data.follows.map((one) => ({ key: one.id, content: <><b>{choiceLabel(WAYS, one.way)}</b>　{one.staff_name}　<span className="note">{briefTime(one.at)}</span><p>{one.body}</p></> }))} />}
      <h4>归属</h4>
      {data.owners.length === 0 ? <p className="note">一直在公海</p> : <Timeline items={data.owners.map((one) => ({ key: one.id, content: <>{one.staff_name}（{CAUSES[one.cause] ?? one.cause}）　<span className="note">{formatTime(Math.floor(one.from_at)).slice(5, 16)} 至 {one.to_at === null ? '今' : formatTime(Math.floor(one.to_at)).slice(5, 16)}</span>{one.note && <p className="note">{one.note}</p>}</> }))} />}
    </>
  )
}

function Bulk({ selected, query, many, onDone }: BulkProps) {
  const can = useCan()
  const [shown, setShown] = useState(false)
  // An advisor is given those that somebody chose, not whatever filters leave.
  if (!can(CLUE_RIGHTS.id('assign')) || query) return null
  return <><Button size="small" onClick={() => setShown(true)}>分配</Button>{shown && <AssignDialog ids={selected} many={many} onClose={() => setShown(false)} onDone={onDone} />}</>
}

/** Takes a clue out of the pool. */
function Claim({ id, name, onDone }: { id: number; name: string; onDone: () => void }) {
  const said = useSaid()
  const { busy, attempt } = useAttempt()
  return (
    <div className="form-alert">
      <Button type="primary" loading={busy} onClick={() => void attempt(async () => { const { protect_until } = await call(claimClue, undefined, { params: { id }, quiet: true }); said({ words: `已领取「${name}」，保护至 ${formatTime(protect_until).slice(5, 16)}` }); onDone() })}>领取这条线索</Button>
    </div>
  )
}

const isLiving = (stage: number | null) => LIVING.includes(stage ?? 0)

/** How clues look in their list: who has them, what was said, what comes next. */
const presentation = present(clue)({
  slots: {
    bulk: Bulk,
    above: ({ query }) => <Views on={query['view']?.[0] ?? (query['owner_id'] ? 'mine' : '')} />,
    details: [{ key: 'story', label: '跟进与归属', Content: ({ row, reload }) => (
      <>
        {row.owner_id === null && isLiving(row.stage) && row.can.includes('edit') && <Claim id={row.id} name={row.name} onDone={reload} />}
        <Story id={row.id} rev={row.rev} />
      </>
    ) }],
  },
  rowActions: [
    { key: 'follow', first: true, label: '跟进', grant: clue.actions.edit ?? 0, visible: (row) => isLiving(row.stage) },
    { key: 'claim', label: '领取', grant: CLUE_RIGHTS.id('claim'), visible: (row) => row.owner_id === null && isLiving(row.stage), run: async (row, { reload }) => { await call(claimClue, undefined, { params: { id: row.id } }); reload() } },
    { key: 'assign', label: '分配', grant: CLUE_RIGHTS.id('assign'), visible: (row) => isLiving(row.stage) },
    { key: 'release', label: '放回公海', grant: CLUE_RIGHTS.id('claim'), visible: (row) => row.owner_id !== null && isLiving(row.stage) },
  ],
  dialogs: {
    follow: ({ row, reload, onClose }) => <FollowDialog id={row.id} name={row.name} onClose={onClose} onDone={reload} />,
    assign: ({ row, reload, onClose }) => <AssignDialog ids={[row.id]} many={row.name} onClose={onClose} onDone={reload} />,
    release: ({ row, reload, onClose }) => <ReleaseDialog id={row.id} name={row.name} onClose={onClose} onDone={reload} />,
  },
})

export default presentation

/** 线索: the list, or the board. */
export function ClueScreen() {
  const [search] = useSearchParams()
  if (search.get('show') === 'board') return <section className="page-body"><Views on="board" /><ClueBoard /></section>
  return <ListPage resource={clue} presentation={presentation} />
}
