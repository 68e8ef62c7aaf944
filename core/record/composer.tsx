import { FlagOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { App, Button, DatePicker, Mentions, Select } from 'antd'
import type { Dayjs } from 'dayjs'
import { useDeferredValue, useState } from 'react'
import { discussionEndpoints, LONGEST } from '../discussion/calls.ts'
import { call } from '../endpoint/call.tsx'
import { CallError } from '../endpoint/wire.ts'
import type { Resource } from '../resource/define.ts'
import { useStaff } from '../session/staff-context.tsx'
import { ERROR_TOAST_MS } from '../ui/toast.ts'

/** Says something about a record, asks colleagues by @ to look, and sets who does something about it until when. */
export function Composer({ resource, id, onSaid }: { resource: Resource; id: number; onSaid: () => void }) {
  const { id: me, name: myName } = useStaff()
  const { message } = App.useApp()
  const [body, setBody] = useState('')
  const [looked, setLooked] = useState<string>()
  const [named, setNamed] = useState<readonly { id: number; name: string }[]>([])
  const [follow, setFollow] = useState<{ at: Dayjs | null; staff: number }>()
  const [busy, setBusy] = useState(false)
  const { people, say } = discussionEndpoints(resource)
  const words = useDeferredValue(looked)
  const { data, isFetching } = useQuery({
    queryKey: ['people', resource.name, id, words ?? ''], enabled: words !== undefined || follow !== undefined, staleTime: 60_000,
    queryFn: ({ signal }) => call(people, words ? { keyword: words } : {}, { params: { id }, signal, quiet: true }),
  })
  const found = data?.items ?? []
  const send = async () => {
    if (body.trim() === '' || busy || (follow && !follow.at)) return
    setBusy(true)
    try {
      const mentions = named.filter(({ name }) => body.includes(`@${name}`)).map((one) => one.id)
      await call(say, { body, ...(mentions.length > 0 && { mentions: [...new Set(mentions)] }), ...(follow?.at && { follow_up: { at: follow.at.unix(), staff_id: follow.staff } }) }, { params: { id } })
      setBody('')
      setNamed([])
      setFollow(undefined)
      onSaid()
    } catch (error) {
      // What was typed stays. The shell says what concerns no field.
      if (error instanceof CallError && Object.keys(error.fields).length > 0) void message.error(error.message, ERROR_TOAST_MS / 1000)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="composer">
      <Mentions aria-label="写讨论" placeholder="写讨论，@ 提醒同事" value={body} maxLength={LONGEST} autoSize={{ minRows: 1, maxRows: 6 }} variant="borderless" loading={isFetching} filterOption={false}
        onChange={setBody} onSearch={setLooked} onSelect={({ value }) => setNamed([...named, ...found.filter(({ name }) => name === value).slice(0, 1)])}
        options={found.map((one) => ({ key: String(one.id), value: one.name, label: one.name }))}
        onKeyDown={(event) => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) { event.preventDefault(); void send() } }} />
      <div className="composer-foot">
        {follow ? (
          <>
            <Select size="small" aria-label="谁跟进" value={follow.staff} onChange={(staff) => setFollow({ ...follow, staff })} options={[{ value: me, label: `${myName}（自己）` }, ...found.map((one) => ({ value: one.id, label: one.name }))]} />
            <DatePicker size="small" showTime={{ format: 'HH:mm' }} format="MM-DD HH:mm" aria-label="跟进时间" placeholder="什么时候前" value={follow.at} onChange={(at) => setFollow({ ...follow, at })} />
            <Button size="small" type="text" onClick={() => setFollow(undefined)}>不跟进</Button>
          </>
        ) : <Button size="small" type="text" icon={<FlagOutlined />} onClick={() => setFollow({ at: null, staff: me })}>设跟进</Button>}
        <Button size="small" type="primary" ghost disabled={body.trim() === '' || (follow !== undefined && !follow.at)} loading={busy} onClick={() => void send()}>发送</Button>
      </div>
    </div>
  )
}
