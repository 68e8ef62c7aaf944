import { App, Form, type FormInstance } from 'antd'
import { createRef } from 'react'
import { request } from '../endpoint/call.tsx'
import { CallError } from '../endpoint/wire.ts'
import { ReasonItem } from '../form/reason-item.tsx'
import { transitionGrant, type Resource, type Transition } from '../resource/define.ts'
import type { WireRow } from '../resource/endpoints.ts'
import type { RowAction, RowTools } from '../resource/present.tsx'
import { useCan } from '../session/staff-context.tsx'
import { useRemoval } from './use-removal.tsx'
import { RowMenu, type RowItem } from './row-menu.tsx'

interface RowActionsProps {
  resource: Resource
  row: WireRow
  more: readonly RowAction[]
  onOpen: (row: WireRow) => void
  onEdit: (row: WireRow) => void
  tools: RowTools
}

/** Shown directly; the rest waits under 更多 (domain 0.3). */
const DIRECT = 2

/** What can be done with a row: exactly what the server said this person may do now. */
export function RowActions({ resource, row, more, onOpen, onEdit, tools }: RowActionsProps) {
  const { message, modal } = App.useApp()
  const can = useCan()
  const removal = useRemoval()
  const { reload } = tools
  const name = String(row[resource.title] ?? row.id)

  const done = async (work: () => Promise<unknown>, words: string) => {
    try {
      await work()
      void message.success(words)
      reload()
    } catch (error) {
      // The shell has shown the sentence; a row that changed meanwhile is read again.
      if (error instanceof CallError && error.status === 409) reload()
      throw error
    }
  }
  const transit = (transition: Transition) => {
    const run = (reason?: string) => done(() => request('POST', `${resource.api.item}/${row.id}/${transition.name}`, { reason, rev: row.rev }), `${transition.label}成功`)
    const form = createRef<FormInstance<{ reason: string }>>()
    modal.confirm({
      title: `${transition.label}「${name}」`,
      okText: transition.label,
      okButtonProps: { danger: transition.danger ?? false },
      content: (
        <>
          {transition.confirm && <p>{transition.confirm}</p>}
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
  const remove = () => {
    const path = `${resource.api.item}/${row.id}`
    // A call that fails has said why.
    removal({ path, name, run: () => done(() => request('DELETE', path, { rev: row.rev }), '删除成功') }).catch(() => undefined)
  }

  /** Whether an action stands in the row: the person may do it, or holds the right and is told why not now. */
  const offered = (action: string, right: number | undefined): { refused: string | undefined }[] => {
    const refused = row.cannot?.[action]
    return row.can.includes(action) || (refused !== undefined && right !== undefined && can(right)) ? [{ refused }] : []
  }
  const own = more.filter((action) => (action.grant === undefined || can(action.grant)) && (action.visible?.(row) ?? true)).map((action) => ({
    key: action.key, label: action.label, danger: action.danger ?? false, refused: row.cannot?.[action.key], first: action.first ?? false, run: () => (action.run ? void action.run(row, tools) : tools.open(action.key, row)),
  }))
  const items: RowItem[] = [
    { key: 'open', label: '详情', danger: false, run: () => onOpen(row) },
    ...own.filter(({ first }) => first),
    ...offered('edit', resource.actions.update).map((refused) => ({ key: 'edit', label: '编辑', danger: false, ...refused, run: () => onEdit(row) })),
    ...own.filter(({ first }) => !first),
    ...resource.transitions.flatMap((transition) => offered(transition.name, transitionGrant(resource, transition)).map((refused) => ({
      key: transition.name, label: transition.label, danger: transition.danger ?? false, ...refused, run: () => transit(transition),
    }))),
    ...offered('remove', resource.actions.remove).map((refused) => ({ key: 'remove', label: '删除', danger: true, ...refused, run: remove })),
  ]
  const direct = items.length <= DIRECT + 1 ? items : items.slice(0, DIRECT)
  const rest = items.slice(direct.length)
  return (
    <span className="row-actions">
      {direct.map((item) => <button key={item.key} type="button" className="row-action" data-danger={item.danger} disabled={item.refused !== undefined} title={item.refused} onClick={item.run}>{item.label}</button>)}
      {rest.length > 0 && <RowMenu label={`「${name}」的更多操作`} items={rest} />}
    </span>
  )
}
