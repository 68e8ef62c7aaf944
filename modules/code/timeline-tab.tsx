import { useQuery } from '@tanstack/react-query'
import { Alert, Skeleton, Timeline } from 'antd'
import { request } from '../../core/endpoint/call.tsx'
import { displayKey } from '../../core/field/reference.ts'
import { formatDate, formatTime } from '../../core/field/time.ts'
import type { Change, WireRow } from '../../core/resource/endpoints.ts'
import { CODE_STATUS } from './code-state.ts'
import type { CodeFamily, CodeResource } from './family.ts'

/** Looks at a code are in its log; its life does not consist of them. */
const LOOKS = new Set(['reveal'])

/** What an event says beside its name. */
function detailOf(family: CodeFamily, { after, before, reason }: Change): string[] {
  const holder = Object.keys(family.holderFields).flatMap((key) => {
    const named = after?.[displayKey(key)] ?? (family.holderFields[key]?.kind === 'text' ? after?.[key] : undefined)
    return typeof named === 'string' && named !== '' ? [`${family.holderFields[key]?.label}：${named}`] : []
  })
  const day = (key: string, words: string) => (typeof after?.[key] === 'number' && before?.[key] !== after[key] ? [`${words}：${formatDate(after[key])}`] : [])
  const owner = after?.[displayKey(family.owner.key)]
  return [...holder, ...day('expire_at', '有效期至'), ...day('redeem_before', '兑换截止'), ...(typeof owner === 'string' ? [`归属：${owner}`] : []), ...(reason ? [`原因：${reason}`] : [])]
}

/** The life of a code: made, activated, set free, …, and when it ends. */
export function TimelineTab({ family, row }: { family: CodeFamily; row: WireRow<CodeResource> }) {
  const { data, error, isPending } = useQuery({
    queryKey: ['history', family.code.name, row.id, row.rev], queryFn: ({ signal }) => request<{ items: Change[] }>('GET', `${family.code.api.item}/${row.id}/history`, {}, { signal }),
  })
  if (error) return <Alert type="error" title={error.message} />
  if (isPending) return <Skeleton active />
  const events = data.items.filter(({ action }) => !LOOKS.has(action)).reverse()
  const end = row.status === CODE_STATUS.unused ? ['兑换截止', row.redeem_before] as const : row.status === CODE_STATUS.used ? ['到期', row.expire_at] as const : undefined
  return (
    <Timeline items={[
      { key: 'made', color: 'gray', content: <><b>生成</b>　{row.created_by_name ?? '系统'}　<span className="figure">{formatTime(row.created_at)}</span></> },
      ...events.map((event) => ({
        key: event.id,
        content: <><div><b>{event.action_name}</b>　{event.staff_name ?? '系统'}　<span className="figure">{formatTime(event.at)}</span></div>{detailOf(family, event).map((line) => <div key={line}>{line}</div>)}</>,
      })),
      // What was taken over from elsewhere has no log of its own.
      ...(typeof row.activated_at === 'number' && !events.some(({ action }) => action === 'code_activate')
        ? [{ key: 'activated', content: <><b>激活</b>　<span className="figure">{formatTime(row.activated_at)}</span></> }] : []),
      ...(end && typeof end[1] === 'number' ? [{ key: 'end', color: 'gray', content: <span className="note">{end[0]}　<span className="figure">{formatDate(end[1])}</span></span> }] : []),
    ]} />
  )
}
