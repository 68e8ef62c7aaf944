import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Input, Popover, Segmented, Space, type InputRef } from 'antd'
import type { TextAreaRef } from 'antd/es/input/TextArea'
import { useRef, useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { CallError } from '../../core/endpoint/wire.ts'
import { useAttempt } from '../../core/form/use-attempt.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { usePageKeys } from '../../core/ui/use-page-keys.tsx'
import { cannedReplies, dropCanned, keepCanned, replyTicket, type CannedReply, type TicketMessage } from './calls.ts'
import { TICKET_RIGHTS } from './ticket.ts'

const focus = (box: InputRef | null) => box?.focus()

/** Answers given often: the one that is chosen comes in at the cursor. */
function Canned({ words, onPick }: { words: string; onPick: (body: string) => void }) {
  const can = useCan()
  const { data, refetch } = useQuery({ queryKey: ['canned'], queryFn: ({ signal }) => call(cannedReplies, undefined, { signal, quiet: true }) })
  const [find, setFind] = useState('')
  const [code, setCode] = useState('')
  const [at, setAt] = useState(0)
  const { busy, attempt } = useAttempt()
  const shown = (data?.items ?? []).filter((one) => one.code.includes(find) || one.body.includes(find))
  const pick = (one: CannedReply | undefined) => one && onPick(one.body)
  return (
    <div>
      <Input ref={focus} value={find} placeholder="按快捷码或内容查找" aria-label="查找常用回复" onChange={(event) => { setFind(event.target.value); setAt(0) }}
        onKeyDown={(event) => { if (event.key === 'Enter') { event.preventDefault(); pick(shown[at]) } else if (event.key === 'ArrowDown') setAt(Math.min(at + 1, shown.length - 1)); else if (event.key === 'ArrowUp') setAt(Math.max(at - 1, 0)) }} />
      <ul className="ticket-canned">
        {shown.length === 0 && <li className="note">没有匹配的常用回复</li>}
        {shown.map((one, index) => (
          <li key={one.id} data-on={index === at}>
            <button type="button" title={one.body} onClick={() => pick(one)}><b>{one.code}</b>　{one.body}</button>
            {can(TICKET_RIGHTS.id('canned')) && <Button size="small" type="text" danger loading={busy} aria-label={`删除常用回复 ${one.code}`} onClick={() => void attempt(async () => { await call(dropCanned, undefined, { params: { id: one.id }, quiet: true }); await refetch() })}>删除</Button>}
          </li>
        ))}
      </ul>
      {can(TICKET_RIGHTS.id('canned')) && words.trim() !== '' && (
        <Space.Compact><Input value={code} maxLength={20} placeholder="快捷码" aria-label="快捷码" onChange={(event) => setCode(event.target.value)} /><Button loading={busy} disabled={code.trim() === ''} onClick={() => void attempt(async () => { await call(keepCanned, { code: code.trim(), body: words.trim() }, { quiet: true }); setCode(''); await refetch() })}>保存当前内容</Button></Space.Compact>
      )}
    </div>
  )
}

interface Props {
  id: number
  /** Id of the newest message that stands above. */
  seen: number
  onWriting: (writes: boolean) => void
  onSent: (solved: boolean) => void
}

/** Where an answer or a note is written. What was said meanwhile stands above the draft, which stays. */
export function Composer({ id, seen, onWriting, onSent }: Props) {
  const draftKey = `ticket-draft ${id}`
  const [words, setWords] = useState(() => sessionStorage.getItem(draftKey) ?? '')
  const [note, setNote] = useState(false)
  const [open, setOpen] = useState(false)
  const [news, setNews] = useState<{ sentence: string; items: readonly TicketMessage[] }>()
  // Sent again under the same key, it is one message.
  const key = useRef(crypto.randomUUID())
  const area = useRef<TextAreaRef>(null)
  const { busy, attempt } = useAttempt()
  usePageKeys({ a: () => area.current?.focus(), '/': () => setOpen(true) })
  const write = (text: string) => {
    setWords(text)
    sessionStorage.setItem(draftKey, text)
    onWriting(text.trim() !== '' && !note)
  }
  const insert = (body: string) => {
    const box = area.current?.resizableTextArea?.textArea
    const at = box?.selectionStart ?? words.length
    write(`${words.slice(0, at)}${body}${words.slice(box?.selectionEnd ?? at)}`)
    setOpen(false)
  }
  const send = (next: 'stay' | 'wait' | 'solve', seenId = seen) => {
    if (words.trim() === '' || busy) return
    void attempt(async () => {
      try {
        await call(replyTicket, { body: words, note, seen_id: seenId, next: note ? 'stay' : next, client_key: key.current }, { params: { id }, quiet: true })
      } catch (error) {
        if (!(error instanceof CallError) || !Array.isArray(error.body['news'])) throw error
        return setNews({ sentence: error.message, items: error.body['news'] as TicketMessage[] })
      }
      key.current = crypto.randomUUID()
      setNews(undefined)
      write('')
      onSent(next === 'solve' && !note)
    })
  }
  return (
    <div className="ticket-write" data-note={note}>
      {news && <Alert type="warning" showIcon title={news.sentence} description={news.items.map((one) => <p key={one.id}><b>{one.side === 'user' ? '用户' : one.staff_name}</b>：{one.body}</p>)}
        action={<Button size="small" onClick={() => send('stay', news.items.at(-1)?.id ?? seen)}>看过了，仍然发送</Button>} />}
      <Segmented value={note ? 'note' : 'reply'} options={[{ value: 'reply', label: '回复用户' }, { value: 'note', label: '内部备注' }]} onChange={(value) => setNote(value === 'note')} />
      <Input.TextArea ref={area} aria-label={note ? '内部备注' : '回复'} value={words} maxLength={500} showCount autoSize={{ minRows: 3, maxRows: 8 }} placeholder={note ? '只有同事看得到' : 'Ctrl + Enter 发送，Alt + Enter 发送并标为已解决，输入 / 插入常用回复'}
        onBlur={() => onWriting(false)} onChange={(event) => write(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey || event.altKey)) { event.preventDefault(); send(event.altKey ? 'solve' : 'stay') }
          else if (event.key === '/' && !note && (words === '' || /\s$/.test(words))) { event.preventDefault(); setOpen(true) }
        }} />
      <Space wrap>
        <Button type="primary" loading={busy} disabled={words.trim() === ''} onClick={() => send('stay')}>{note ? '保存备注' : '发送'}</Button>
        {!note && <Button disabled={busy || words.trim() === ''} onClick={() => send('wait')}>发送并等待用户</Button>}
        {!note && <Button disabled={busy || words.trim() === ''} onClick={() => send('solve')}>发送并解决</Button>}
        {!note && <Popover trigger="click" open={open} onOpenChange={setOpen} afterOpenChange={(shown) => { if (!shown) area.current?.focus() }} destroyOnHidden content={<Canned words={words} onPick={insert} />}><Button>常用回复</Button></Popover>}
      </Space>
    </div>
  )
}
