import { useQueryClient } from '@tanstack/react-query'
import { Popover } from 'antd'
import { useEffect, useRef, useState, type FocusEvent, type KeyboardEvent } from 'react'
import { request } from '../endpoint/call.tsx'
import { CallError } from '../endpoint/wire.ts'
import { checkValue } from '../field/check.ts'
import { viewOf } from '../field/views.tsx'
import { changedKeys } from '../record/draft.ts'
import { showValues } from '../record/show-values.ts'
import type { Resource } from '../resource/define.ts'
import type { WireRow } from '../resource/endpoints.ts'
import { useSaid } from '../undo/use-said.tsx'

interface Props {
  resource: Resource
  row: WireRow
  name: string
  /** After it was saved, or given up. @param by where to go on, for whoever left by Tab */
  onDone: (by?: 1 | -1) => void
  onSaved: () => void
}

/**
 * A value changed where it stands in the list, by the rules and the call of the form: Enter, Tab or leaving saves, Esc gives up.
 * What is refused stays, with the sentence that says why.
 */
export function CellEditor({ resource, row, name, onDone, onSaved }: Props) {
  const field = resource.fields[name]
  const view = field && viewOf(field).inCell
  const said = useSaid()
  const client = useQueryClient()
  const box = useRef<HTMLSpanElement>(null)
  const typed = useRef(row[name] ?? null)
  const over = useRef(false)
  const [value, setValue] = useState(row[name] ?? null)
  const [problem, setProblem] = useState<string>()
  // The input of some kinds is fetched first.
  useEffect(() => {
    const focus = () => {
      const input = box.current?.querySelector<HTMLInputElement>('input:not([disabled])')
      input?.focus()
      input?.select()
      return input !== undefined && input !== null
    }
    if (focus() || !box.current) return
    const watch = new MutationObserver(() => { if (focus()) watch.disconnect() })
    watch.observe(box.current, { childList: true, subtree: true })
    return () => watch.disconnect()
  }, [])
  if (!field || !view) return null

  const leave = (by?: 1 | -1) => {
    over.current = true
    onDone(by)
  }
  const save = async (by?: 1 | -1) => {
    if (over.current) return
    if (changedKeys([name], row, { [name]: typed.current }).length === 0) return leave(by)
    const checked = checkValue(field, typed.current)
    if ('message' in checked) return setProblem(checked.message)
    over.current = true
    try {
      const saved = await request<WireRow>('PUT', `${resource.api.item}/${row.id}`, { [name]: checked.value, rev: row.rev }, { keepEmpty: true, quiet: true })
      showValues(client, resource, row.id, saved)
      said({ words: '已保存', undo: saved.undo })
      onSaved()
      onDone(by)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      over.current = false
      setProblem(error.fields[name] ?? error.message)
      // What somebody else changed meanwhile is shown, and what was typed stands beside it.
      if (error.status === 409) onSaved()
    }
  }
  const change = (next: unknown) => {
    typed.current = next ?? null
    setValue(next ?? null)
    setProblem(undefined)
    if (view.picked) void save()
  }
  const keys = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    event.stopPropagation()
    if (event.key === 'Escape') leave()
    else if (event.key === 'Tab') {
      event.preventDefault()
      void save(event.shiftKey ? -1 : 1)
    } else if (event.key === 'Enter' && !view.picked) void save()
  }
  const blurred = (event: FocusEvent) => {
    if (!over.current && !box.current?.contains(event.relatedTarget)) void (view.picked ? leave() : save())
  }
  return (
    <Popover open={problem !== undefined} content={<span role="alert">{problem}</span>} placement="bottomLeft">
      <span ref={box} role="presentation" className="cell-editor" onKeyDown={keys} onBlur={blurred} onClick={(event) => event.stopPropagation()} onDoubleClick={(event) => event.stopPropagation()}>
        <view.Input field={field} name={name} values={row} value={value} onChange={change} />
      </span>
    </Popover>
  )
}
