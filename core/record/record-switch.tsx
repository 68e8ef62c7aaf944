import { useQueryClient } from '@tanstack/react-query'
import { App, Switch } from 'antd'
import { useRef, useState } from 'react'
import { request } from '../endpoint/call.tsx'
import { switchedWords } from '../field/choice.ts'
import type { Resource } from '../resource/define.ts'
import type { WireRow } from '../resource/endpoints.ts'
import type { RowSwitch } from '../resource/switch.ts'
import { useSaid } from '../undo/use-said.tsx'
import { showValues } from './show-values.ts'
import { ERROR_TOAST_MS } from '../ui/toast.ts'

interface Props {
  resource: Resource
  row: WireRow
  name: string
  shown: RowSwitch
  onChanged: () => void
}

/**
 * The switch of a record (spec 4): sends the new value alone and says that it is done. It shows the new value at once, and the
 * old one again when the server refuses. A person who may not use it can still reach it and reads why.
 */
export function RecordSwitch({ resource, row, name, shown: { field, value, transition, refusal }, onChanged }: Props) {
  const { message, modal } = App.useApp()
  const said = useSaid()
  const client = useQueryClient()
  const [sending, setSending] = useState(false)
  const busy = useRef(false)
  const title = String(row[resource.title] ?? row.id)

  const send = async () => {
    if (busy.current) return
    busy.current = true
    setSending(true)
    const next = value === 1 ? 0 : 1
    showValues(client, resource, row.id, { [name]: next })
    try {
      const saved = await request<Partial<WireRow>>('PUT', `${resource.api.item}/${row.id}`, { [name]: next })
      showValues(client, resource, row.id, saved)
      said({ words: switchedWords(field, next), undo: saved.undo })
    } catch {
      // The shell has shown the sentence.
      showValues(client, resource, row.id, { [name]: value })
    } finally {
      busy.current = false
      setSending(false)
      onChanged()
    }
  }
  const press = () => {
    if (refusal) void message.warning({ key: `refused ${refusal}`, content: refusal, duration: ERROR_TOAST_MS / 1000 })
    else if (transition?.confirm) modal.confirm({ title: `${transition.label}「${title}」`, content: transition.confirm, okText: transition.label, onOk: send })
    else void send()
  }
  return (
    <Switch size="small" className="record-switch" checked={value === 1} checkedChildren={field.on} unCheckedChildren={field.off}
      aria-label={`「${title}」的${field.label}${refusal ? `，${refusal}` : ''}`} aria-disabled={refusal !== undefined} aria-busy={sending} title={refusal ?? ''}
      // Arrow keys ask for a value, which may be the present one.
      onChange={(checked) => { if (checked !== (value === 1)) press() }} />
  )
}
