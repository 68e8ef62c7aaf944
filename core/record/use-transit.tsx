import { App, Form, type FormInstance } from 'antd'
import { createRef } from 'react'
import { request } from '../endpoint/call.tsx'
import { CallError } from '../endpoint/wire.ts'
import { ReasonItem } from '../form/reason-item.tsx'
import type { Resource, Transition } from '../resource/define.ts'
import type { WireRow } from '../resource/endpoints.ts'
import { useSaid } from '../undo/use-said.tsx'

interface Transit {
  /** Asks what a transition needs and runs it. */
  transit: (row: WireRow, transition: Transition) => void
  /** Runs a change, says that it was done, and reads the list again. */
  done: (work: () => Promise<{ undo?: number }>, words: string) => Promise<void>
}

/** How records of a list change their state: each time with the question and the reason that the transition asks for. */
export function useTransit(resource: Resource, reload: () => void): Transit {
  const { modal } = App.useApp()
  const said = useSaid()
  const done = async (work: () => Promise<{ undo?: number }>, words: string) => {
    try {
      said({ words, undo: (await work()).undo })
      reload()
    } catch (error) {
      // The shell has shown the sentence; a row that changed meanwhile is read again.
      if (error instanceof CallError && error.status === 409) reload()
      throw error
    }
  }
  const transit = (row: WireRow, transition: Transition) => {
    const run = (reason?: string) => done(() => request<WireRow>('POST', `${resource.api.item}/${row.id}/${transition.name}`, { reason, rev: row.rev }), `${transition.label}成功`)
    const form = createRef<FormInstance<{ reason: string }>>()
    modal.confirm({
      title: `${transition.label}「${String(row[resource.title] ?? row.id)}」`,
      okText: transition.label,
      okButtonProps: { danger: transition.danger ?? false },
      content: (
        <>
          {transition.confirm && <p>{transition.confirm}</p>}
          {transition.instead && <p className="note">{transition.instead}。</p>}
          {transition.reason && (
            <Form ref={form} layout="vertical">
              <ReasonItem />
            </Form>
          )}
        </>
      ),
      onOk: async () => {
        const filled = await form.current?.validateFields()
        await run(filled?.reason)
      },
    })
  }
  return { transit, done }
}
