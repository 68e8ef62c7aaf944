import { useQueryClient } from '@tanstack/react-query'
import { App, Button, Dropdown, Form } from 'antd'
import { useNavigate } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { CallError } from '../../../core/endpoint/wire.ts'
import { ReasonItem } from '../../../core/form/reason-item.tsx'
import { changeBasket, movePractice, type PracticeCard } from '../bank/calls.ts'
import { editorPath } from '../bank/practice.ts'
import { EDGES, type Edge, type EdgeName } from '../bank/state.ts'
import { revisePractice } from '../verify/calls.ts'
import { practiceQuery } from './use-practice.tsx'

/** How long a question that was read because somebody pointed at it need not be read for that again, in milliseconds. */
const NEAR = 10_000

/** Everything that shows questions reads them again. */
export function useReloadPractices(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await Promise.all(['practices', 'practice', 'practice-basket', 'labels', 'verify-queue'].map((key) => client.invalidateQueries({ queryKey: [key] })))
  }
}

/**
 * Asks what an edge needs to know, takes a question along it and says what happened.
 * @param onRefused shows what is wrong with the question, by its places; it is listed in a dialog unless given
 */
export function useMove(onRefused?: (faults: Readonly<Record<string, string>>) => void): (row: PracticeCard, name: EdgeName) => void {
  const { message, modal } = App.useApp()
  const [form] = Form.useForm<{ reason: string }>()
  const reload = useReloadPractices()
  return (row, name) => {
    const edge: Edge = EDGES[name]
    const run = async (reason?: string) => {
      try {
        await call(movePractice, { action: name, rev: row.rev, ...(reason && { reason }) }, { params: { id: row.id } })
        void message.success(`${edge.label}成功`)
      } catch (failure) {
        const faults = failure instanceof CallError ? Object.values(failure.fields) : []
        if (onRefused && failure instanceof CallError && faults.length > 0) onRefused(failure.fields)
        else if (faults.length > 0) modal.error({ title: `${row.no} 还不能${edge.label}，有 ${faults.length} 处要改`, okText: '知道了', content: <ul className="reasons">{faults.map((fault) => <li key={fault}>{fault}</li>)}</ul> })
        throw failure
      } finally {
        await reload()
      }
    }
    if (!edge.reason) return void run().catch(() => undefined)
    form.resetFields()
    modal.confirm({
      title: `${edge.label} ${row.no}`, okText: edge.label, okButtonProps: { danger: true },
      content: (
        <Form form={form} layout="vertical">
          <ReasonItem />
        </Form>
      ),
      onOk: async () => run((await form.validateFields()).reason),
    })
  }
}

/** Puts a question into the basket or takes it out. */
export function useBasketSwitch(): (row: Pick<PracticeCard, 'id' | 'in_basket'>) => Promise<void> {
  const client = useQueryClient()
  return async (row) => {
    await call(changeBasket, row.in_basket ? { remove: [row.id] } : { add: [row.id] })
    await Promise.all([client.invalidateQueries({ queryKey: ['practice-basket'] }), client.invalidateQueries({ queryKey: ['practices'] })])
  }
}

/** Buttons for what this person may do with a question now: two in sight, the rest behind 更多. */
export function PracticeActions({ row, canOpen, onRefused }: { row: PracticeCard; canOpen: boolean; onRefused?: Parameters<typeof useMove>[0] }) {
  const move = useMove(onRefused)
  const navigate = useNavigate()
  const client = useQueryClient()
  const edges = (Object.keys(EDGES) as EdgeName[]).filter((name) => row.can.includes(name))
  const reload = useReloadPractices()
  const revise = async () => {
    const draft = await call(revisePractice, undefined, { params: { id: row.id } })
    await reload()
    void navigate(editorPath(draft.level, 'back', draft.id))
  }
  const open = () => void navigate(editorPath(row.level, row.pool, row.id))
  // A person who points at it opens it in a moment.
  const near = () => void client.prefetchQuery({ ...practiceQuery(row.id), staleTime: NEAR })
  const items = [
    ...(canOpen ? [{ key: 'open', label: row.can.includes('edit') ? '编辑' : '详情', danger: false, run: open, near }] : []),
    ...(['revise', 'open_revision'] as const).filter((name) => row.can.includes(name)).map((name) => ({ key: name as string, label: name === 'revise' ? '修订' : '打开修订稿', danger: false, run: () => void revise().catch(() => undefined) })),
    ...edges.map((name) => ({ key: name as string, label: EDGES[name].label as string, danger: 'reason' in EDGES[name], run: () => move(row, name) })),
  ]
  const direct = items.slice(0, items.length > 3 ? 2 : 3)
  const rest = items.slice(direct.length)
  return (
    <>
      {direct.map((item) => <Button key={item.key} size="small" type="link" danger={item.danger} onClick={item.run} {...('near' in item && { onPointerEnter: item.near, onFocus: item.near })}>{item.label}</Button>)}
      {rest.length > 0 && (
        <Dropdown trigger={['click']} menu={{ items: rest.map(({ key, label, danger }) => ({ key, label, danger })), onClick: ({ key }) => rest.find((item) => item.key === key)?.run() }}>
          <Button size="small" type="link" aria-label={`${row.no} 的更多操作`}>更多</Button>
        </Dropdown>
      )}
    </>
  )
}
