import { EditOutlined, EyeOutlined } from '@ant-design/icons'
import { request } from '../endpoint/call.tsx'
import { transitionGrant, type Resource } from '../resource/define.ts'
import type { WireRow } from '../resource/endpoints.ts'
import type { RowAction, RowTools } from '../resource/present.tsx'
import { useCan } from '../session/staff-context.tsx'
import { useRemoval } from './use-removal.tsx'
import { useTransit } from './use-transit.tsx'
import { RowMenu, type RowItem } from './row-menu.tsx'

interface ActionsProps {
  resource: Resource
  row: WireRow
  more: readonly RowAction[]
  onOpen: (row: WireRow) => void
  onEdit: (row: WireRow) => void
  tools: RowTools
}

/** What can be done with a record: exactly what the server said this person may do now, what comes next before all else. */
export function useRowItems({ resource, row, more, onOpen, onEdit, tools }: ActionsProps): RowItem[] {
  const can = useCan()
  const removal = useRemoval()
  const { reload } = tools
  const name = String(row[resource.title] ?? row.id)

  const { transit, done } = useTransit(resource, reload)
  const remove = () => {
    const path = `${resource.api.item}/${row.id}`
    // A call that fails has said why.
    removal({ path, name, run: () => done(() => request<{ undo?: number }>('DELETE', path, { rev: row.rev }), '已删除') }).catch(() => undefined)
  }

  /** Whether an action stands in the row: the person may do it, or holds the right and is told why not now. */
  const offered = (action: string, right: number | undefined): { refused: string | undefined }[] => {
    const refused = row.cannot?.[action]
    return row.can.includes(action) || (refused !== undefined && right !== undefined && can(right)) ? [{ refused }] : []
  }
  const own = more.filter((action) => (action.grant === undefined || can(action.grant)) && (action.visible?.(row) ?? true)).map((action) => ({
    key: action.key, label: action.label, danger: action.danger ?? false, refused: row.cannot?.[action.key], first: action.first ?? false, run: () => (action.run ? void action.run(row, tools) : tools.open(action.key, row)),
  }))
  return [
    ...own.filter(({ first }) => first),
    ...resource.transitions.flatMap((transition) => offered(transition.name, transitionGrant(resource, transition)).map((refused) => ({
      key: transition.name, label: transition.label, danger: transition.danger ?? false, ...refused, run: () => transit(row, transition),
    }))),
    ...own.filter(({ first }) => !first),
    ...offered('edit', resource.actions.update).map((refused) => ({ key: 'edit', label: '编辑', danger: false, ...refused, run: () => onEdit(row) })),
    { key: 'open', label: '详情', danger: false, run: () => onOpen(row) },
    ...offered('remove', resource.actions.remove).map((refused) => ({ key: 'remove', label: '删除', danger: true, ...refused, run: remove })),
  ]
}

const mayComeNext = ({ danger, refused }: RowItem) => !danger && refused === undefined

/**
 * The end of a row: the next step in grey and a menu of all that can be done. Under the pointer a second step, editing and
 * looking float beside it; the keyboard has the menu and the keys of the list.
 */
export function RowActions(props: ActionsProps) {
  const { resource, row, onOpen, onEdit } = props
  const items = useRowItems(props)
  const [next, second] = items.filter((item) => mayComeNext(item) && item.key !== 'edit' && item.key !== 'open')
  const verb = next ?? items.find(({ key, refused }) => key === 'edit' && refused === undefined) ?? items.find(({ key }) => key === 'open')
  const name = String(row[resource.title] ?? row.id)
  return (
    <span className="row-actions">
      {verb && <button type="button" className="row-action" onClick={verb.run}>{verb.label}</button>}
      <RowMenu label={`「${name}」的更多操作`} items={items} />
      <span className="row-quick" aria-hidden>
        {second && <button type="button" tabIndex={-1} className="row-action" onClick={second.run}>{second.label}</button>}
        {row.can.includes('edit') && <button type="button" tabIndex={-1} className="row-icon" title="编辑" onClick={() => onEdit(row)}><EditOutlined /></button>}
        <button type="button" tabIndex={-1} className="row-icon" title="详情" onClick={() => onOpen(row)}><EyeOutlined /></button>
      </span>
    </span>
  )
}
