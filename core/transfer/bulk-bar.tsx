import { Button, Space } from 'antd'
import { Suspense, useState, type ComponentType } from 'react'
import { useTemplates } from '../print/use-print.tsx'
import { transitionGrant, type Resource } from '../resource/define.ts'
import type { BulkProps } from '../resource/present.tsx'
import { writableKeys } from '../resource/rules.ts'
import { useCan } from '../session/staff-context.tsx'
import { retryLazy } from '../ui/retry-lazy.tsx'
import { BulkDialog, type BulkAction } from './bulk-dialog.tsx'

const PrintDialog = retryLazy(async () => ({ default: (await import('../print/print-dialog.tsx')).PrintDialog }))

interface Props {
  resource: Resource
  /** Actions of the screen's own, beside those that follow from the definition. */
  own: ComponentType<BulkProps> | undefined
  /** Fields that have a button of their own, such as 批量备注. */
  fields: readonly string[]
  selected: readonly number[]
  /** The list's filters, for 选择全部. */
  query: Readonly<Record<string, unknown>>
  total: number | undefined
  onClear: () => void
  reload: () => void
}

/** Fields that many records may have alike: not what names one of them or leads to one person. */
function commonKeys(resource: Resource): string[] {
  return writableKeys(resource).filter((key) => {
    const field = resource.fields[key]
    return key !== resource.title && field && !field.unique && !field.createOnly && !field.unlisted && !field.hidden
  })
}

/** Acts on the selected records, or on everything that the filters leave. */
export function BulkBar({ resource, own: Own, fields, selected, query, total, onClear, reload }: Props) {
  const can = useCan()
  const [everything, setEverything] = useState(false)
  const templates = useTemplates(resource)
  const [printing, setPrinting] = useState(false)
  const [action, setAction] = useState<BulkAction>()
  if (selected.length === 0) return null

  const editable = commonKeys(resource)
  const actions: BulkAction[] = [
    ...(can(resource.actions.update) && editable.length > 0 ? [{ key: 'update', label: '批量修改', verb: '改', reason: false, danger: false }] : []),
    ...(can(resource.actions.update) ? fields : []).map((name) => ({ key: 'update', label: `批量${resource.fields[name]?.label ?? ''}`, verb: '改', reason: false, danger: false, field: name })),
    ...resource.transitions.filter((transition) => can(transitionGrant(resource, transition))).map((transition) => ({
      key: transition.name, label: transition.label, verb: transition.label, reason: transition.reason === true, danger: transition.danger === true, ...(transition.instead !== undefined && { instead: transition.instead }),
    })),
    ...(can(resource.actions.remove) ? [{ key: 'remove', label: '删除', verb: '删除', reason: false, danger: true }] : []),
  ]
  const many = everything ? `全部 ${total === undefined || total > 10_000 ? '10,000+' : total.toLocaleString('zh-CN')} 条` : `${selected.length} 条`
  const clear = () => {
    setEverything(false)
    onClear()
  }
  return (
    <div className="bulk-bar" role="region" aria-label="批量操作">
      <span aria-live="polite">已选 {many}</span>
      {!everything && total !== undefined && total > selected.length && <Button type="link" size="small" onClick={() => setEverything(true)}>选择筛选出的全部 {total > 10_000 ? '10,000+' : total} 条</Button>}
      <Button type="link" size="small" onClick={clear}>取消选择</Button>
      <Space wrap>{actions.map((one) => <Button key={`${one.key} ${one.field ?? ''}`} size="small" danger={one.danger} onClick={() => setAction(one)}>{one.label}</Button>)}
        {templates.length > 0 && !everything && <Button size="small" onClick={() => setPrinting(true)}>打印</Button>}
        {Own && <Own selected={selected} {...(everything && { query })} many={many} onDone={() => { clear(); reload() }} />}
      </Space>
      {printing && <Suspense><PrintDialog resource={resource} templates={templates} ids={selected} onClose={() => setPrinting(false)} /></Suspense>}
      {action && (
        <BulkDialog resource={resource} action={action} editable={editable} target={everything ? { query } : { ids: selected }} many={many}
          onClose={() => setAction(undefined)} onDone={() => { setAction(undefined); clear(); reload() }} />
      )}
    </div>
  )
}
